import type { ShellNode } from "./shell-parser.ts";

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

function isNoWord({ type }: ShellNode): boolean {
  return /_redirect$|^variable_assignment$|^subshell$|^comment$/.test(type);
}

function touches(node: ShellNode, end: number): boolean {
  return /^(?:\\\n)*$/.test(node.source.slice(end, node.start));
}
