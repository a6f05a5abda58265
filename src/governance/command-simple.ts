// Simple commands: assignments, redirections, and words that are expanded into every command line they may become.
import { type Flow, type Outcome, type Walk, plainOutcome, positionOf, stateAfter } from "./command-flow.ts";
import { closeOutput, openRedirections } from "./command-redirections.ts";
import { scopeOf } from "./command-substitution.ts";
import { bindingOf } from "./shell-parameters.ts";
import { expandWord } from "./shell-expansion.ts";
import { type ShellNode, textOf } from "./shell-parser.ts";
import { type Binding, UNKNOWN_BINDING, UNSET_BINDING, type ShellState } from "./shell-state.ts";
import {
  MAX_POSSIBILITIES,
  type PossibleTexts,
  type ShellWord,
  either,
  knownWord,
  unknownWord,
  wordsOf,
} from "./shell-value.ts";

/** `NAME=value program argument > file`. */
export function walkCommand(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const prefixes = node.children.filter(({ type }) => type === "variable_assignment");
  const redirections = node.children.filter(({ type }) => type.endsWith("_redirect"));
  const subshells = node.children.filter(({ type }) => type === "subshell");
  const lines = commandLines(walk, wordGroups(node), flow);
  const at = { ...flow, position: positionOf(node, flow) };
  const opened = openRedirections(walk, redirections, flow);
  const inside = opened.stdin ? { ...at, stdin: opened.stdin } : at;
  const restore = assignForOneCommand(walk, prefixes, flow);
  const outcome = runLines(walk, lines, inside);
  restore(outcome);
  for (const subshell of subshells) walk.statement(subshell, flow);
  return closeOutput(outcome, opened);
}

/** A line that only assigns. */
export function walkAssignment(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  assign(walk, node, flow);
  return plainOutcome(flow.state, [""]);
}

/** `export`, `local`, `declare` and their like: they run as programs too. */
export function walkDeclaration(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const [keyword, ...rest] = node.children;
  const position = positionOf(node, flow);
  const scope = scopeOf(walk, flow);
  const args: ShellWord[] = [];
  const isReference = rest.some((child) => child.type === "word" && /^-\w*n/.test(textOf(child)));
  const isExport =
    keyword?.type === "export" || rest.some((child) => child.type === "word" && /^-\w*x/.test(textOf(child)));
  for (const child of rest) {
    if (child.type.endsWith("_redirect")) openRedirections(walk, [child], flow);
    else if (child.type === "variable_assignment") args.push(knownOrRaw(child, assign(walk, child, flow)));
    else args.push(...expandWord([child], scope).flatMap((one) => wordsOf(one, textOf(child))));
  }
  for (const { template } of args) {
    const [, name, value] = /^([A-Za-z_]\w*)(?:=([^]*))?$/.exec(template) ?? [];
    if (name === undefined) continue;
    if (isExport) flow.state.export(name);
    if (isReference) flow.state.assign(name, [UNKNOWN_BINDING]);
    else if (value !== undefined && !isAssignedBy(rest, name)) flow.state.assignText(name, value);
  }
  const program = knownWord(keyword ? textOf(keyword) : "declare");
  const { directories } = flow.state;
  const { wrappers, stdin } = flow;
  walk.findings.addProgram({ name: program.value, program, args, directories, wrappers, stdin, position });
  return plainOutcome(flow.state, [undefined]);
}

export function walkUnset(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const words = node.children
    .slice(1)
    .flatMap((child) => expandWord([child], scopeOf(walk, flow)).flatMap((one) => wordsOf(one, textOf(child))));
  for (const { template } of words) {
    flow.state.assign(template, [UNSET_BINDING]);
    flow.state.forget(template);
  }
  return plainOutcome(flow.state, [""]);
}

/** Nodes that touch, or have only a line continuation between them, are one word. */
function wordGroups(node: ShellNode): ShellNode[][] {
  const groups: ShellNode[][] = [];
  let end = -1;
  for (const child of node.children) {
    const isWord = !/_redirect$|^variable_assignment$|^subshell$|^comment$/.test(child.type);
    if (!isWord) continue;
    const gap = end < 0 ? " " : node.source.slice(end, child.start);
    if (/^(?:\\\n)*$/.test(gap)) groups.at(-1)!.push(child);
    else groups.push([child]);
    end = child.end;
  }
  return groups;
}

/** Every list of arguments that the words may expand to. */
function commandLines(walk: Walk, groups: readonly ShellNode[][], flow: Flow): ShellWord[][] {
  const scope = scopeOf(walk, flow);
  let lines: ShellWord[][] = [[]];
  for (const group of groups) {
    const raw = group[0]!.source.slice(group[0]!.start, group.at(-1)!.end);
    const choices = distinctLines(expandWord(group, scope).map((one) => wordsOf(one, raw)));
    const [only] = choices;
    if (only && choices.length === 1) for (const line of lines) line.push(...only);
    else if (lines.length * choices.length <= MAX_POSSIBILITIES) {
      lines = lines.flatMap((line) => choices.map((words) => [...line, ...words]));
    } else for (const line of lines) line.push(unknownWord(raw, true));
  }
  return lines;
}

function distinctLines(choices: readonly ShellWord[][]): ShellWord[][] {
  const byText = new Map(
    choices.map((words) => [words.map((word) => `${word.template}\0${word.isPattern}`).join("\n"), words]),
  );
  return [...byText.values()];
}

function runLines(walk: Walk, lines: readonly ShellWord[][], flow: Flow): Outcome {
  const [only] = lines;
  if (only && lines.length === 1) return walk.run(only, flow);
  let output: PossibleTexts = [];
  let state: ShellState | undefined;
  for (const line of lines) {
    const outcome = walk.run(line, { ...flow, state: flow.state.fork() });
    output = either(output, outcome.output);
    state = state ? state.join(stateAfter(outcome)) : stateAfter(outcome);
  }
  return plainOutcome(state ?? flow.state, output);
}

/** Assigns, and returns how to take it back: `NAME=value program` is for that program only. */
function assignForOneCommand(walk: Walk, nodes: readonly ShellNode[], flow: Flow): (outcome: Outcome) => void {
  const before = new Map(nodes.map((node) => [nameOf(node), flow.state.variable(nameOf(node))]));
  for (const node of nodes) {
    assign(walk, node, flow);
    flow.state.export(nameOf(node));
  }
  return ({ ok, failed }) => {
    for (const state of new Set([ok, failed, flow.state])) {
      for (const [name, bindings] of before) state.assign(name, bindings);
    }
  };
}

function assign(walk: Walk, node: ShellNode, flow: Flow): readonly Binding[] {
  const target = node.children[0];
  const operator = node.children.findIndex(({ type }) => type === "=" || type === "+=");
  const values = node.children.slice(operator + 1);
  if (target?.type === "subscript") walk.visit(target, flow);
  const name = nameOf(node);
  const before = flow.state.variable(name);
  const bindings = bindingsOf(walk, values, flow);
  const isAppended = node.children[operator]?.type === "+=";
  const index = /\[(\d+)\]$/.exec(target ? textOf(target) : "")?.[1];
  if (target?.type === "subscript") flow.state.assign(name, atIndex(before, bindings, index));
  else flow.state.assign(name, isAppended ? appended(before, bindings, values[0]?.type === "array") : bindings);
  return bindings;
}

function nameOf(node: ShellNode): string {
  return /^[A-Za-z_]\w*/.exec(textOf(node))?.[0] ?? "_";
}

function bindingsOf(walk: Walk, values: readonly ShellNode[], flow: Flow): readonly Binding[] {
  const scope = scopeOf(walk, flow);
  const [array] = values;
  if (array?.type !== "array") return expandWord(values, scope).map(bindingOf);
  const lines = commandLines(walk, wordGroups({ ...array, children: array.children.slice(1, -1) }), flow);
  return lines.map((line) => ({
    items: line.map((word) => ({ text: word.template, mayBeEmpty: word.template === "" })),
  }));
}

function atIndex(
  before: readonly Binding[],
  values: readonly Binding[],
  index: string | undefined,
): readonly Binding[] {
  const [old, ...others] = before;
  const [value, ...more] = values;
  const item = value?.items[0];
  if (!old || !item || others.length > 0 || more.length > 0 || Number(index ?? "x") > old.items.length)
    return [UNKNOWN_BINDING];
  if (index === undefined) return [UNKNOWN_BINDING];
  return [{ items: old.items.toSpliced(Number(index), 1, item) }];
}

function appended(before: readonly Binding[], values: readonly Binding[], isArray: boolean): readonly Binding[] {
  return before.flatMap((old) =>
    values.map((value) => {
      if (isArray) return { items: [...old.items, ...value.items] };
      const text = `${old.items[0]?.text ?? ""}${value.items[0]?.text ?? ""}`;
      const isKnown = [...old.items, ...value.items].every((item) => item.text !== undefined);
      return isKnown ? { items: [{ text, mayBeEmpty: text === "" }] } : UNKNOWN_BINDING;
    }),
  );
}

function knownOrRaw(node: ShellNode, bindings: readonly Binding[]): ShellWord {
  const raw = textOf(node);
  const text = bindings.length === 1 ? bindings[0]?.items[0]?.text : undefined;
  return text === undefined ? unknownWord(raw) : knownWord(`${nameOf(node)}=${text}`, raw);
}

function isAssignedBy(nodes: readonly ShellNode[], name: string): boolean {
  return nodes.some((node) => node.type === "variable_assignment" && nameOf(node) === name);
}
