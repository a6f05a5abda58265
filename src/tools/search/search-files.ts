// files_with_matches and count: ripgrep's NUL-separated answers, read into one page.
import { closeSync, constants, openSync, readSync } from "node:fs";
import { rawPath, timeOf } from "./file-facts.ts";
import { foundPath } from "./found-path.ts";
import { byPath, LeadingItems, newestFirst } from "./leading-items.ts";
import { RecordSplitter } from "./record-splitter.ts";

export interface MatchingFile {
  /** Relative to the folder searched. */
  readonly path: string;
  readonly mtimeMs: number;
  /** Matching lines, or matches; in count mode only. */
  readonly count: number;
  readonly isOddName: boolean;
}

export interface FileSink {
  readonly onChunk: (chunk: Buffer) => void;
  readonly files: LeadingItems<MatchingFile>;
  /** The statistics that ripgrep ends with. */
  readonly statistics: () => string;
  readonly totalCount: () => number;
}

export interface FileSinkOptions {
  /** How many files to keep. */
  readonly keep: number;
  /** Of the file that ripgrep reads as its standard input. */
  readonly inputName?: string | undefined;
}

/** Paths, each with a NUL behind it; kept are the newest. */
export function pathSink(directory: string, { keep, inputName }: FileSinkOptions): FileSink {
  const files = new LeadingItems<MatchingFile>(keep, newestFirst);
  const splitter = new RecordSplitter(0, (record) => files.add(matchingFile(directory, record, inputName)));
  return {
    files,
    onChunk: (chunk) => {
      splitter.push(chunk);
    },
    statistics: () => splitter.rest().toString("utf8"),
    totalCount: () => 0,
  };
}

/** Path, NUL, number, line end; kept are the first by path. */
export function countSink({ keep, inputName }: FileSinkOptions): FileSink {
  const files = new LeadingItems<MatchingFile>(keep, byPath);
  let total = 0;
  let path: Buffer | undefined;
  let pending = Buffer.alloc(0);
  const read = (chunk: Buffer): void => {
    pending = Buffer.concat([pending, chunk]);
    let from = 0;
    for (;;) {
      const end = pending.indexOf(path === undefined ? 0 : 10, from);
      if (end < 0) break;
      const piece = pending.subarray(from, end);
      from = end + 1;
      if (path === undefined) path = piece;
      else {
        const count = Number(piece.toString("latin1"));
        total += count;
        files.add({ ...namedFile(path, inputName), mtimeMs: 0, count });
        path = undefined;
      }
    }
    pending = Buffer.from(pending.subarray(from));
    if (path !== undefined) path = Buffer.from(path);
  };
  return { files, onChunk: read, statistics: () => pending.toString("utf8"), totalCount: () => total };
}

/** "50000 files searched", of ripgrep's statistics. */
export function searchedFilesIn(statistics: string): number | undefined {
  const found = /^(\d+) files searched$/m.exec(statistics);
  return found ? Number(found[1]) : undefined;
}

/**
 * As ripgrep sees it: a NUL byte near the beginning, and no byte-order mark that explains it. Waits for the answer: ripgrep has
 * just read the file, and a page of them asked one after the other would take longer than the search.
 */
export function isBinaryFile(path: string, buffer: Buffer): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const bytes = buffer.subarray(0, readSync(file, buffer));
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return !isWide && bytes.includes(0);
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Bytes at the beginning of a file that tell whether it is binary. */
export const SNIFFED_BYTES = 65_536;

// ripgrep has just opened the file, so the system has its time at hand.
function matchingFile(directory: string, record: Buffer, inputName: string | undefined): MatchingFile {
  const { path, isOddName } = namedFile(record, inputName);
  return {
    path,
    mtimeMs: timeOf(isOddName ? rawPath(directory, record) : `${directory}/${path}`),
    count: 0,
    isOddName,
  };
}

function namedFile(record: Buffer, inputName: string | undefined): Pick<MatchingFile, "path" | "isOddName"> {
  const text = record.toString("utf8");
  const isOddName = text.includes("\uFFFD") && !Buffer.from(text).equals(record);
  return { path: foundPath(text, inputName), isOddName };
}
