/** What is shown of one output when nothing else is said, in UTF-16 code units. */
export const DEFAULT_MAX_CHARACTERS = 30_000;

const HEAD_SHARE = 0.6;
// A cut at a line end may give up this much of its part's budget; a longer line is cut inside.
const LOWEST_USE = 0.5;

export interface LimitTextOptions {
  /** UTF-16 code units that may stay, the marker line not counted. Default 30,000. */
  readonly maxCharacters?: number;
  /** The file that holds the whole, as the reader should name it. */
  readonly wholeAt?: string;
}

export interface LimitedText {
  readonly text: string;
  readonly truncated: boolean;
  /** Lines of which at least a part is left out. */
  readonly omittedLines: number;
  readonly omittedCharacters: number;
}

/** Keeps the beginning and the end of a text that is too long, with a line between them that says what is missing. */
export function limitText(text: string, options: LimitTextOptions = {}): LimitedText {
  const maxCharacters = options.maxCharacters ?? DEFAULT_MAX_CHARACTERS;
  if (text.length <= maxCharacters) return { text, truncated: false, omittedLines: 0, omittedCharacters: 0 };
  const budget = splitBudget(maxCharacters);
  const head = cutHead(text, budget.head);
  const tail = cutTail(text.slice(head.length), budget.tail);
  const omitted = text.slice(head.length, text.length - tail.length);
  const omittedLines = countLines(omitted);
  const amount = `${countOf(omittedLines, "line")}, ${countOf(omitted.length, "character")}`;
  return {
    text: joinParts({ head, tail, marker: omissionMarker(amount, options) }),
    truncated: true,
    omittedLines,
    omittedCharacters: omitted.length,
  };
}

/** How many code units the beginning and the end get. */
export function splitBudget(maxCharacters: number): { readonly head: number; readonly tail: number } {
  const head = Math.ceil(maxCharacters * HEAD_SHARE);
  return { head, tail: maxCharacters - head };
}

/** The longest good beginning of at most `budget` code units: whole lines where they use at least half of it. */
export function cutHead(text: string, budget: number): string {
  if (text.length <= budget) return text;
  const lineEnd = budget > 0 ? text.lastIndexOf("\n", budget - 1) + 1 : 0;
  if (lineEnd > 0 && lineEnd >= budget * LOWEST_USE) return text.slice(0, lineEnd);
  return text.slice(0, splitsPair(text, budget) ? budget - 1 : budget);
}

/** The longest good end of at most `budget` code units, by the same rule. */
export function cutTail(text: string, budget: number): string {
  if (text.length <= budget) return text;
  const from = text.length - budget;
  const lineStart = text.indexOf("\n", from - 1) + 1;
  if (lineStart > 0 && text.length - lineStart >= budget * LOWEST_USE) return text.slice(lineStart);
  return text.slice(splitsPair(text, from) ? from + 1 : from);
}

/** One line on what is left out and where the whole is. */
export function omissionMarker(amount: string, whole: { readonly wholeAt?: string; readonly note?: string }): string {
  const where =
    whole.wholeAt === undefined ? "" : `; the whole is in ${whole.wholeAt}, read it by page with FileReadTool`;
  const note = whole.note === undefined ? "" : `; ${whole.note}`;
  return `[... left out: ${amount}${where}${note} ...]`;
}

/** Puts the marker on a line of its own. */
export function joinParts(parts: { readonly head: string; readonly tail: string; readonly marker: string }): string {
  const gap = parts.head === "" || parts.head.endsWith("\n") ? "" : "\n";
  return `${parts.head}${gap}${parts.marker}\n${parts.tail}`;
}

/** "1 line", "1,234 lines". */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

function countLines(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
