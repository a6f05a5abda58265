// The bytes of a file in pieces that never cut a code unit or a CRLF pair, and where lines end in them.
import type { FileHandle } from "node:fs/promises";

import { bomLength, type TextEncoding, unitLength } from "./text-encoding.ts";

export const CHUNK_BYTES = 256 * 1024;

export const LF = 0x0a;
export const CR = 0x0d;

export type LineEnding = "\n" | "\r\n" | "\r";

/** An open text file: everything that finding its lines takes. */
export interface LineSource {
  readonly handle: FileHandle;
  readonly encoding: TextEncoding;
  /** Where the text begins, in bytes: after the byte order mark. */
  readonly start: number;
  /** Where the text ends, in bytes: as long as the file was when it was opened. */
  readonly end: number;
  /** True when a lone CR ends a line: in files that have no LF. Elsewhere it is a character, as for grep and compilers. */
  readonly loneCrEndsLine: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Part of a line, inside a chunk: `from` and `to` leave the line end out. No `ending` means that the line goes on. */
export interface LinePart {
  readonly from: number;
  readonly to: number;
  readonly ending: LineEnding | undefined;
}

export interface Chunk {
  readonly bytes: Buffer;
  /** Place of the chunk in the file. */
  readonly position: number;
  readonly last: boolean;
}

/** The source for an open file of a known size and encoding. Without a signal, reading goes on to its end. */
export function lineSource(handle: FileHandle, size: number, encoding: TextEncoding): LineSource {
  const start = Math.min(bomLength(encoding), size);
  const unit = unitLength(encoding);
  return { handle, encoding, start, end: start + Math.floor((size - start) / unit) * unit, loneCrEndsLine: false };
}

/** Chunks from `position` to the end of the text. The memory of a chunk is used again for the next one. */
export async function* chunksFrom(source: LineSource, position: number): AsyncGenerator<Chunk> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const unit = unitLength(source.encoding);
  for (let at = position; at < source.end;) {
    source.signal?.throwIfAborted();
    const bytes = await readAt(source, buffer, at);
    if (bytes.length === 0) return;
    const last = at + bytes.length >= source.end;
    // A CR at the end of a chunk is read again with the next one, which may begin with its LF.
    const keepsCr = !last && bytes.length > unit && unitAt(bytes, bytes.length - unit, source.encoding) === CR;
    const piece = keepsCr ? bytes.subarray(0, bytes.length - unit) : bytes;
    yield { bytes: piece, position: at, last };
    at += piece.length;
  }
}

/** Fills a buffer from a place in the file, up to its end or the end of the text. Shorter only if the file has shrunk. */
export async function readAt(source: LineSource, buffer: Buffer, position: number): Promise<Buffer> {
  const wanted = Math.min(buffer.length, source.end - position);
  let length = 0;
  while (length < wanted) {
    const { bytesRead } = await source.handle.read(buffer, length, wanted - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length - (length % unitLength(source.encoding)));
}

/** The lines of a chunk, in order; the last part has no ending when its line goes on. */
export function* lineParts(bytes: Buffer, source: LineSource): Generator<LinePart> {
  const unit = unitLength(source.encoding);
  let from = 0;
  while (from < bytes.length) {
    const end = nextLineEnd(bytes, from, source);
    if (end === -1) {
      yield { from, to: bytes.length, ending: undefined };
      return;
    }
    const found = unitAt(bytes, end, source.encoding);
    const next = end + unit < bytes.length ? unitAt(bytes, end + unit, source.encoding) : -1;
    const before = found === LF && end - unit >= from ? unitAt(bytes, end - unit, source.encoding) : -1;
    if (found === CR) yield { from, to: end, ending: next === LF ? "\r\n" : "\r" };
    else if (before === CR) yield { from, to: end - unit, ending: "\r\n" };
    else yield { from, to: end, ending: "\n" };
    from = end + unit * (found === CR && next === LF ? 2 : 1);
  }
}

/** The code unit at a place: one byte, or two in the order of the encoding. */
export function unitAt(bytes: Buffer, index: number, encoding: TextEncoding): number {
  if (unitLength(encoding) === 1) return bytes[index]!;
  return encoding.name === "utf-16le" ? bytes.readUInt16LE(index) : bytes.readUInt16BE(index);
}

/** The next line end from a place on, or -1. In a CRLF it is the LF, unless a lone CR ends lines too. */
export function nextLineEnd(bytes: Buffer, from: number, source: LineSource): number {
  if (unitLength(source.encoding) === 1 && !source.loneCrEndsLine) return bytes.indexOf(LF, from);
  const unit = unitLength(source.encoding);
  for (let index = from; index < bytes.length; index += unit) {
    const value = unitAt(bytes, index, source.encoding);
    if (value === LF || (value === CR && source.loneCrEndsLine)) return index;
  }
  return -1;
}
