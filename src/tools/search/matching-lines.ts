// ripgrep's JSON lines (its `--json`), read into one page of text in constant memory.
import type { CutEnd } from "./record-splitter.ts";
import { cutLine } from "./cut-line.ts";
import { foundPath } from "./found-path.ts";
import { byPath } from "./leading-items.ts";
import { Tally } from "./tally.ts";

export interface ShownLine {
  readonly path: string;
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
  /** Lines of the file between this and the one before are not shown. */
  readonly isAfterGap: boolean;
}

export interface MatchingLinesOptions {
  /** Lines that a page may reach to. */
  readonly keep: number;
  readonly onlyMatching: boolean;
  readonly multiline: boolean;
  /** Of the file that ripgrep reads as its standard input. */
  readonly inputName?: string | undefined;
}

interface FileLines {
  readonly path: string;
  readonly lines: ShownLine[];
  /** False: only counted, because the pages end before this file. */
  readonly isKept: boolean;
  contextLines: number;
  lineCount: number;
  matchCount: number;
  lastNumber: number;
  badBytes: number;
  cutLines: number;
}

type RawText = { readonly text: string } | { readonly bytes: string };

interface RawSubmatch {
  readonly match: RawText;
  readonly start: number;
}

interface RawLines {
  readonly lines: RawText;
  readonly line_number: number;
  readonly submatches: readonly RawSubmatch[];
}

interface RawEnd {
  readonly binary_offset: number | null;
  readonly stats: { readonly matched_lines: number; readonly matches: number };
}

const SLACK_LINES = 5_000;
// Every record begins with {"type":" and its type, but the summary, which begins with {"data":{ and an e.
const TYPE_AT = '{"type":"'.length;
const MATCH = "m".codePointAt(0);
const CONTEXT = "c".codePointAt(0);

export class MatchingLines {
  readonly binaryFiles = new Tally();
  readonly latinLines = new Tally();
  readonly cutLines = new Tally();
  totalLines = 0;
  totalMatches = 0;
  totalFiles = 0;
  /** Files that were looked into; undefined until the end. */
  searchedFiles: number | undefined;
  readonly #options: MatchingLinesOptions;
  #files: FileLines[] = [];
  #keptLines = 0;
  /** Files beyond it are on no page. */
  #lastPath: string | undefined;
  #open: FileLines | undefined;

  constructor(options: MatchingLinesOptions) {
    this.#options = options;
  }

  push(record: Buffer, cutEnd: CutEnd): void {
    const file = this.#open;
    const isMatch = record[TYPE_AT] === MATCH;
    if (isMatch || record[TYPE_AT] === CONTEXT) {
      if (!file) return;
      if (!isMatch) file.contextLines += 1;
      // What is only counted has its counts at its end.
      if (file.isKept) this.#takeLines(file, cutEnd ? rawOfCut(cutEnd) : linesIn(record), isMatch);
      return;
    }
    const { type, data } = JSON.parse(record.toString("utf8")) as { type: string; data: unknown };
    if (type === "begin") this.#begin(pathOf((data as { path: RawText }).path, this.#options.inputName));
    if (type === "end" && file) this.#end(file, data as RawEnd);
    if (type === "summary") this.searchedFiles = (data as { stats: { searches: number } }).stats.searches;
  }

  /** The lines from `offset` on, in the order of path and line. */
  page(offset: number, limit: number): readonly ShownLine[] {
    this.#settle();
    return this.#files
      .sort(byPath)
      .flatMap((file) => file.lines)
      .slice(offset, offset + limit);
  }

  /** A search that was ended in the middle of a file has what came of it. */
  #settle(): void {
    const file = this.#open;
    if (file)
      this.#end(file, { binary_offset: null, stats: { matched_lines: file.lineCount, matches: file.matchCount } });
  }

  #begin(path: string): void {
    const isKept = this.#options.multiline || this.#lastPath === undefined || path < this.#lastPath;
    const counts = { contextLines: 0, lineCount: 0, matchCount: 0, lastNumber: -1, badBytes: 0, cutLines: 0 };
    this.#open = { path, lines: [], isKept, ...counts };
  }

  #end(file: FileLines, end: RawEnd): void {
    this.#open = undefined;
    if (end.binary_offset !== null) return this.binaryFiles.add(file.path);
    const { matched_lines: matchedLines, matches } = end.stats;
    const counted = this.#options.onlyMatching ? matches : matchedLines + file.contextLines;
    this.totalFiles += 1;
    this.totalLines += file.isKept ? file.lineCount : counted;
    this.totalMatches += matches;
    if (file.badBytes > 0) this.latinLines.add(file.path);
    if (file.cutLines > 0) this.cutLines.add(file.path);
    if (file.lines.length === 0) return;
    this.#files.push(file);
    this.#keptLines += file.lines.length;
    if (this.#keptLines > this.#options.keep * 2 + SLACK_LINES) this.#drop();
  }

  #drop(): void {
    const { keep } = this.#options;
    let lines = 0;
    this.#files = this.#files.sort(byPath).filter((file) => {
      const isReached = lines < keep;
      if (isReached) lines += file.lines.length;
      return isReached;
    });
    this.#keptLines = lines;
    this.#lastPath = this.#files.at(-1)?.path;
  }

  #takeLines(file: FileLines, raw: RawLines, isMatch: boolean): void {
    file.matchCount += raw.submatches.length;
    if (!isMatch && this.#options.onlyMatching) return;
    if ("bytes" in raw.lines) file.badBytes += 1;
    for (const { text, number, matchStart } of linesOf(raw, this.#options.onlyMatching && isMatch)) {
      const isAfterGap = number > file.lastNumber + 1;
      file.lastNumber = number;
      file.lineCount += 1;
      if (file.lines.length >= this.#options.keep) continue;
      const cut = cutLine(text, matchStart);
      if (cut.isCut) file.cutLines += 1;
      file.lines.push({ path: file.path, number, text: cut.text, isMatch, isAfterGap });
    }
  }
}

interface PlainLine {
  readonly text: string;
  readonly number: number;
  /** Where a match begins, in characters; 0 when none does. */
  readonly matchStart: number;
}

function linesOf(raw: RawLines, onlyMatching: boolean): readonly PlainLine[] {
  if (onlyMatching) {
    const bytes = bytesOf(raw.lines);
    return raw.submatches.flatMap(({ match, start }) => {
      const first = raw.line_number + lineFeedsIn(bytes.subarray(0, start));
      return split(textOf(match)).map((text, index) => ({ text, number: first + index, matchStart: 0 }));
    });
  }
  const starts = matchStarts(raw);
  let from = 0;
  return split(textOf(raw.lines)).map((text, index) => {
    const begin = from;
    from += text.length + 1;
    const start = starts.find((place) => place >= begin && place < from);
    return { text: text.replace(/\r$/, ""), number: raw.line_number + index, matchStart: (start ?? begin) - begin };
  });
}

/** Where matches begin, in characters of the text; ripgrep counts bytes. */
function matchStarts(raw: RawLines): readonly number[] {
  const first = raw.submatches.slice(0, 1).map((submatch) => submatch.start);
  const isMultiline = !("bytes" in raw.lines) && raw.lines.text.indexOf("\n") < raw.lines.text.length - 1;
  const starts = isMultiline ? raw.submatches.map((submatch) => submatch.start) : first;
  if ("bytes" in raw.lines || starts.length === 0) return starts;
  const bytes = Buffer.from(raw.lines.text);
  return starts.map((start) => bytes.subarray(0, start).toString("utf8").length);
}

function split(text: string): string[] {
  const lines = text.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

function lineFeedsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

function linesIn(record: Buffer): RawLines {
  return (JSON.parse(record.toString("utf8")) as { data: RawLines }).data;
}

/**
 * What can be told of a record above 4 MiB: the line's number and the match itself, which stand at its end. The number
 * is 0 when so many matches follow it that it is lost.
 */
function rawOfCut(end: Buffer): RawLines {
  const found = /"line_number":(\d+),"absolute_offset":\d+,"submatches":(\[.*\])\}\}$/.exec(end.toString("utf8"));
  const submatches = JSON.parse(found?.[2] ?? "[]") as RawSubmatch[];
  const match = submatches[0] ? textOf(submatches[0].match) : "";
  const text = `[… a line of more than 4 MiB …]${match}[…]`;
  return { lines: { text }, line_number: Number(found?.[1] ?? 0), submatches };
}

/** What is no UTF-8 is read as Latin-1. */
function textOf(raw: RawText): string {
  return "text" in raw ? raw.text : Buffer.from(raw.bytes, "base64").toString("latin1");
}

function pathOf(raw: RawText, inputName: string | undefined): string {
  return foundPath(bytesOf(raw).toString("utf8"), inputName);
}

function bytesOf(raw: RawText): Buffer {
  return "text" in raw ? Buffer.from(raw.text) : Buffer.from(raw.bytes, "base64");
}
