// From a word in the tree to every list of arguments that it may become.
import { type WordPart, expandBraces } from "./shell-braces.ts";
import { expandParameter } from "./shell-parameters.ts";
import { type ShellNode, textOf } from "./shell-parser.ts";
import { partsOfWord } from "./shell-parts.ts";
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

type OpenExpansion = (Fragment | typeof WORD_BREAK)[];

interface Spread {
  readonly quoted: boolean;
  readonly isList: boolean;
}

const UNKNOWN_WORDS: Expansion = [{ text: undefined, quoted: false, isMany: true }];

/** Every possible expansion of adjacent nodes that form one word. */
export function expandWord(nodes: readonly ShellNode[], scope: ExpansionScope): readonly Expansion[] {
  return expandParts(partsOfWord(nodes), scope);
}

/** As {@link expandWord} where nothing is split and braces mean nothing: assignments and here-strings. */
export function expandText(nodes: readonly ShellNode[], scope: ExpansionScope): readonly Expansion[] {
  const parts = withTilde(partsOfWord(nodes), scope.state);
  return expandQuoted(parts.map(asQuoted), scope);
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

function asQuoted(part: WordPart): WordPart {
  return part.kind === "node" ? { kind: "node", node: part.node, quoted: true } : part;
}

function withTilde(parts: readonly WordPart[], state: ShellState): readonly WordPart[] {
  const [first, ...rest] = parts;
  if (first?.kind !== "text" || first.quoted) return parts;
  const match = /^~([+-]|\w[\w.-]*|)(\/[^]*)?$/.exec(first.text);
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
    return bindings.map(({ items, expansion }) => {
      if (expansion && !quoted) return splitBare(expansion, scope.state);
      return expansionOf(items, { quoted, isList }, scope.state);
    });
  }
  if (node.type === "arithmetic_expansion") {
    scope.visit(node);
    const literal = /^\$(?:\(\(|\[)\s*(\d+)\s*(?:\)\)|\])$/.exec(textOf(node))?.[1];
    return [[{ text: literal, quoted: true, mayBeEmpty: false }]];
  }
  return scope.substitute(node).map((item) => expansionOf([item], { quoted, isList: false }, scope.state));
}

function expansionOf(items: readonly BoundItem[], as: Spread, state: ShellState): Expansion {
  const expansion: OpenExpansion = [];
  for (const [index, item] of items.entries()) {
    state.spend(1 + (item.text?.length ?? 0) / 50);
    if (index > 0) expansion.push(as.isList || !as.quoted ? WORD_BREAK : { text: " ", quoted: true });
    if (as.quoted) expansion.push(...quotedItem(item, as.isList));
    else expansion.push(...splitFields(item, state));
  }
  if (items.length === 0 && !as.isList) expansion.push({ text: "", quoted: as.quoted });
  return expansion;
}

function quotedItem({ text, mayBeEmpty, isPattern = false, isMany = false }: BoundItem, isList: boolean): Fragment[] {
  if (text === undefined) return [{ text, quoted: true, mayBeEmpty, isMany: isList }];
  const fragments = fragmentsOf(text, true);
  if (!isPattern && !isMany) return fragments;
  return fragments.map((fragment) => Object.assign(fragment, { isPattern, isMany: isMany && isList }));
}

/** A word that stands in for a variable keeps its own quotes; what is bare in it is split. */
function splitBare(expansion: Expansion, state: ShellState): Expansion {
  return expansion.flatMap((item) => {
    if (item === WORD_BREAK || item.quoted || item.text === undefined) return [item];
    return splitFields({ text: item.text, mayBeEmpty: false }, state);
  });
}

/** Word splitting of an unquoted expansion, by the separators in force. */
function splitFields({ text, mayBeEmpty }: BoundItem, state: ShellState): Expansion {
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
