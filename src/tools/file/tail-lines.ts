import { CHUNK_BYTES, CR, LF, type LineSource, readAt, unitAt } from "./line-source.ts";
import { unitLength } from "./text-encoding.ts";

export interface Tail {
  /** Where the first of the lines begins, in bytes. */
  readonly position: number;
  /** How many lines there are from there on: fewer than asked for when the file has fewer. */
  readonly lines: number;
}

/** Finds the last `count` lines of a file backwards from its end: in constant memory, and without reading the rest. */
export async function findTail(source: LineSource, count: number): Promise<Tail> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const unit = unitLength(source.encoding);
  let lines = 0;
  let following = -1;
  for (let chunkEnd = source.end; chunkEnd > source.start;) {
    source.signal?.throwIfAborted();
    const position = Math.max(source.start, chunkEnd - CHUNK_BYTES);
    const bytes = await readAt({ ...source, end: chunkEnd }, buffer, position);
    for (
      let at = lastLineEnd(bytes, bytes.length - unit, source);
      at !== -1;
      at = lastLineEnd(bytes, at - unit, source)
    ) {
      const next = at + unit < bytes.length ? unitAt(bytes, at + unit, source.encoding) : following;
      if (unitAt(bytes, at, source.encoding) === CR && next === LF) continue;
      if (position + at + unit === source.end) continue;
      lines++;
      if (lines === count) return { position: position + at + unit, lines };
    }
    following = bytes.length > 0 ? unitAt(bytes, 0, source.encoding) : -1;
    chunkEnd = position;
  }
  return { position: source.start, lines: source.end > source.start ? lines + 1 : 0 };
}

/** The last line end at or before a place; a CR may yet turn out to belong to the LF after it. */
function lastLineEnd(bytes: Buffer, from: number, source: LineSource): number {
  if (from < 0) return -1;
  if (unitLength(source.encoding) === 1 && !source.loneCrEndsLine) return bytes.lastIndexOf(LF, from);
  const unit = unitLength(source.encoding);
  for (let at = from; at >= 0; at -= unit) {
    const value = unitAt(bytes, at, source.encoding);
    if (value === LF || (value === CR && source.loneCrEndsLine)) return at;
  }
  return -1;
}
