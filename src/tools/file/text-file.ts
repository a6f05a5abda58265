// What a file is before its lines are read: its encoding, its line ends and, unless it is very large, its number of lines.
import type { FileHandle } from "node:fs/promises";

import { ToolError } from "../../core/errors.ts";
import { type Detection, EncodingProbe } from "./detect-encoding.ts";
import {
  CHUNK_BYTES,
  chunksFrom,
  CR,
  LF,
  type LineEnding,
  type LineSource,
  lineSource,
  readAt,
  unitAt,
} from "./line-source.ts";
import { type TextEncoding, unitLength, UTF8 } from "./text-encoding.ts";

/** Files up to this size are judged and counted whole; larger ones by their first and last 256 KB. */
export const COUNTED_BYTES = 16 * 1024 * 1024;

export type LineEndings = "lf" | "crlf" | "cr" | "mixed" | "none";

export interface TextFile {
  readonly source: LineSource;
  readonly lineEndings: LineEndings;
  /** Undefined for a file over `COUNTED_BYTES`. */
  readonly totalLines: number | undefined;
}

export interface LineEndingCounts {
  readonly lf: number;
  readonly crlf: number;
  readonly cr: number;
}

/**
 * Looks at an open file of a known size. Throws `invalid_input` with what the file is when it is no text.
 * The handle stays the caller's.
 */
export async function inspectText(handle: FileHandle, size: number, shown: string): Promise<TextFile> {
  const detection = size <= COUNTED_BYTES ? await detectWhole(handle, size) : await detectSample(handle, size);
  if (detection.kind === "binary") throw notText(shown, detection.says);
  const source = lineSource(handle, size, detection.encoding);
  const { counts, last } = await countLineEndings(source);
  const loneCrEndsLine = counts.lf + counts.crlf === 0 && counts.cr > 0;
  const ended = counts.lf + counts.crlf + (loneCrEndsLine ? counts.cr : 0);
  const unended = last === "open" || (last === "\r" && !loneCrEndsLine) ? 1 : 0;
  return {
    source: { ...source, loneCrEndsLine },
    lineEndings: nameLineEndings(counts),
    totalLines: size <= COUNTED_BYTES ? ended + unended : undefined,
  };
}

/** The error for a file that is no text. */
export function notText(shown: string, says: string): ToolError {
  return new ToolError("invalid_input", `${shown} is no text file: it is ${says}.`, {
    hint: "Look at it with a program for its format through BashTool (for any data: `xxd FILE | head`).",
  });
}

/** The name for what ends the lines; a lone CR between other line ends is a character. */
export function nameLineEndings(counts: LineEndingCounts): LineEndings {
  if (counts.lf > 0) return counts.crlf > 0 ? "mixed" : "lf";
  if (counts.crlf > 0) return "crlf";
  return counts.cr > 0 ? "cr" : "none";
}

async function detectWhole(handle: FileHandle, size: number): Promise<Detection> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const probe = new EncodingProbe();
  const bytes = lineSource(handle, size, UTF8);
  for (let position = 0; position < size;) {
    const piece = await readAt(bytes, buffer, position);
    if (piece.length === 0) break;
    probe.add(piece);
    position += piece.length;
  }
  return probe.result();
}

async function detectSample(handle: FileHandle, size: number): Promise<Detection> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const probe = new EncodingProbe();
  const head = await handle.read(buffer, 0, CHUNK_BYTES, 0);
  probe.add(buffer.subarray(0, head.bytesRead));
  const tail = await handle.read(buffer, 0, CHUNK_BYTES, Math.floor((size - CHUNK_BYTES) / 2) * 2);
  probe.skipTo(buffer.subarray(0, tail.bytesRead));
  return probe.result({ complete: false });
}

async function countLineEndings(
  source: LineSource,
): Promise<{ counts: LineEndingCounts; last: LineEnding | "open" | "" }> {
  const counts = { lf: 0, crlf: 0, cr: 0 };
  const limit = source.end <= COUNTED_BYTES ? source.end : source.start + CHUNK_BYTES;
  let last: LineEnding | "open" | "" = "";
  for await (const { bytes } of chunksFrom({ ...source, end: limit }, source.start)) {
    const found = lineEndingsIn(bytes, source.encoding);
    counts.lf += found.lf;
    counts.crlf += found.crlf;
    counts.cr += found.cr;
    last = endingOf(bytes, source.encoding);
  }
  return { counts, last };
}

/** Counts in a chunk, which never cuts a CRLF. */
function lineEndingsIn(bytes: Buffer, encoding: TextEncoding): LineEndingCounts {
  const unit = unitLength(encoding);
  let [lf, crlf, cr, previous] = [0, 0, 0, -1];
  for (let at = 0; at < bytes.length; at += unit) {
    const value = unit === 1 ? bytes[at]! : unitAt(bytes, at, encoding);
    if (value === CR) cr++;
    else if (value === LF && previous === CR) {
      cr--;
      crlf++;
    } else if (value === LF) lf++;
    previous = value;
  }
  return { lf, crlf, cr };
}

function endingOf(bytes: Buffer, encoding: TextEncoding): LineEnding | "open" {
  const last = unitAt(bytes, bytes.length - unitLength(encoding), encoding);
  if (last === LF) return "\n";
  return last === CR ? "\r" : "open";
}
