// Brace expansion: `{rm,-rf,/}` and `{1..3}`, which bash does before it looks at anything else in a word.
import type { ShellNode } from "./shell-parser.ts";

/** A piece of a word before expansion: literal text, or a node still to be expanded. */
export type WordPart =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | { readonly kind: "node"; readonly node: ShellNode; readonly quoted: boolean };

const MAX_WORDS = 256;
const MAX_PIECES = 512;

/** The words that one word becomes. Undefined when there would be too many. */
export function expandBraces(parts: readonly WordPart[]): WordPart[][] | undefined {
  if (!parts.some((part) => isUnquotedText(part) && part.text.includes("{"))) return [[...parts]];
  const pieces = parts.flatMap(cutAtBraces);
  if (pieces.length > MAX_PIECES) return undefined;
  return expandPieces(pieces);
}

function cutAtBraces(part: WordPart): WordPart[] {
  if (!isUnquotedText(part)) return [part];
  return part.text.split(/([{},])/).flatMap((text) => (text === "" ? [] : [{ ...part, text }]));
}

function isUnquotedText(part: WordPart): part is WordPart & { kind: "text" } {
  return part.kind === "text" && !part.quoted;
}

function isMark(part: WordPart | undefined, mark: string): boolean {
  return part !== undefined && isUnquotedText(part) && part.text === mark;
}

function expandPieces(pieces: readonly WordPart[]): WordPart[][] | undefined {
  for (let open = 0; open < pieces.length; open++) {
    if (!isMark(pieces[open], "{")) continue;
    const close = closingBrace(pieces, open);
    if (close === undefined) continue;
    const choices = choicesOf(pieces.slice(open + 1, close));
    if (!choices) continue;
    const tails = expandPieces(pieces.slice(close + 1));
    const middles = choices.map(expandPieces);
    if (!tails || middles.includes(undefined)) return undefined;
    const heads = (middles as WordPart[][][]).flat();
    if (heads.length * tails.length > MAX_WORDS) return undefined;
    const before = pieces.slice(0, open);
    return heads.flatMap((head) => tails.map((tail) => before.concat(head, tail)));
  }
  return [[...pieces]];
}

function closingBrace(pieces: readonly WordPart[], open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < pieces.length; at++) {
    if (isMark(pieces[at], "{")) depth++;
    if (isMark(pieces[at], "}") && --depth === 0) return at;
  }
  return undefined;
}

function choicesOf(body: readonly WordPart[]): WordPart[][] | undefined {
  const choices: WordPart[][] = [[]];
  let depth = 0;
  for (const piece of body) {
    if (isMark(piece, "{")) depth++;
    if (isMark(piece, "}")) depth--;
    if (depth === 0 && isMark(piece, ",")) choices.push([]);
    else choices.at(-1)!.push(piece);
  }
  if (choices.length > 1) return choices;
  const [only] = body;
  return body.length === 1 && only && isUnquotedText(only) ? sequence(only.text) : undefined;
}

/** `1..3`, `a..e`, `1..9..2`; too long a sequence is no choice at all and stays as it is. */
function sequence(text: string): WordPart[][] | undefined {
  const match = /^(?:(-?\d+)\.\.(-?\d+)|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, from, to, firstLetter, lastLetter, by] = match;
  const start = firstLetter === undefined ? Number(from) : firstLetter.charCodeAt(0);
  const end = lastLetter === undefined ? Number(to) : lastLetter.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const count = Math.floor(Math.abs(end - start) / step) + 1;
  if (count > MAX_WORDS) return undefined;
  const direction = end < start ? -step : step;
  return Array.from({ length: count }, (_, index) => {
    const value = start + index * direction;
    const choice = firstLetter === undefined ? String(value) : String.fromCharCode(value);
    return [{ kind: "text", text: choice, quoted: false }];
  });
}
