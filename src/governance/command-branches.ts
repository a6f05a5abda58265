// Conditions and loops: every branch is walked, and what comes after knows that any of them may have run.
import { type Flow, type Outcome, type Walk, plainOutcome, stateAfter } from "./command-flow.ts";
import { expandWord } from "./shell-expansion.ts";
import { wordGroups } from "./shell-groups.ts";
import { type ShellNode, textOf } from "./shell-parser.ts";
import { type Binding, type ShellState, UNKNOWN_BINDING, itemOf } from "./shell-state.ts";
import { type PossibleTexts, either, wordsOf } from "./shell-value.ts";
import { scopeOf } from "./command-substitution.ts";

const ROUNDS = 3;

export function walkIf(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const branches = branchesOf(node);
  let waiting = flow.state;
  const ends: Outcome[] = [];
  for (const { condition, body } of branches) {
    const tested = condition ? walk.sequence(condition, { ...flow, state: waiting }) : plainOutcome(waiting, [""]);
    const state = tested.ok === tested.failed ? tested.ok.fork() : tested.ok;
    ends.push(walk.sequence(body, { ...flow, state, isConditional: true }));
    waiting = tested.failed;
  }
  const hasElse = branches.at(-1)?.condition === undefined;
  return joinAll(hasElse ? ends : [...ends, plainOutcome(waiting, [""])], flow);
}

interface Branch {
  readonly condition: readonly ShellNode[] | undefined;
  readonly body: readonly ShellNode[];
}

function branchesOf(node: ShellNode): Branch[] {
  const clauses = node.children.filter(({ type }) => type === "elif_clause" || type === "else_clause");
  const own = node.children.filter((child) => !clauses.includes(child));
  if (node.type === "else_clause") return [{ condition: undefined, body: own }];
  const then = own.findIndex(({ type }) => type === "then");
  return [{ condition: own.slice(0, then), body: own.slice(then + 1) }, ...clauses.flatMap(branchesOf)];
}

export function walkCase(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const scope = scopeOf(walk, flow);
  const ends: Outcome[] = [];
  let previous: ShellState | undefined;
  for (const child of node.children) {
    if (child.field === "value") expandWord([child], scope);
    if (child.type !== "case_item") continue;
    const body = child.children.filter(({ field }) => field !== "value");
    for (const value of child.children) if (value.field === "value") expandWord([value], scope);
    const state = previous ? flow.state.fork().join(previous) : flow.state.fork();
    const end = walk.sequence(body, { ...flow, state, isConditional: true });
    ends.push(end);
    previous = child.children.some(({ field }) => field === "fallthrough") ? stateAfter(end) : undefined;
  }
  return joinAll([...ends, plainOutcome(flow.state, [""])], flow);
}

/** `for` and `select` over words: the body is walked for each value. */
export function walkFor(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const variable = node.children.find(({ field }) => field === "variable");
  const body = node.children.filter(({ field }) => field === "body");
  const hasWords = node.children.some(({ type }) => type === "in");
  const bindings = hasWords ? valuesOf(walk, node, flow) : positionalValues(flow);
  const name = variable ? textOf(variable) : "_";
  let state = flow.state;
  let output: PossibleTexts = [""];
  for (const binding of bindings) {
    const round = state.fork();
    round.assign(name, [binding]);
    const end = loop(walk, body, { ...flow, state: round, isConditional: true });
    output = [undefined];
    state = state.join(stateAfter(end));
  }
  return plainOutcome(state, output);
}

/** `while` and `until`. */
export function walkWhile(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  return loop(walk, node.children, { ...flow, isConditional: true });
}

/** `for ((…))`. */
export function walkLoop(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  walk.visit({ ...node, children: node.children.filter(({ field }) => field !== "body") }, flow);
  return loop(
    walk,
    node.children.filter(({ field }) => field === "body"),
    flow,
  );
}

function valuesOf(walk: Walk, node: ShellNode, flow: Flow): Binding[] {
  const scope = scopeOf(walk, flow);
  const groups = wordGroups(node.children.filter(({ field }) => field === "value"));
  const words = groups.flatMap((group) => {
    const raw = group.map(textOf).join("");
    return expandWord(group, scope).flatMap((one) => wordsOf(one, raw));
  });
  const distinct = new Map(words.map((word) => [word.template, word]));
  return [...distinct.values()].map((word) => ({ items: [{ ...itemOf(word), isMany: false }] }));
}

function positionalValues(flow: Flow): Binding[] {
  return flow.state.positional?.map((item) => ({ items: [item] })) ?? [UNKNOWN_BINDING];
}

/** Walks until another round shows nothing new; then whatever still changes is unknown. */
function loop(walk: Walk, body: readonly ShellNode[], flow: Flow): Outcome {
  let state = flow.state;
  for (let round = 0; round <= ROUNDS; round++) {
    const before = state;
    const working = state.fork();
    if (round === ROUNDS) working.blur(flow.state);
    const end = stateAfter(walk.sequence(body.flatMap(bodyOf), { ...flow, state: working }));
    state = before.join(end);
    if (state.equals(before)) break;
  }
  return plainOutcome(state, [undefined]);
}

function bodyOf(node: ShellNode): readonly ShellNode[] {
  return node.type === "do_group" ? node.children : [node];
}

function joinAll(ends: readonly Outcome[], flow: Flow): Outcome {
  const [first, ...rest] = ends.map((end) => ({ state: stateAfter(end), output: end.output }));
  if (!first) return plainOutcome(flow.state, [""]);
  let { state, output } = first;
  for (const end of rest) {
    state = state.join(end.state);
    output = either(output, end.output);
  }
  return plainOutcome(state, output);
}
