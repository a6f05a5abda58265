import type { ShellNode } from "./shell-parser.ts";
import { isLostDash } from "./shell-tree-checks.ts";

/** Nodes that touch, or have only a line continuation between them, are one word. */
export function wordGroups(nodes: readonly ShellNode[]): ShellNode[][] {
  const groups: ShellNode[][] = [];
  let end = -1;
  for (const child of nodes) {
    if (isNoWord(child)) continue;
    if (end >= 0 && touches(child, end)) groups.at(-1)!.push(child);
    else groups.push([child]);
    end = child.end;
  }
  return groups;
}

/**
 * The children of a command, each assignment and redirection with the words that touch it: the grammar ends a word
 * at `$name/` when a `-` stands before it.
 */
export function glueWords(node: ShellNode): ShellNode[] {
  const glued: ShellNode[] = [];
  for (const child of node.children) {
    const last = glued.at(-1);
    const takesWords =
      last !== undefined && /^variable_assignment$|^file_redirect$|^herestring_redirect$/.test(last.type);
    if (!takesWords || isNoWord(child) || !touches(child, last.end)) glued.push(child);
    else {
      const field = last.type === "file_redirect" ? "destination" : null;
      const children = [...last.children, { ...child, field }];
      glued[glued.length - 1] = { ...last, end: child.end, children };
    }
  }
  return glued;
}

/**
 * A statement with redirections behind it, with the words that stand after a redirection given back to the command:
 * in `rm 2>&1 -rf x` the grammar takes them for further targets.
 */
export function returnWords(node: ShellNode): ShellNode {
  const words = lostDashes(node);
  const children = node.children.map((child) => (isRedirection(child) ? withOneTarget(child, words) : child));
  const body = children.findIndex(({ field }) => field === "body");
  if (words.length === 0) return node;
  const args = words.map((word) => Object.assign({ ...word }, { field: "argument" }));
  if (body < 0) return { ...node, type: "command", field: null, children: [...children, ...args] };
  const command = children[body]!;
  const isOpen = /^(?:command|declaration_command|unset_command)$/.test(command.type);
  const filled: ShellNode = isOpen
    ? { ...command, children: [...command.children, ...args] }
    : { ...node, type: "program", field: "body", children: [command, { ...node, type: "command", children: args }] };
  return { ...node, children: children.with(body, filled) };
}

function lostDashes({ source, children }: ShellNode): ShellNode[] {
  return children.flatMap((child, index) => {
    const from = children[index - 1]?.end ?? child.start;
    const gap = source.slice(from, child.start);
    if (!isLostDash(gap)) return [];
    const start = from + gap.indexOf("-");
    return [{ type: "word", field: "argument", start, end: start + 1, children: [], source }];
  });
}

/** The redirection with its first target only; what follows is put into `words`. */
function withOneTarget(node: ShellNode, words: ShellNode[]): ShellNode {
  const isClosing = node.children.some(({ type }) => type === ">&-" || type === "<&-");
  const kept: ShellNode[] = [];
  let end = isClosing ? 0 : -1;
  for (const child of node.children) {
    const isTarget = child.field === "destination" || child.field === "argument";
    if (!isTarget) kept.push(isRedirection(child) ? withOneTarget(child, words) : child);
    else if (child.field === "destination" && (end < 0 || (end > 0 && touches(child, end)))) {
      kept.push(child);
      ({ end } = child);
    } else words.push(child);
  }
  return { ...node, children: kept };
}

function isRedirection({ type }: ShellNode): boolean {
  return type === "file_redirect" || type === "heredoc_redirect";
}

function isNoWord({ type }: ShellNode): boolean {
  return /_redirect$|^variable_assignment$|^subshell$|^comment$/.test(type);
}

function touches(node: ShellNode, end: number): boolean {
  return /^(?:\\\n)*$/.test(node.source.slice(end, node.start));
}
