export interface DiffLine {
  readonly sign: " " | "-" | "+";
  /** With its line end. */
  readonly text: string;
}

export interface LineDiff {
  /** What changed, with a few unchanged lines before and after. */
  readonly lines: readonly DiffLine[];
  /** 1-based number of the first of the lines, in both texts. */
  readonly firstLine: number;
  readonly added: number;
  readonly removed: number;
  /** True when the change is too large to be listed. */
  readonly omitted: boolean;
}

// Beyond these a change is shown as one block, or only counted.
const MAX_EDIT_LENGTH = 1000;
const MAX_CHARACTERS = 4 * 1024 * 1024;
const STRIDE = 64 * 1024;

/**
 * Compares two texts by line. What is the same at both ends is set aside first, so that a small change in a huge file is
 * cheap; the rest is compared by Myers' algorithm as far as that stays cheap.
 */
export async function diffLinesOf(before: string, after: string, contextLines: number): Promise<LineDiff> {
  if (before === after) return { lines: [], firstLine: 1, added: 0, removed: 0, omitted: false };
  const [old, fresh] = withLineFeeds(before, after);
  const start = startOfChange(old, fresh);
  const tail = endOfChange(old, fresh, start);
  const [oldPart, newPart] = [old.slice(start, old.length - tail), fresh.slice(start, fresh.length - tail)];
  if (oldPart.length + newPart.length > MAX_CHARACTERS) {
    return { lines: [], firstLine: 1, added: countLines(newPart), removed: countLines(oldPart), omitted: true };
  }
  const changed = await compare(splitLines(oldPart), splitLines(newPart));
  const lead = lastLines(old.slice(0, start), contextLines);
  const trail = firstLines(old.slice(old.length - tail), contextLines);
  return {
    lines: [...lead.map(same), ...changed, ...trail.map(same)],
    firstLine: countLines(old.slice(0, start)) - lead.length + 1,
    added: changed.filter(({ sign }) => sign === "+").length,
    removed: changed.filter(({ sign }) => sign === "-").length,
    omitted: false,
  };
}

export function isChange({ sign }: DiffLine): boolean {
  return sign !== " ";
}

async function compare(old: string[], fresh: string[]): Promise<DiffLine[]> {
  const block = () => [
    ...old.map((text): DiffLine => ({ sign: "-", text })),
    ...fresh.map((text): DiffLine => ({ sign: "+", text })),
  ];
  if (old.length === 0 || fresh.length === 0) return block();
  const { diffArrays } = await import("diff");
  const changes = diffArrays(old, fresh, { maxEditLength: MAX_EDIT_LENGTH });
  if (!changes) return block();
  return changes.flatMap(({ value, added, removed }) => {
    const sign = added ? "+" : removed ? "-" : " ";
    return value.map((text): DiffLine => ({ sign, text }));
  });
}

/** Length of the common beginning, back to the start of a line. */
function startOfChange(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let same = 0;
  while (same + STRIDE <= limit && a.slice(same, same + STRIDE) === b.slice(same, same + STRIDE)) same += STRIDE;
  while (same < limit && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  return same === 0 ? 0 : a.lastIndexOf("\n", same - 1) + 1;
}

/** Length of the common end behind `start`, from the start of a line on. */
function endOfChange(a: string, b: string, start: number): number {
  const limit = Math.min(a.length, b.length) - start;
  let same = 0;
  const slice = (text: string) => text.slice(text.length - same - STRIDE, text.length - same);
  while (same + STRIDE <= limit && slice(a) === slice(b)) same += STRIDE;
  while (same < limit && a.charCodeAt(a.length - same - 1) === b.charCodeAt(b.length - same - 1)) same++;
  if (startsLine(a, a.length - same) && startsLine(b, b.length - same)) return same;
  const next = a.indexOf("\n", a.length - same);
  return next === -1 ? 0 : a.length - next - 1;
}

function startsLine(text: string, place: number): boolean {
  return place === 0 || text[place - 1] === "\n";
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Lines of a text; a last one without a line feed counts. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines + (text === "" || text.endsWith("\n") ? 0 : 1);
}

function lastLines(text: string, count: number): string[] {
  let from = text.length;
  for (let lines = 0; lines < count && from > 0; lines++) from = from >= 2 ? text.lastIndexOf("\n", from - 2) + 1 : 0;
  return splitLines(text.slice(from));
}

function firstLines(text: string, count: number): string[] {
  let to = 0;
  for (let lines = 0; lines < count && to < text.length; lines++) {
    const end = text.indexOf("\n", to);
    to = end === -1 ? text.length : end + 1;
  }
  return splitLines(text.slice(0, to));
}

/** Texts whose lines end with CR alone are compared as if with LF. */
function withLineFeeds(a: string, b: string): [string, string] {
  const old = !a.includes("\n") && !b.includes("\n") && (a.includes("\r") || b.includes("\r"));
  return old ? [a.replaceAll("\r", "\n"), b.replaceAll("\r", "\n")] : [a, b];
}

function same(text: string): DiffLine {
  return { sign: " ", text };
}
