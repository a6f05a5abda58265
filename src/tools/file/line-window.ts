import { isUtf8 } from "node:buffer";

import { unitAt, type LineEnding } from "./line-source.ts";
import { decodeUnits, type TextEncoding, unitLength } from "./text-encoding.ts";

/** A line as a page shows it. Characters are Unicode code points. */
export interface PageLine {
  /** 1-based; undefined when the page was found from the end of a file too large to count. */
  readonly number: number | undefined;
  /** The characters of the line from `from` on, without its line end. */
  readonly text: string;
  readonly from: number;
  /** How many characters the whole line has. */
  readonly characters: number;
  /** Where the text after this part begins; undefined when the line is shown to its end. */
  readonly continuesAt: number | undefined;
  /** Empty for a last line without a line end. */
  readonly ending: LineEnding | "";
}

const MAX_BYTES_OF_CHARACTER = 4;

/** Gathers characters `skip` to `skip + max` of one line from its parts, and counts all: a line of a gigabyte takes no memory. */
export class LineWindow {
  readonly #encoding: TextEncoding;
  readonly #skip: number;
  readonly #stop: number;
  #characters = 0;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #bytes = 0;

  constructor(encoding: TextEncoding, range: { readonly skip: number; readonly max: number }) {
    this.#encoding = encoding;
    this.#skip = range.skip;
    this.#stop = range.skip + range.max;
  }

  add(part: Buffer): void {
    this.#bytes += part.length;
    let at = 0;
    if (this.#skip > 0 && this.#characters <= this.#skip) at = this.#walk(part, at, this.#skip);
    if (at < part.length && this.#characters <= this.#stop) {
      const next = this.#walk(part, at, this.#stop);
      this.#keep(part.subarray(at, next));
      at = next;
    }
    if (at < part.length) this.#walk(part, at, Number.POSITIVE_INFINITY);
  }

  finish(number: number | undefined, ending: LineEnding | ""): PageLine {
    const bytes = Buffer.concat(this.#kept);
    // A line that does not fit the encoding found in a sample of the file is shown byte by byte.
    const fits = this.#encoding.name !== "utf-8" || isUtf8(bytes);
    const text = decodeUnits(bytes, fits ? this.#encoding.name : "windows-1252");
    const whole = this.#keptBytes === this.#bytes;
    const characters = fits || !whole ? this.#characters : text.length;
    const continuesAt = !whole && characters > this.#stop ? this.#stop : undefined;
    return { number, text, from: this.#skip, characters, continuesAt, ending };
  }

  #keep(bytes: Buffer): void {
    const room = Math.max(0, (this.#stop - this.#skip) * MAX_BYTES_OF_CHARACTER - this.#keptBytes);
    this.#kept.push(Buffer.from(bytes.subarray(0, room)));
    this.#keptBytes += Math.min(bytes.length, room);
  }

  /** Goes on until the line has `count` characters, and over what still belongs to the last one. */
  #walk(part: Buffer, from: number, count: number): number {
    const step = unitLength(this.#encoding);
    for (let at = from; at < part.length; at += step) {
      if (continuesCharacter(part, at, this.#encoding)) continue;
      if (this.#characters >= count) return at;
      this.#characters++;
    }
    return part.length;
  }
}

function continuesCharacter(bytes: Buffer, at: number, encoding: TextEncoding): boolean {
  if (encoding.name === "windows-1252") return false;
  if (encoding.name === "utf-8") return (bytes[at]! & 0xc0) === 0x80;
  return (unitAt(bytes, at, encoding) & 0xfc00) === 0xdc00;
}
