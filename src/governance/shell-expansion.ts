// From a word in the tree to every list of arguments that it may become.
import { type WordPart, expandBraces } from "./shell-braces.ts";
import { expandParameter } from "./shell-parameters.ts";
import { type ShellNode, textOf } from "./shell-parser.ts";
import { decodeAnsiC, decodeDoubleQuoted, splitEscapes } from "./shell-quoting.ts";
import type { BoundItem, ShellState } from "./shell-state.ts";
import {
  type Expansion,
  type Fragment,
  MAX_POSSIBILITIES,
  UNKNOWN_PART,
  WORD_BREAK,
  fragmentsOf,
} from "./shell-value.ts";

/** What expanding a word needs from the walk around it. */
export interface ExpansionScope {
  readonly state: ShellState;
  /** Walks a command or process substitution; what it may print. */
  substitute(node: ShellNode): readonly BoundItem[];
  /** Walks whatever else runs inside a node (arithmetic, array indices). */
  visit(node: ShellNode): void;
}

/** A stretch of one node's source, as quoted text or not. */
export interface SourceSpan {
  readonly node: ShellNode;
  readonly from: number;
  readonly to: number;
  readonly quoted: boolean;
}

type OpenExpansion = (Fragment | typeof WORD_BREAK)[];

const UNKNOWN_WORDS: Expansion = [{ text: undefined, quoted: false, isMany: true }];

/** Every possible expansion of adjacent nodes that form one word. */
export function expandWord(nodes: readonly ShellNode[], scope: ExpansionScope): readonly Expansion[] {
  const parts = nodes.flatMap((node, index) => (isDollarBeforeQuote(nodes, index) ? [] : partsOf(node, false)));
  return expandParts(recoverExpansions(parts), scope);
}

/** Every possible expansion of the parts of one word, braces and tilde included. */
export function expandParts(parts: readonly WordPart[], scope: ExpansionScope): readonly Expansion[] {
  const words = expandBraces(parts);
  if (!words) {
    for (const part of parts) if (part.kind === "node") expandNode(part.node, part.quoted, scope);
    return [UNKNOWN_WORDS];
  }
  let all: OpenExpansion[] = [[]];
  for (const [index, word] of words.entries()) {
    const between: Expansion = index > 0 ? [WORD_BREAK] : [];
    all = product(all, expandQuoted(withTilde(word, scope.state), scope), between);
  }
  return all;
}

/** As {@link expandParts}, where braces and tildes mean nothing: strings and here-documents. */
export function expandQuoted(parts: readonly WordPart[], scope: ExpansionScope): readonly Expansion[] {
  let all: OpenExpansion[] = [[]];
  for (const part of parts) {
    const isNode = part.kind === "node";
    const next = isNode ? expandNode(part.node, part.quoted, scope) : [fragmentsOf(part.text, part.quoted)];
    all = product(all, next, []);
  }
  return all;
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
    else parts.push(...splitEscapes(text).map((run) => ({ kind: "text" as const, ...run })));
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
      return [
        { kind: "text", text: "", quoted: true },
        ...partsOfSpan({ node, from: start + 1, to: end - 1, quoted: true }),
      ];
    case "translated_string":
      return node.children.flatMap((child) => (child.type === "string" ? partsOf(child, quoted) : []));
    case "simple_expansion":
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
  return recovered.flatMap((part) => {
    if (part.kind !== "text" || part.quoted || !/[$`]/.test(part.text)) return [part];
    const pieces = part.text.split(/(\$(?:[A-Za-z_]\w*|[@*#?$!0-9-])|\$[{(]|`)/);
    return pieces.flatMap((text, index) => {
      if (index % 2 === 1) return [overlooked(text, false)];
      return text === "" ? [] : [{ kind: "text", text, quoted: false } as const];
    });
  });
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

function isDollarBeforeQuote(nodes: readonly ShellNode[], index: number): boolean {
  return textOf(nodes[index]!) === "$" && nodes[index + 1]?.type === "string";
}

function withTilde(parts: readonly WordPart[], state: ShellState): readonly WordPart[] {
  const [first, ...rest] = parts;
  if (first?.kind !== "text" || first.quoted) return parts;
  const match = /^~([\w.+-]*)(\/[^]*)?$/.exec(first.text);
  if (!match || (match[2] === undefined && rest.length > 0)) return parts;
  const home = homeOf(match[1]!, state);
  if (home === undefined) return parts;
  const opened: WordPart[] = [{ kind: "text", text: home, quoted: true }];
  if (match[2] !== undefined) opened.push({ ...first, text: match[2] });
  return [...opened, ...rest];
}

/** Other users' homes are where nearly every system has them. */
function homeOf(user: string, state: ShellState): string | undefined {
  const variable = { "": "HOME", "+": "PWD", "-": "OLDPWD" }[user];
  if (variable === undefined) return user === "root" ? "/root" : `/home/${user}`;
  const [binding, ...others] = state.variable(variable);
  return others.length === 0 ? binding?.items[0]?.text : undefined;
}

function expandNode(node: ShellNode, quoted: boolean, scope: ExpansionScope): readonly Expansion[] {
  if (node.type === "simple_expansion" || node.type === "expansion") {
    const { bindings, isList } = expandParameter(node, quoted, scope);
    return bindings.map(({ items }) => expansionOf(items, { quoted, isList }, scope.state));
  }
  if (node.type === "arithmetic_expansion") {
    scope.visit(node);
    const literal = /^\$(?:\(\(|\[)\s*(\d+)\s*(?:\)\)|\])$/.exec(textOf(node))?.[1];
    return [[{ text: literal, quoted: true, mayBeEmpty: false }]];
  }
  return scope.substitute(node).map((item) => expansionOf([item], { quoted, isList: false }, scope.state));
}

function expansionOf(
  items: readonly BoundItem[],
  as: { readonly quoted: boolean; readonly isList: boolean },
  state: ShellState,
): Expansion {
  const expansion: OpenExpansion = [];
  for (const [index, { text, mayBeEmpty }] of items.entries()) {
    state.spend(1 + (text?.length ?? 0) / 50);
    if (index > 0) expansion.push(as.isList || !as.quoted ? WORD_BREAK : { text: " ", quoted: true });
    if (!as.quoted) expansion.push(...splitFields(text, mayBeEmpty, state));
    else if (text !== undefined) expansion.push(...fragmentsOf(text, true));
    else expansion.push({ text, quoted: true, mayBeEmpty, isMany: as.isList });
  }
  if (items.length === 0 && !as.isList) expansion.push({ text: "", quoted: as.quoted });
  return expansion;
}

/** Word splitting of an unquoted expansion, by the separators in force. */
function splitFields(text: string | undefined, mayBeEmpty: boolean, state: ShellState): Expansion {
  const [separators, ...others] = state.variable("IFS");
  const known = separators?.items[0]?.text ?? (separators?.items.length === 0 ? " \t\n" : undefined);
  if (text === undefined || known === undefined || others.length > 0) {
    return [{ text: undefined, quoted: false, mayBeEmpty, isMany: true }];
  }
  const pieces: OpenExpansion = [];
  let field = "";
  for (const character of text) {
    if (character === UNKNOWN_PART) {
      if (field !== "") pieces.push({ text: field, quoted: false });
      pieces.push({ text: undefined, quoted: false, isMany: true });
      field = "";
    } else if (!known.includes(character)) field += character;
    else {
      if (field !== "") pieces.push({ text: field, quoted: false });
      if (pieces.at(-1) !== WORD_BREAK) pieces.push(WORD_BREAK);
      field = "";
    }
  }
  if (field !== "") pieces.push({ text: field, quoted: false });
  return pieces;
}

/** Every one of `first` followed by every one of `second`. Takes `first` over. */
function product(first: OpenExpansion[], second: readonly Expansion[], between: Expansion): OpenExpansion[] {
  const [only] = second;
  if (only && second.length === 1) {
    for (const expansion of first) {
      for (const item of between) expansion.push(item);
      for (const item of only) expansion.push(item);
    }
    return first;
  }
  if (first.length * second.length > MAX_POSSIBILITIES) return [[...UNKNOWN_WORDS]];
  return first.flatMap((a) => second.map((b) => [...a, ...between, ...b]));
}
