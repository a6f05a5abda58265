import { diffLinesOf, type DiffLine, isChange } from "./line-diff.ts";

/** A part of a unified diff; line numbers are 1-based, 0 for a side that has no line. */
export interface DiffHunk {
  readonly old_start: number;
  readonly old_lines: number;
  readonly new_start: number;
  readonly new_lines: number;
  /** Each begins with a blank, `-` or `+`. */
  readonly lines: readonly string[];
}

export interface ShortDiff {
  /** Unified diff without file names; empty when nothing differs. */
  readonly text: string;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
  /** True when `text` and `hunks` show only the first changes. */
  readonly truncated: boolean;
}

export interface DiffLimits {
  /** Lines of all hunks together. */
  readonly maxLines: number;
  /** Characters of one line. */
  readonly maxLineCharacters: number;
}

const DEFAULT_LIMITS: DiffLimits = { maxLines: 80, maxLineCharacters: 300 };
const CONTEXT_LINES = 3;

/** The difference of two texts for an answer: bounded in length and in work, whatever the texts are. */
export async function shortDiff(
  before: string,
  after: string,
  limits: DiffLimits = DEFAULT_LIMITS,
): Promise<ShortDiff> {
  const { lines, firstLine, added, removed, omitted } = await diffLinesOf(before, after, CONTEXT_LINES);
  const all = toHunks(lines, firstLine);
  const { hunks, cut } = limit(all, limits.maxLines);
  const shown = hunks.map((hunk) => render(hunk, limits.maxLineCharacters));
  const truncated = cut || omitted;
  const more = truncated ? [`(cut: in all ${added} lines added, ${removed} removed)`] : [];
  const text = [...shown.map((hunk) => [header(hunk), ...hunk.lines].join("\n")), ...more].join("\n");
  return { text, added, removed, hunks: shown, truncated };
}

interface RawHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

/** Changes that lie near each other go into one hunk, with the unchanged lines around them. */
function toHunks(lines: readonly DiffLine[], firstLine: number): RawHunk[] {
  const hunks: RawHunk[] = [];
  let [oldLine, newLine] = [firstLine, firstLine];
  let current: { oldStart: number; newStart: number; lines: DiffLine[] } | undefined;
  for (const [index, line] of lines.entries()) {
    const near = isChange(line) || changeAround(lines, index);
    if (near) {
      current ??= { oldStart: oldLine, newStart: newLine, lines: [] };
      current.lines.push(line);
    } else if (current) {
      hunks.push(current);
      current = undefined;
    }
    if (line.sign !== "+") oldLine++;
    if (line.sign !== "-") newLine++;
  }
  if (current) hunks.push(current);
  return hunks;
}

function changeAround(lines: readonly DiffLine[], index: number): boolean {
  for (let at = Math.max(0, index - CONTEXT_LINES); at <= index + CONTEXT_LINES; at++) {
    const line = lines[at];
    if (line && isChange(line)) return true;
  }
  return false;
}

function limit(hunks: readonly RawHunk[], maxLines: number): { readonly hunks: RawHunk[]; readonly cut: boolean } {
  const kept: RawHunk[] = [];
  let room = maxLines;
  for (const hunk of hunks) {
    if (room <= 0) return { hunks: kept, cut: true };
    kept.push({ ...hunk, lines: hunk.lines.slice(0, room) });
    if (hunk.lines.length > room) return { hunks: kept, cut: true };
    room -= hunk.lines.length;
  }
  return { hunks: kept, cut: false };
}

function render({ oldStart, newStart, lines }: RawHunk, maxCharacters: number): DiffHunk {
  const oldLines = lines.filter(({ sign }) => sign !== "+").length;
  const newLines = lines.filter(({ sign }) => sign !== "-").length;
  const marked = onlyLineEndsDiffer(lines);
  return {
    old_start: oldLines === 0 ? oldStart - 1 : oldStart,
    old_lines: oldLines,
    new_start: newLines === 0 ? newStart - 1 : newStart,
    new_lines: newLines,
    lines: lines.flatMap((line) => renderLine(line, { marked, maxCharacters })),
  };
}

function renderLine(
  { sign, text }: DiffLine,
  how: { readonly marked: boolean; readonly maxCharacters: number },
): string[] {
  const bare = text.replace(/\r?\n$/, "");
  const cut = bare.length > how.maxCharacters ? `${bare.slice(0, how.maxCharacters).toWellFormed()}…` : bare;
  const mark = how.marked && text.endsWith("\r\n") ? "␍" : "";
  const end = text.endsWith("\n") ? [] : ["\\ No newline at end of file"];
  return [`${sign}${cut}${mark}`, ...end];
}

/** True when some line was changed in nothing but its end, which would not be seen. */
function onlyLineEndsDiffer(lines: readonly DiffLine[]): boolean {
  const bare = (wanted: DiffLine["sign"]) =>
    lines.filter(({ sign }) => sign === wanted).map(({ text }) => text.trimEnd());
  const removed = new Set(bare("-"));
  return bare("+").some((text) => removed.has(text));
}

function header({ old_start, old_lines, new_start, new_lines }: DiffHunk): string {
  return `@@ -${old_start},${old_lines} +${new_start},${new_lines} @@`;
}
