// The grammar guesses where it fails, now and then without a trace. These checks find where the tree is not what bash reads.
import type { ShellNode } from "./shell-parser.ts";

/** Nodes whose children have nothing but blanks, line ends and continuations between them. */
const SPACED = new Set(
  (
    "program list pipeline redirected_statement command declaration_command unset_command compound_statement subshell " +
    "do_group if_statement elif_clause else_clause while_statement for_statement negated_command"
  ).split(" "),
);
/** Of these, the ones that end with their line. */
const ONE_LINE = new Set(["command", "declaration_command", "unset_command"]);

/** False when the tree has errors that the walk does not understand, or a shape that no shell code has. */
export function isTrustworthy(root: ShellNode): boolean {
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isUnknownError(node) || isMissing(node) || hasLostText(node) || pipesList(node)) return false;
    pending.push(...node.children);
  }
  return true;
}

/** Whether a line ends between two children of a command, as it never does for the shell. */
export function endsLine(source: string, from: number, to: number): boolean {
  return source.slice(from, to).replaceAll("\\\n", "").includes("\n");
}

/** Errors that the grammar recovers from in a way that the walk knows: `<<<` after another redirection, and `<>`. */
function isUnknownError({ type, source, start, end }: ShellNode): boolean {
  if (type !== "ERROR") return false;
  const text = source.slice(start, end);
  return !((text === "<<" && source[end] === "<") || (text === ">" && source[start - 1] === "<"));
}

function isMissing({ type, start, end, children }: ShellNode): boolean {
  const isToken = !/^(?:program|heredoc_body|heredoc_content|heredoc_end|\n|string_content)$/.test(type);
  return start === end && children.length === 0 && isToken;
}

function hasLostText({ type, source, children }: ShellNode): boolean {
  if (!SPACED.has(type)) return false;
  for (let index = 1; index < children.length; index++) {
    const [before, after] = [children[index - 1]!, children[index]!];
    if (after.start <= before.end || holdsHeredoc(before)) continue;
    const gap = source.slice(before.end, after.start);
    if (/[^\s\\]|\\(?!\n)/.test(gap) && !isLostDash(gap)) return true;
    if (ONE_LINE.has(type) && endsLine(source, before.end, after.start)) return true;
  }
  return false;
}

/** The grammar skips a lone `-` before a here-document; `returnWords` brings it back. */
export function isLostDash(gap: string): boolean {
  return gap.trim() === "-";
}

/** A here-document's text lies behind whatever else stands in its first line. */
function holdsHeredoc({ type }: ShellNode): boolean {
  return type === "heredoc_redirect" || type === "redirected_statement";
}

/** Only the first element of a pipeline comes with what stands before it in a list, and only when it is redirected. */
function pipesList({ type, children }: ShellNode): boolean {
  if (type !== "pipeline") return false;
  return children.some((child, index) => {
    const body =
      child.type === "redirected_statement" ? child.children.find(({ field }) => field === "body") : undefined;
    return child.type === "list" || (index > 0 && body?.type === "list");
  });
}
