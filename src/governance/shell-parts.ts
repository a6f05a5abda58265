// From the nodes of a word to its parts: literal text with its quotes decoded, and expansions.
import type { WordPart } from "./shell-braces.ts";
import { type ShellNode, textOf } from "./shell-parser.ts";
import { decodeAnsiC, decodeDoubleQuoted, splitEscapes } from "./shell-quoting.ts";
import { UNKNOWN_PART } from "./shell-value.ts";

/** A stretch of one node's source, as quoted text or not. */
export interface SourceSpan {
  readonly node: ShellNode;
  readonly from: number;
  readonly to: number;
  readonly quoted: boolean;
}

/** The parts of adjacent nodes that form one word. */
export function partsOfWord(nodes: readonly ShellNode[]): WordPart[] {
  return recoverExpansions(nodes.flatMap((node) => partsOf(node, false)));
}

/** The parts of a stretch of source: the children of `node` in it, and the text between them. */
export function partsOfSpan(span: SourceSpan, decode: (text: string) => string = decodeDoubleQuoted): WordPart[] {
  const { node, quoted } = span;
  const parts: WordPart[] = [];
  let at = span.from;
  const addText = (to: number) => {
    if (to <= at) return;
    const text = node.source.slice(at, to);
    if (quoted) parts.push(...quotedParts(text, decode));
    else for (const run of splitEscapes(text)) parts.push({ kind: "text", ...run });
  };
  for (const child of node.children) {
    if (child.end <= at || child.start >= span.to || !holdsMore(child)) continue;
    const start = child.start + (quoted ? textOf(child).search(/\S|$/) : 0);
    addText(start);
    parts.push(...partsOf(child, quoted));
    at = Math.max(at, child.end);
  }
  addText(span.to);
  return parts;
}

function partsOf(node: ShellNode, quoted: boolean): WordPart[] {
  const { start, end } = node;
  switch (node.type) {
    case "raw_string":
      return [{ kind: "text", text: node.source.slice(start + 1, end - 1), quoted: true }];
    case "ansi_c_string":
      return [{ kind: "text", text: decodeAnsiC(node.source.slice(start + 2, end - 1)), quoted: true }];
    case "string":
      if (end - start <= 2) return [{ kind: "text", text: "", quoted: true }];
      return partsOfSpan({ node, from: start + 1, to: end - 1, quoted: true });
    case "translated_string":
      return node.children.flatMap((child) => (child.type === "string" ? partsOf(child, quoted) : []));
    case "simple_expansion":
      return simpleExpansion(node, quoted);
    case "expansion":
    case "command_substitution":
    case "arithmetic_expansion":
    case "process_substitution":
      return [{ kind: "node", node, quoted }];
    default:
      return partsOfSpan({ node, from: start, to: end, quoted });
  }
}

/** Expansions that the grammar has overlooked: `$IFS` in `rm$IFS-rf$IFS/`. */
const OVERLOOKED = /\\[^]|\$(?:[A-Za-z_]\w*|[@*#?$!0-9-])|\$[{(]|`/g;

function quotedParts(text: string, decode: (text: string) => string): WordPart[] {
  const parts: WordPart[] = [];
  let at = 0;
  const addText = (to: number) => {
    if (to > at) parts.push({ kind: "text", text: decode(text.slice(at, to)), quoted: true });
  };
  for (const match of text.matchAll(OVERLOOKED)) {
    if (match[0].startsWith("\\")) continue;
    addText(match.index);
    parts.push(overlooked(match[0], true));
    at = match.index + match[0].length;
  }
  addText(text.length);
  return parts;
}

function recoverExpansions(parts: readonly WordPart[]): WordPart[] {
  const recovered: WordPart[] = [];
  for (const part of parts) {
    const last = recovered.at(-1);
    if (part.kind === "text" && !part.quoted && last?.kind === "text" && !last.quoted) {
      recovered[recovered.length - 1] = { ...last, text: last.text + part.text };
    } else recovered.push(part);
  }
  return recovered.flatMap((item, index) => {
    const part = withoutDollar(item, recovered[index + 1]);
    if (part.kind !== "text" || part.quoted || !/[$`]/.test(part.text)) return [part];
    const pieces = part.text.split(/(\$(?:[A-Za-z_]\w*|[@*#?$!0-9-])|\$[{(]|`)/);
    return pieces.flatMap((text, index) => {
      if (index % 2 === 1) return [overlooked(text, false)];
      return text === "" ? [] : [{ kind: "text", text, quoted: false } as const];
    });
  });
}

/** `$1x` is `$1` and an x, though the grammar takes it for one name. */
function simpleExpansion(node: ShellNode, quoted: boolean): WordPart[] {
  const match = /^\$(?:\d|[@*#?$!-])(?=.)/.exec(textOf(node));
  if (!match) return [{ kind: "node", node, quoted }];
  const text = textOf(node).slice(match[0].length);
  return [overlooked(match[0], quoted), { kind: "text", text, quoted }];
}

/** `$"…"` is a translated string: the dollar belongs to the quotes. */
function withoutDollar(part: WordPart, next: WordPart | undefined): WordPart {
  if (part.kind !== "text" || part.quoted || !part.text.endsWith("$") || !next?.quoted) return part;
  return { ...part, text: part.text.slice(0, -1) };
}

function overlooked(text: string, quoted: boolean): WordPart {
  if (/^(?:\$[{(]|`)$/.test(text)) return { kind: "text", text: UNKNOWN_PART, quoted };
  const node = { type: "simple_expansion", field: null, start: 0, end: text.length, children: [], source: text };
  return { kind: "node", node, quoted };
}

/** Tokens and plain words are text; they come with the text around them. */
function holdsMore(node: ShellNode): boolean {
  return node.children.length > 0 || node.type === "raw_string" || node.type === "ansi_c_string";
}
