import { evenQuotes } from "./text-differences.ts";

/** Lines of a file: the 0-based first one, and how many. */
export interface LineRange {
  readonly first: number;
  readonly count: number;
}

// Bounds on the work for texts that repeat themselves: comparisons in all, and places remembered for equal lines.
const MAX_COMPARISONS = 5_000_000;
const MAX_PLACES_OF_LINE = 8;
// A single line counts as near when it has more than this part of the wanted one's words.
const MIN_SHARED_WORDS = 0.5;
const MAX_WORDS = 200;
const MIN_VOTED_SHARE = 0.3;

/** A line without what the eye may overlook: blanks, case, kinds of quotes and dashes. */
export function foldLine(line: string): string {
  const plain = /^[\u0020-\u007e\t]*$/.test(line) ? line : foldForeign(line);
  return plain.trim().toLowerCase().replaceAll(/\s+/g, " ").replaceAll("`", "'");
}

/** The first place whose folded lines are the wanted ones; the first and the last may be parts of theirs. */
export function sameButForLooks(lines: readonly string[], wanted: readonly string[]): LineRange | undefined {
  const [first, last] = [wanted[0]!, wanted.at(-1)!];
  if (wanted.every((line) => line === "")) return undefined;
  if (wanted.length === 1) {
    const index = lines.findIndex((line) => line.includes(first));
    return index === -1 ? undefined : { first: index, count: 1 };
  }
  let comparisons = 0;
  for (let start = 0; start + wanted.length <= lines.length && comparisons < MAX_COMPARISONS; start++) {
    if (!lines[start]!.endsWith(first)) continue;
    let index = 1;
    while (index < wanted.length - 1 && lines[start + index] === wanted[index]) index++;
    comparisons += index;
    if (index === wanted.length - 1 && lines[start + index]!.startsWith(last))
      return { first: start, count: wanted.length };
  }
  return undefined;
}

/** The place that has most of the wanted lines in their order, or else the line that shares most words with one of them. */
export function nearestPlace(lines: readonly string[], wanted: readonly string[]): LineRange | undefined {
  return placeByVotes(lines, wanted) ?? placeByWords(lines, wanted);
}

/** Every line that is equal to a wanted one votes for where the wanted text would begin; longer lines weigh more. */
function placeByVotes(lines: readonly string[], wanted: readonly string[]): LineRange | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    const known = places.get(line) ?? [];
    if (line !== "" && known.length < MAX_PLACES_OF_LINE) places.set(line, [...known, index]);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    for (const at of places.get(line) ?? []) votes.set(index - at, (votes.get(index - at) ?? 0) + line.length);
  }
  const enough = wanted.reduce((sum, line) => sum + line.length, 0) * MIN_VOTED_SHARE;
  let best: { start: number; weight: number } | undefined;
  for (const [start, weight] of votes) {
    if (weight >= enough && weight > (best?.weight ?? 0)) best = { start, weight };
  }
  return best && clip({ first: best.start, count: wanted.length }, lines.length);
}

function placeByWords(lines: readonly string[], wanted: readonly string[]): LineRange | undefined {
  const longest = wanted.reduce((best, line, index) => (line.length > wanted[best]!.length ? index : best), 0);
  const words = wordsOf(wanted[longest]!);
  if (words.size === 0) return undefined;
  let best = { index: -1, share: MIN_SHARED_WORDS };
  for (const [index, line] of lines.entries()) {
    if (line.length < wanted[longest]!.length / 3) continue;
    const share = sharedWords(words, wordsOf(line));
    if (share > best.share) best = { index, share };
  }
  if (best.index === -1) return undefined;
  return clip({ first: best.index - longest, count: wanted.length }, lines.length);
}

function clip({ first, count }: LineRange, total: number): LineRange {
  const start = Math.max(0, first);
  return { first: start, count: Math.max(1, Math.min(first + count, total) - start) };
}

function wordsOf(line: string): Set<string> {
  return new Set(
    line
      .slice(0, 4000)
      .match(/[\p{L}\p{N}_]+/gu)
      ?.slice(0, MAX_WORDS),
  );
}

/** The part of the wanted words that a line has; among equals the shorter line is nearer. */
function sharedWords(wanted: ReadonlySet<string>, line: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of line) if (wanted.has(word)) shared++;
  return shared / wanted.size + shared / (100 * (wanted.size + line.size));
}

function foldForeign(line: string): string {
  const visible = line.replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/gu, "").normalize("NFC");
  return evenQuotes(visible).replaceAll(/[\u2010-\u2015\u2212]/gu, "-");
}
