// Simple commands: assignments, redirections, and words that are expanded into every command line they may become.
import { assign, nameOf } from "./command-assignments.ts";
import { type Flow, type Outcome, type Walk, plainOutcome, positionOf, stateAfter } from "./command-flow.ts";
import { closeOutput, openRedirections } from "./command-redirections.ts";
import { expandLines } from "./command-words.ts";
import { glueWords, wordGroups } from "./shell-groups.ts";
import type { ShellNode } from "./shell-parser.ts";
import type { ShellState } from "./shell-state.ts";
import { endsLine } from "./shell-tree-checks.ts";
import { type PossibleTexts, type ShellWord, either } from "./shell-value.ts";

/** `NAME=value program argument > file`. */
export function walkCommand(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const rest = nextLine(node);
  if (rest) return walk.sequence([{ ...node, children: node.children.slice(0, -rest.children.length) }, rest], flow);
  const children = glueWords(node);
  const prefixes = children.filter(({ type }) => type === "variable_assignment");
  const redirections = children.filter(({ type }) => type.endsWith("_redirect"));
  const subshells = children.filter(({ type }) => type === "subshell");
  const lines = expandLines(walk, wordGroups(children), flow);
  const at = { ...flow, position: positionOf(node, flow), site: node.start };
  const opened = openRedirections(walk, redirections, flow);
  const inside = opened.stdin ? { ...at, stdin: opened.stdin } : at;
  const restore = assignForOneCommand(walk, prefixes, flow);
  const outcome = runLines(walk, lines, inside);
  if (lines.some((line) => line.length > 0)) restore(outcome);
  for (const subshell of subshells) walk.statement(subshell, flow);
  return closeOutput(outcome, opened);
}

/** The grammar may take the next line for more arguments; the text is then searched as well. */
function nextLine(node: ShellNode): ShellNode | undefined {
  const at = node.children.findIndex((child, index) => {
    const before = node.children[index - 1];
    return before !== undefined && child.start > before.end && endsLine(node.source, before.end, child.start);
  });
  if (at < 0) return undefined;
  return { ...node, start: node.children[at]!.start, children: node.children.slice(at) };
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
