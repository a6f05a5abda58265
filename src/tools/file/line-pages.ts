import type { OpenFile } from "../../core/open-file.ts";
import { chunksFrom, lineParts, type LineSource } from "./line-source.ts";
import { LineWindow, type PageLine } from "./line-window.ts";
import { skipLines } from "./skip-lines.ts";
import { findTail } from "./tail-lines.ts";
import type { TextEncoding } from "./text-encoding.ts";
import { inspectText, type LineEndings, type TextFile } from "./text-file.ts";

export interface PageRequest {
  /** 1-based first line; 0 means 1; -N means the last N lines. */
  readonly offset: number;
  readonly limit: number;
  /** Reads on inside line `offset` from this character on (0-based), and only that line. */
  readonly characterOffset?: number;
  /** A longer line is cut after so many characters. */
  readonly maxLineCharacters: number;
  /** The page ends with the line that reaches so many characters. */
  readonly maxCharacters: number;
  readonly signal?: AbortSignal;
}

export interface LinePage {
  readonly lines: readonly PageLine[];
  readonly encoding: TextEncoding;
  /** Of the file; of its beginning when it is too large to be judged whole. */
  readonly lineEndings: LineEndings;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Undefined when the file is too large to count and its end was not reached. */
  readonly totalLines: number | undefined;
  /** Number of the first line; undefined when it was found from the end of a file too large to count. */
  readonly startLine: number | undefined;
  /** The `offset` that reads on; undefined at the end of the file. Negative when the page was asked for from the end. */
  readonly nextOffset: number | undefined;
  /** False when the last line of the file has no line end; undefined when the page does not reach it. */
  readonly finalNewline: boolean | undefined;
}

interface Place {
  readonly position: number;
  readonly firstLine: number | undefined;
  /** How many lines the file has from `position` on, where that is known. */
  readonly linesLeft: number | undefined;
  readonly totalLines: number | undefined;
}

interface Reading {
  readonly lines: readonly PageLine[];
  /** Lines from `position` to the end of the file, when the reading got there. */
  readonly seenToEnd: number | undefined;
}

/**
 * Reads lines of an open text file of any size, in constant memory. The file is what it was when it was opened: what is
 * appended meanwhile is left out. The page's lines, with their endings, joined over all pages, are the text of the file.
 * Throws `invalid_input` when the file is no text.
 */
export async function readPage(file: OpenFile, shown: string, request: PageRequest): Promise<LinePage> {
  const size = Number(file.stat.size);
  const text = await inspectText(file.handle, size, shown);
  const source = { ...text.source, signal: request.signal };
  const place = await findPlace(source, text, request.offset);
  const { lines, seenToEnd } = await readLines(source, place, request);
  const totalLines = place.totalLines ?? totalOf(place, seenToEnd);
  const linesLeft = place.linesLeft ?? seenToEnd;
  const atEnd = linesLeft !== undefined && lines.length >= linesLeft;
  return {
    lines,
    encoding: source.encoding,
    lineEndings: text.lineEndings,
    size,
    totalLines,
    startLine: place.firstLine,
    nextOffset: atEnd ? undefined : nextOffset(place, lines.length, request.offset),
    finalNewline: atEnd && lines.length > 0 ? lines.at(-1)?.ending !== "" : undefined,
  };
}

async function findPlace(source: LineSource, text: TextFile, offset: number): Promise<Place> {
  if (offset >= 0) {
    const skip = Math.max(0, offset - 1);
    const { position, lines } = await skipLines(source, skip);
    const totalLines = text.totalLines ?? (lines < skip ? lines : undefined);
    const linesLeft = totalLines === undefined ? undefined : Math.max(0, totalLines - skip);
    return { position, firstLine: skip + 1, linesLeft, totalLines };
  }
  const tail = await findTail(source, -offset);
  const firstLine = text.totalLines === undefined ? undefined : text.totalLines - tail.lines + 1;
  const fromStart = tail.position === source.start ? 1 : undefined;
  return {
    position: tail.position,
    firstLine: fromStart ?? firstLine,
    linesLeft: tail.lines,
    totalLines: text.totalLines,
  };
}

async function readLines(source: LineSource, place: Place, request: PageRequest): Promise<Reading> {
  const reader = new PageReader(source, place, request);
  for await (const { bytes } of chunksFrom(source, place.position)) {
    for (const { from, to, ending } of lineParts(bytes, source)) {
      if (reader.full) return { lines: reader.lines, seenToEnd: undefined };
      reader.add(bytes.subarray(from, to), ending);
    }
  }
  return reader.end();
}

/** Gathers lines until the page is full. */
class PageReader {
  readonly lines: PageLine[] = [];
  readonly #source: LineSource;
  readonly #place: Place;
  readonly #request: PageRequest;
  readonly #limit: number;
  #characters = 0;
  #open = false;
  #window: LineWindow;

  constructor(source: LineSource, place: Place, request: PageRequest) {
    this.#source = source;
    this.#place = place;
    this.#request = request;
    this.#limit = request.characterOffset === undefined ? request.limit : Math.min(1, request.limit);
    this.#window = this.#newWindow();
  }

  get full(): boolean {
    return this.lines.length >= this.#limit || this.#characters >= this.#request.maxCharacters;
  }

  add(part: Buffer, ending: PageLine["ending"] | undefined): void {
    this.#open = ending === undefined;
    this.#window.add(part);
    if (ending !== undefined) this.#push(ending);
  }

  end(): Reading {
    if (this.#open) this.#push("");
    return { lines: this.lines, seenToEnd: this.lines.length };
  }

  #push(ending: PageLine["ending"]): void {
    const { firstLine } = this.#place;
    const number = firstLine === undefined ? undefined : firstLine + this.lines.length;
    const line = this.#window.finish(number, ending);
    this.lines.push(line);
    this.#characters += line.text.length + ending.length;
    this.#window = this.#newWindow();
  }

  #newWindow(): LineWindow {
    const { characterOffset, maxLineCharacters } = this.#request;
    return new LineWindow(this.#source.encoding, { skip: characterOffset ?? 0, max: maxLineCharacters });
  }
}

function totalOf(place: Place, seenToEnd: number | undefined): number | undefined {
  if (place.firstLine === undefined || seenToEnd === undefined) return undefined;
  return place.firstLine - 1 + seenToEnd;
}

function nextOffset(place: Place, lines: number, offset: number): number {
  if (place.firstLine !== undefined) return place.firstLine + lines;
  return offset < 0 && place.linesLeft !== undefined ? lines - place.linesLeft : offset + lines;
}
