import { chunksFrom, CR, LF, type LineSource, nextLineEnd, unitAt } from "./line-source.ts";
import { unitLength } from "./text-encoding.ts";

export interface Skipped {
  /** Where the line after the skipped ones begins, in bytes. */
  readonly position: number;
  /** Fewer than asked for when the file has fewer; a last line without a line end counts. */
  readonly lines: number;
}

/** Goes over the first `count` lines of a file, in constant memory. */
export async function skipLines(source: LineSource, count: number): Promise<Skipped> {
  const unit = unitLength(source.encoding);
  let lines = 0;
  let position = source.start;
  if (count === 0) return { position, lines };
  for await (const { bytes, position: chunkStart } of chunksFrom(source, source.start)) {
    for (let at = nextLineEnd(bytes, 0, source); at !== -1;) {
      const isCr = source.loneCrEndsLine && unitAt(bytes, at, source.encoding) === CR;
      const pair = isCr && at + unit < bytes.length && unitAt(bytes, at + unit, source.encoding) === LF;
      const next = at + unit * (pair ? 2 : 1);
      lines++;
      position = chunkStart + next;
      if (lines === count) return { position, lines };
      at = nextLineEnd(bytes, next, source);
    }
  }
  return { position: source.end, lines: lines + (position < source.end ? 1 : 0) };
}
