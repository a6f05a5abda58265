// `NAME=value`, arrays, `export` and `unset`.
import { type Flow, type Outcome, type Walk, plainOutcome, positionOf } from "./command-flow.ts";
import { openRedirections } from "./command-redirections.ts";
import { scopeOf } from "./command-substitution.ts";
import { expandLines } from "./command-words.ts";
import { expandText, expandWord } from "./shell-expansion.ts";
import { wordGroups } from "./shell-groups.ts";
import { bindingOf } from "./shell-parameters.ts";
import { type ShellNode, textOf } from "./shell-parser.ts";
import { type Binding, type BoundItem, UNKNOWN_BINDING, UNSET_BINDING, itemOf } from "./shell-state.ts";
import { type ShellWord, knownWord, unknownWord, wordsOf } from "./shell-value.ts";

const KEY = /^\[[^\]]*\]\+?=/;

/** A line that only assigns. */
export function walkAssignment(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  assign(walk, node, flow);
  return plainOutcome(flow.state, [""]);
}

/** `export`, `local`, `declare` and their like run as programs: all words are expanded before any is assigned. */
export function walkDeclaration(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const [keyword, ...rest] = node.children;
  const position = positionOf(node, flow);
  const before = flow.state.fork();
  const scope = scopeOf(walk, { ...flow, state: before });
  const args: ShellWord[] = [];
  const isReference = rest.some((child) => child.type === "word" && /^-\w*n/.test(textOf(child)));
  const isExport =
    keyword?.type === "export" || rest.some((child) => child.type === "word" && /^-\w*x/.test(textOf(child)));
  for (const child of rest) {
    if (child.type.endsWith("_redirect")) openRedirections(walk, [child], flow);
    else if (child.type === "variable_assignment") {
      const apart = { ...flow, state: before.fork() };
      args.push(knownOrRaw(child, assign(walk, child, apart)));
      assignBraced(walk, child, apart);
      flow.state.assign(nameOf(child), apart.state.variable(nameOf(child)));
    } else {
      const words = expandWord([child], scope).flatMap((one) => wordsOf(one, textOf(child)));
      for (const { template } of words) assignTemplate(template, flow);
      args.push(...words);
    }
  }
  for (const { template, raw } of args) {
    const name = /^[A-Za-z_]\w*(?=$|=|\+=|\[)/.exec(template)?.[0] ?? /^[A-Za-z_]\w*(?==)/.exec(raw)?.[0];
    if (name === undefined) continue;
    if (isExport) flow.state.export(name);
    const referred = /^\w+=([A-Za-z_]\w*)$/.exec(template)?.[1];
    if (isReference && referred !== undefined) flow.state.refer(name, referred);
    else if (isReference) flow.state.assign(name, [UNKNOWN_BINDING]);
  }
  const program = knownWord(keyword ? textOf(keyword) : "declare");
  const { directories } = flow.state;
  const { wrappers, stdin } = flow;
  walk.findings.addProgram({ name: program.value, program, args, directories, wrappers, stdin, position });
  return plainOutcome(flow.state, [undefined]);
}

/** A word that only becomes an assignment when it is expanded: `export "$name=value"`. */
function assignTemplate(template: string, flow: Flow): void {
  const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(template) ?? [];
  if (name !== undefined && value !== undefined) flow.state.assignText(name, value);
}

/** `export X={a,b}` is `export X=a X=b`. */
function assignBraced(walk: Walk, node: ShellNode, flow: Flow): void {
  const values = node.children.slice(node.children.findIndex(({ type }) => type === "=") + 1);
  if (!textOf(node).includes("{") || values[0]?.type === "array") return;
  const words = expandWord(values, scopeOf(walk, flow)).flatMap((one) => wordsOf(one, textOf(node)));
  if (words.length < 2) return;
  const name = nameOf(node);
  flow.state.assign(name, [...flow.state.variable(name), ...words.map((word) => ({ items: [itemOf(word)] }))]);
}

/** Both variables and functions. */
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

/** Assigns what a `variable_assignment` node says; returns every value that it may be. */
export function assign(walk: Walk, node: ShellNode, flow: Flow): readonly Binding[] {
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

/** The variable that an assignment is to. */
export function nameOf(node: ShellNode): string {
  return /^[A-Za-z_]\w*/.exec(textOf(node))?.[0] ?? "_";
}

function bindingsOf(walk: Walk, values: readonly ShellNode[], flow: Flow): readonly Binding[] {
  const scope = scopeOf(walk, flow);
  const [array] = values;
  if (array?.type !== "array") return expandText(values, scope).map(bindingOf);
  const lines = expandLines(walk, wordGroups(array.children.slice(1, -1)), flow);
  return lines.map((line) => {
    const isLoose = line.some(({ template }) => KEY.test(template));
    return isLoose ? { items: line.map(keyed), isLoose } : { items: line.map(itemOf) };
  });
}

/** `[key]=value` in an array. */
function keyed(word: ShellWord): BoundItem {
  const item = itemOf(word);
  if (!KEY.test(word.template)) return item;
  const text = word.template.replace(KEY, "");
  return { text, mayBeEmpty: text === "", isMany: item.isMany === true };
}

function atIndex(
  before: readonly Binding[],
  values: readonly Binding[],
  index: string | undefined,
): readonly Binding[] {
  const [old, ...others] = before;
  const [value, ...more] = values;
  const item = value?.items[0];
  if (!old || !item || others.length > 0 || more.length > 0) return [UNKNOWN_BINDING];
  if (old.isLoose || index === undefined || Number(index) > old.items.length)
    return [{ items: [...old.items, item], isLoose: true }];
  return [{ items: old.items.toSpliced(Number(index), 1, item) }];
}

function appended(before: readonly Binding[], values: readonly Binding[], isArray: boolean): readonly Binding[] {
  return before.flatMap((old) =>
    values.map((value) => {
      if (isArray)
        return { items: [...old.items, ...value.items], isLoose: old.isLoose === true || value.isLoose === true };
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
