// The walk over the syntax tree: what runs, in which directory, with which variables.
import { type Findings, type Flow, type Outcome, type Walk, plainOutcome, stateAfter } from "./command-flow.ts";
import { monotonicMs } from "../core/monotonic.ts";
import { walkCase, walkFor, walkIf, walkLoop, walkWhile } from "./command-branches.ts";
import { runWords } from "./command-run.ts";
import { walkAssignment, walkDeclaration, walkUnset } from "./command-assignments.ts";
import { walkCommand } from "./command-simple.ts";
import { walkRedirected } from "./command-redirections.ts";
import { walkSubstitution } from "./command-substitution.ts";
import { type ParseShell, type ShellNode, textOf } from "./shell-parser.ts";
import { isTrustworthy } from "./shell-tree-checks.ts";
import { type ShellState, WorkLimitError } from "./shell-state.ts";
import { type ShellWord, concatenate } from "./shell-value.ts";

const MAX_DEPTH = 200;
/** Parsing hostile text is slow; nested code may hold a lot of it. */
const WORK_PER_MILLISECOND = 100;

type NodeWalker = (walk: Walk, node: ShellNode, flow: Flow) => Outcome;

const WALKERS: Readonly<Record<string, NodeWalker>> = {
  command: walkCommand,
  redirected_statement: walkRedirected,
  variable_assignment: walkAssignment,
  variable_assignments: (walk, node, flow) => walk.sequence(node.children, flow),
  declaration_command: walkDeclaration,
  unset_command: walkUnset,
  if_statement: walkIf,
  case_statement: walkCase,
  for_statement: walkFor,
  while_statement: walkWhile,
  c_style_for_statement: walkLoop,
  list: walkList,
  pipeline: walkPipeline,
  negated_command: walkNegated,
  compound_statement: walkCompound,
  program: (walk, node, flow) => walk.sequence(node.children, flow),
  subshell: (walk, node, flow) => {
    const { output } = walk.sequence(node.children, { ...flow, state: flow.state.fork() });
    return plainOutcome(flow.state, output);
  },
  function_definition: walkDefinition,
  command_substitution: walkInner,
  process_substitution: walkInner,
};

/** One analysis. Collects into the findings it is given. */
export class CommandWalk implements Walk {
  readonly findings: Findings;
  readonly parse: ParseShell;
  readonly #defined = new Map<string, { readonly body: ShellNode; readonly flow: Flow }>();
  readonly #called = new Set<string>();

  constructor(findings: Findings, parse: ParseShell) {
    this.findings = findings;
    this.parse = parse;
  }

  start(text: string, state: ShellState): void {
    const flow: Flow = {
      state,
      stdin: [undefined],
      wrappers: [],
      calls: [],
      forking: "none",
      isConditional: false,
      position: undefined,
      site: 0,
      depth: 0,
    };
    this.code(text, flow);
    for (const [name, { body, flow: at }] of this.#defined) {
      if (this.#called.has(name)) continue;
      const uncalled = at.state.fork();
      uncalled.positional = undefined;
      this.statement(body, { ...at, state: uncalled, calls: [name] });
    }
  }

  statement(node: ShellNode, flow: Flow): Outcome {
    flow.state.spend(1);
    if (flow.depth > MAX_DEPTH) throw new WorkLimitError();
    const walker = WALKERS[node.type];
    const deeper = { ...flow, depth: flow.depth + 1 };
    if (walker) return walker(this, node, deeper);
    this.visit(node, deeper);
    return plainOutcome(flow.state, [""]);
  }

  sequence(nodes: readonly ShellNode[], flow: Flow): Outcome {
    let outcome = plainOutcome(flow.state, [""]);
    for (const [index, node] of nodes.entries()) {
      if (!isStatement(node)) continue;
      const isBackground = nodes[index + 1]?.type === "&";
      const before = stateAfter(outcome);
      const state = isBackground ? before.fork() : before;
      const next = this.statement(node, { ...flow, state, forking: isBackground ? "background" : flow.forking });
      const output = concatenate(outcome.output, isBackground ? [undefined] : next.output);
      outcome = isBackground ? plainOutcome(before, output) : { ...next, output };
    }
    return outcome;
  }

  visit(node: ShellNode, flow: Flow): void {
    const pending = [...node.children];
    for (let child = pending.pop(); child; child = pending.pop()) {
      flow.state.spend(1);
      if (isStatement(child) && WALKERS[child.type]) this.statement(child, { ...flow, state: flow.state.fork() });
      else pending.push(...child.children);
    }
  }

  run(words: readonly ShellWord[], flow: Flow): Outcome {
    if (flow.depth > MAX_DEPTH) throw new WorkLimitError();
    const name = words[0]?.value;
    if (name !== undefined) this.#called.add(name);
    return runWords(this, words, { ...flow, depth: flow.depth + 1 });
  }

  code(text: string, flow: Flow): Outcome {
    const started = monotonicMs();
    const tree = this.parse(text);
    flow.state.spend(1 + (monotonicMs() - started) * WORK_PER_MILLISECOND);
    const position = flow.position ?? { start: 0, end: text.length };
    if (tree.problem === "limit") throw new WorkLimitError();
    if (!isTrustworthy(tree.root)) {
      this.findings.addUndecided("syntax", "Some of it does not parse as shell code.", position);
      this.findings.unparsed.push(text);
    }
    return this.sequence(tree.root.children, flow);
  }

  define(name: string, body: ShellNode, flow: Flow): void {
    flow.state.define(name, body);
    this.#defined.set(name, { body, flow });
  }
}

function isStatement(node: ShellNode): boolean {
  return node.children.length > 0 && node.type !== "heredoc_body" && node.type !== "comment";
}

/** `a && b || c` leans to the left, as deep as it is long. */
function walkList(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const links: { readonly isAnd: boolean; readonly right: ShellNode }[] = [];
  let left = node;
  while (left.type === "list") {
    const [first, operator, right] = left.children.filter(({ type }) => type !== "comment");
    if (!first || !right) break;
    links.push({ isAnd: operator?.type === "&&", right });
    left = first;
  }
  let outcome = walk.statement(left, flow);
  for (const { isAnd, right } of links.toReversed()) {
    const [taken, skipped] = isAnd ? [outcome.ok, outcome.failed] : [outcome.failed, outcome.ok];
    const state = taken === skipped ? taken.fork() : taken;
    const next = walk.statement(right, { ...flow, state, isConditional: true });
    const output = concatenate(outcome.output, next.output);
    const [ok, failed] = isAnd ? [next.ok, skipped.join(next.failed)] : [skipped.join(next.ok), next.failed];
    outcome = { ok, failed, output };
  }
  return outcome;
}

function walkPipeline(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const regrouped = regroupList(node);
  if (regrouped) return walk.statement(regrouped, flow);
  const forking = flow.forking === "background" ? "background" : "pipeline";
  let stdin = flow.stdin;
  for (const element of node.children.filter(isStatement)) {
    stdin = walk.statement(element, { ...flow, state: flow.state.fork(), stdin, forking }).output;
  }
  return plainOutcome(flow.state, stdin);
}

/** `a && b 2>&1 | c`: the grammar pipes the whole list, the shell only its last command. */
function regroupList(pipeline: ShellNode): ShellNode | undefined {
  const [first, ...rest] = pipeline.children;
  const list = first?.children.find(({ field }) => field === "body");
  if (first?.type !== "redirected_statement" || list?.type !== "list") return undefined;
  const last: ShellNode = { ...list.children.at(-1)!, field: "body" };
  const redirections = first.children.filter((child) => child !== list);
  const redirected: ShellNode = { ...first, start: last.start, children: [last, ...redirections] };
  const piped: ShellNode = { ...pipeline, start: last.start, children: [redirected, ...rest] };
  return { ...list, field: null, end: pipeline.end, children: [...list.children.slice(0, -1), piped] };
}

function walkNegated(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const { ok, failed, output } = walk.sequence(node.children, flow);
  return { ok: failed, failed: ok, output };
}

/** `{ …; }`, or the arithmetic of `(( … ))`. */
function walkCompound(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  if (node.children[0]?.type !== "((") return walk.sequence(node.children, flow);
  walk.visit(node, flow);
  return plainOutcome(flow.state, [""]);
}

function walkDefinition(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  const name = node.children.find(({ field }) => field === "name");
  const body = node.children.find(({ field }) => field === "body");
  if (name && body) walk.define(textOf(name), withRedirections(node, body), flow);
  return plainOutcome(flow.state, [""]);
}

/** A function's redirections are opened whenever it is called. */
function withRedirections(definition: ShellNode, body: ShellNode): ShellNode {
  const redirections = definition.children.filter(({ field }) => field === "redirect");
  return redirections.length > 0 ? { ...body, type: "redirected_statement", children: [body, ...redirections] } : body;
}

function walkInner(walk: Walk, node: ShellNode, flow: Flow): Outcome {
  walkSubstitution(walk, node, flow);
  return plainOutcome(flow.state, [undefined]);
}
