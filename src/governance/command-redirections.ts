// Files that the shell opens, here-documents and here-strings.
import { posix } from "node:path";
import {
  type Flow,
  type Outcome,
  type Redirection,
  type Walk,
  plainOutcome,
  positionOf,
  stateAfter,
} from "./command-flow.ts";
import { scopeOf } from "./command-substitution.ts";
import { expandQuoted, expandText, expandWord } from "./shell-expansion.ts";
import { returnWords } from "./shell-groups.ts";
import { partsOfSpan } from "./shell-parts.ts";
import { type ShellNode, textOf } from "./shell-parser.ts";
import { decodeHeredoc } from "./shell-quoting.ts";
import {
  type PossibleTexts,
  type ShellWord,
  UNKNOWN_PART,
  concatenate,
  either,
  templateOf,
  unknownWord,
  wordsOf,
} from "./shell-value.ts";

const ACCESS: Readonly<Record<string, Redirection["access"]>> = {
  "<": "read",
  ">": "write",
  ">|": "write",
  "&>": "write",
  ">&": "write",
  ">>": "append",
  "&>>": "append",
  "<>": "read_write",
};

/** What redirections do to the command before them. */
export interface OpenedRedirections {
  /** Undefined: the same as around it. */
  readonly stdin: PossibleTexts | undefined;
  /** Paths that standard output goes to; undefined: the same as around it. */
  readonly stdout: readonly string[] | undefined;
  /** Perhaps none of it happens. */
  readonly isConditional: boolean;
}

/** A statement with redirections behind it, and what a here-document's first line goes on with. */
export function walkRedirected(walk: Walk, statement: ShellNode, flow: Flow): Outcome {
  const given = statement.children.find(({ field }) => field === "body");
  const isChain = given?.type === "pipeline" || given?.type === "list";
  if (isChain) return walk.statement(redirectLast(statement, given), flow);
  const node = returnWords(statement);
  if (node.type !== "redirected_statement") return walk.statement(node, flow);
  const body = node.children.find(({ field }) => field === "body");
  const redirections = redirectionsIn(node);
  const opened = openRedirections(walk, redirections, flow);
  const inside = opened.stdin ? { ...flow, stdin: opened.stdin } : flow;
  const outcome = body ? walk.statement(body, inside) : plainOutcome(flow.state, [""]);
  return redirections.reduce(
    (sofar, one) => walkTail(walk, one, { flow, outcome: sofar }),
    closeOutput(outcome, opened),
  );
}

/** Records each file, and expands here-documents and here-strings. */
export function openRedirections(walk: Walk, nodes: readonly ShellNode[], flow: Flow): OpenedRedirections {
  let stdin: PossibleTexts | undefined;
  let stdout: readonly string[] | undefined;
  for (const node of nodes) {
    if (node.type === "heredoc_redirect") {
      stdin = hereDocument(walk, node, flow);
      const inner = openRedirections(walk, redirectionsIn(node), flow);
      stdin = inner.stdin ?? stdin;
      stdout = inner.stdout ?? stdout;
    } else if (isHereString(node)) {
      stdin = hereString(walk, node, flow);
    } else {
      const opened = openFile(walk, node, flow);
      stdin = opened.stdin ?? stdin;
      stdout = opened.stdout ?? stdout;
    }
  }
  return { stdin, stdout, isConditional: flow.isConditional };
}

/** What was printed lies in a file now, and may be run from there. */
export function closeOutput(outcome: Outcome, { stdout, isConditional }: OpenedRedirections): Outcome {
  if (!stdout) return outcome;
  const state = stateAfter(outcome);
  const contents = isConditional ? either(outcome.output, [undefined]) : outcome.output;
  for (const path of stdout) state.writeFile(path, contents);
  return { ...outcome, output: [""] };
}

/** The absolute paths that a word may name, where both it and the directory are known. */
export function pathsOf(word: ShellWord, directories: PossibleTexts): string[] {
  const { value } = word;
  if (value === undefined) return [];
  if (value.startsWith("/")) return [posix.normalize(value)];
  return directories.flatMap((directory) => (directory === undefined ? [] : [posix.resolve(directory, value)]));
}

function redirectionsIn(node: ShellNode): ShellNode[] {
  return node.children.filter(({ type }) => type.endsWith("_redirect"));
}

/** `a | b > f`: the grammar puts the redirection around the whole, the shell to the last command. */
function redirectLast(node: ShellNode, body: ShellNode): ShellNode {
  const last = body.children.at(-1)!;
  const redirected: ShellNode = {
    ...node,
    start: last.start,
    children: [{ ...last, field: "body" }, ...redirectionsIn(node)],
  };
  return { ...body, field: null, children: [...body.children.slice(0, -1), redirected] };
}

/** `cat <<EOF | sh` and `cat <<EOF && ls`: the rest of that line hangs below the here-document. */
function walkTail(walk: Walk, node: ShellNode, before: { readonly flow: Flow; readonly outcome: Outcome }): Outcome {
  let { outcome } = before;
  const { flow } = before;
  for (const child of node.children) {
    if (child.type === "pipeline") {
      const state = stateAfter(outcome);
      const { output } = walk.statement(child, {
        ...flow,
        state: state.fork(),
        stdin: outcome.output,
        forking: "pipeline",
      });
      outcome = plainOutcome(state, output);
    } else if (child.field === "right") {
      const state = stateAfter(outcome);
      const next = walk.statement(child, { ...flow, state: state.fork(), isConditional: true });
      outcome = plainOutcome(state.join(stateAfter(next)), concatenate(outcome.output, next.output));
    }
  }
  return outcome;
}

function hereDocument(walk: Walk, node: ShellNode, flow: Flow): PossibleTexts {
  const start = node.children.find(({ type }) => type === "heredoc_start");
  const body = node.children.find(({ type }) => type === "heredoc_body");
  if (!start || !body) return [""];
  if (!endsAsInShell(node, textOf(start))) {
    walk.findings.addUndecided("syntax", "Where a here-document ends is not clear.", positionOf(node, flow));
    walk.findings.unparsed.push(node.source);
  }
  const dedent = (text: string) => (textOf(node).startsWith("<<-") ? text.replace(/^\t+/gm, "") : text);
  if (/['"\\]/.test(textOf(start))) return [dedent(textOf(body))];
  const parts = partsOfSpan({ node: body, from: body.start, to: body.end, quoted: true }, decodeHeredoc);
  return expandQuoted(parts, scopeOf(walk, flow)).map((one) => dedent(templateOf(one)));
}

/** The shell ends a here-document at the first line that is its delimiter and nothing else. */
function endsAsInShell(node: ShellNode, start: string): boolean {
  const body = node.children.find(({ type }) => type === "heredoc_body");
  const end = node.children.find(({ type }) => type === "heredoc_end");
  if (!body || !end) return false;
  const delimiter = start.replace(/['"\\]/g, "");
  const lineStart = node.source.lastIndexOf("\n", end.start - 1) + 1;
  const lineEnd = node.source.indexOf("\n", end.start);
  const isDedented = textOf(node).startsWith("<<-");
  const clean = (line: string) => (isDedented ? line.replace(/^\t+/, "") : line);
  const endLine = node.source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  const bodyLines = node.source.slice(body.start, lineStart).split("\n");
  return clean(endLine) === delimiter && !bodyLines.some((line) => clean(line) === delimiter);
}

/** Also where the grammar reads `<<<` as an error and a `<`. */
function isHereString(node: ShellNode): boolean {
  return (
    node.type === "herestring_redirect" ||
    (textOf(node).startsWith("<") && node.source.startsWith("<<<", node.start - 2))
  );
}

function hereString(walk: Walk, node: ShellNode, flow: Flow): PossibleTexts {
  const words = node.children.filter(({ type }) => type !== "<<<" && type !== "<" && type !== "file_descriptor");
  return expandText(words, scopeOf(walk, flow)).map((one) => `${templateOf(one)}\n`);
}

function openFile(walk: Walk, node: ShellNode, flow: Flow): OpenedRedirections {
  const { isConditional } = flow;
  const none: OpenedRedirections = { stdin: undefined, stdout: undefined, isConditional };
  const descriptor = node.children.find(({ field }) => field === "descriptor");
  const destinations = node.children.filter(({ field }) => field === "destination");
  const operator = /^\d*\{?\w*\}?([<>&|]+)/.exec(textOf(node))?.[1] ?? ">";
  const access = ACCESS[operator];
  const raw = destinations.map(textOf).join("");
  if (operator.endsWith("&") && /^(?:\d+-?|-)$/.test(raw)) return none;
  if (!access || destinations.length === 0) return none;
  const position = positionOf(node, flow);
  const paths: string[] = [];
  for (const expansion of expandWord(destinations, scopeOf(walk, flow))) {
    const target = wordsOf(expansion, raw)[0] ?? unknownWord(raw);
    const { directories } = flow.state;
    walk.findings.addRedirection({ access, target, directories, position });
    if (target.value === undefined)
      walk.findings.addUndecided("value", `Which file ${raw} names is not known.`, position);
    paths.push(...pathsOf(target, directories));
  }
  const number = descriptor ? textOf(descriptor) : operator.startsWith("<") ? "0" : "1";
  if (number === "0") return { ...none, stdin: contentsOf(paths, flow) };
  return number === "1" ? { ...none, stdout: paths } : none;
}

function contentsOf(paths: readonly string[], flow: Flow): PossibleTexts {
  const contents = paths.flatMap((path) => flow.state.fileContents(path) ?? [UNKNOWN_PART]);
  return contents.length > 0 ? contents : [undefined];
}
