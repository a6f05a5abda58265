import { isUtf8 } from "node:buffer";

import { describeBinary } from "./binary-kind.ts";
import { encodingByBom, type TextEncoding, unitLength, UTF8 } from "./text-encoding.ts";

/** Text with its encoding, or what the file is instead, in words ("a ZIP archive"). */
export type Detection =
  | { readonly kind: "text"; readonly encoding: TextEncoding }
  | { readonly kind: "binary"; readonly says: string };

// Control characters that text files do hold: backspace, tab, line feed, vertical tab, form feed, return, escape.
const TEXT_CONTROLS = new Set([0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);
const HEAD_BYTES = 512;
// One odd control character in a hundred is a stray in a text; more is data.
const MAX_CONTROL_SHARE = 0.01;
const MIN_NUL_SHARE_OF_UTF16 = 0.7;
// Letters such as U+2013 have a byte that looks like a control character; arrays of small numbers have many.
const MAX_LOW_SHARE_OF_UTF16 = 0.1;
// Letters such as U+2100 have a NUL on the other side.
const MAX_STRAY_SHARE_OF_UTF16 = 0.05;

/** Says whether some bytes are a text file, and in which encoding. */
export function detectEncoding(bytes: Uint8Array): Detection {
  const probe = new EncodingProbe();
  probe.add(bytes);
  return probe.result();
}

/**
 * Detects the encoding of bytes that arrive in pieces, in constant memory.
 * Pieces may end anywhere, but each begins at an even place of the file. A sample of a file is judged by
 * `result({ complete: false })`, which forgives half a character at the end.
 */
export class EncodingProbe {
  #head = Buffer.alloc(0);
  #length = 0;
  #controls = 0;
  #nulsAtEven = 0;
  #nulsAtOdd = 0;
  #utf8 = true;
  #pending = Buffer.alloc(0);

  add(piece: Uint8Array): void {
    this.#count(piece);
    if (this.#utf8) this.#checkUtf8(piece);
  }

  /** Goes on with a piece from elsewhere in the file: characters cut off by the gap are forgiven. */
  skipTo(piece: Uint8Array): void {
    this.#pending = Buffer.alloc(0);
    this.#count(piece);
    const start = piece.findIndex((byte) => (byte & 0xc0) !== 0x80);
    if (this.#utf8) this.#checkUtf8(piece.subarray(start > 0 && start <= 3 ? start : 0));
  }

  result(options: { readonly complete: boolean } = { complete: true }): Detection {
    const large = this.#utf32();
    if (large) return { kind: "binary", says: `${large} text, which is not supported` };
    const announced = encodingByBom(this.#head);
    if (announced && unitLength(announced) === 2) return this.#utf16(announced, options.complete);
    const nuls = this.#nulsAtEven + this.#nulsAtOdd;
    const silent = nuls > 0 ? this.#utf16WithoutBom() : undefined;
    if (silent) return this.#utf16(silent, options.complete);
    if (nuls > 0 || this.#controls > this.#length * MAX_CONTROL_SHARE) return this.#binary();
    const utf8 = this.#utf8 && !(options.complete && this.#pending.length > 0);
    if (utf8) return { kind: "text", encoding: announced ?? UTF8 };
    const says = describeBinary(this.#head);
    if (says !== "binary data") return { kind: "binary", says };
    return { kind: "text", encoding: { name: "windows-1252", bom: false } };
  }

  #count(piece: Uint8Array): void {
    if (this.#head.length < HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, piece.subarray(0, HEAD_BYTES - this.#head.length)]);
    }
    this.#length += piece.length;
    for (let index = 0; index < piece.length; index++) {
      const byte = piece[index]!;
      if (byte >= 0x20 || TEXT_CONTROLS.has(byte)) continue;
      if (byte !== 0) this.#controls++;
      else if (index % 2 === 0) this.#nulsAtEven++;
      else this.#nulsAtOdd++;
    }
  }

  #checkUtf8(piece: Uint8Array): void {
    const joined = this.#pending.length > 0 ? Buffer.concat([this.#pending, piece]) : piece;
    const end = endOfCharacters(joined);
    this.#pending = Buffer.from(joined.subarray(end));
    this.#utf8 = isUtf8(joined.subarray(0, end));
  }

  #utf32(): string | undefined {
    const [a, b, c, d] = this.#head;
    if (a === 0xff && b === 0xfe && c === 0 && d === 0) return "UTF-32 LE";
    if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "UTF-32 BE";
    return undefined;
  }

  /** Mostly Latin letters: nearly every other byte is NUL, always on the same side. */
  #utf16WithoutBom(): TextEncoding | undefined {
    const enough = (this.#length / 2) * MIN_NUL_SHARE_OF_UTF16;
    if (this.#controls > (this.#length / 2) * MAX_LOW_SHARE_OF_UTF16) return undefined;
    const few = (this.#length / 2) * MAX_STRAY_SHARE_OF_UTF16;
    if (this.#nulsAtEven <= few && this.#nulsAtOdd >= enough) return { name: "utf-16le", bom: false };
    if (this.#nulsAtOdd <= few && this.#nulsAtEven >= enough) return { name: "utf-16be", bom: false };
    return undefined;
  }

  #utf16(encoding: TextEncoding, complete: boolean): Detection {
    const whole = !complete || this.#length % 2 === 0;
    if (whole) return { kind: "text", encoding };
    return { kind: "binary", says: "damaged UTF-16 text: it ends with half a character" };
  }

  #binary(): Detection {
    return { kind: "binary", says: describeBinary(this.#head) };
  }
}

/** Where the last whole UTF-8 character ends; what follows is at most three bytes of one that goes on. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needs > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
