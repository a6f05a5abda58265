import { ToolError } from "../../core/errors.ts";

export type EncodingName = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** How the text of a file lies in its bytes. `decodeText` and `encodeText` are exact inverses for every one. */
export interface TextEncoding {
  readonly name: EncodingName;
  /** True when the file begins with a byte order mark; the text itself never has it. */
  readonly bom: boolean;
}

export const UTF8: TextEncoding = { name: "utf-8", bom: false };

const LABELS: Readonly<Record<EncodingName, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "windows-1252": "Latin-1 (Windows-1252)",
};

const BOMS: Readonly<Record<EncodingName, readonly number[]>> = {
  "utf-8": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
  "windows-1252": [],
};

// Bytes 80 to 9F of windows-1252 (https://encoding.spec.whatwg.org/index-windows-1252.txt); the five that
// it leaves free stand for the control characters of the same number, so that every byte has one character.
const HIGH_CONTROLS =
  "\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F" +
  "\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178";
const HIGH_BYTES: ReadonlyMap<string, string> = new Map(
  Array.from(HIGH_CONTROLS, (character, index) => [character, String.fromCharCode(0x80 + index)]),
);

/** The encoding's name for people: "UTF-16 LE with BOM". */
export function encodingLabel(encoding: TextEncoding): string {
  const suffix = encoding.bom ? " with BOM" : "";
  return `${LABELS[encoding.name]}${suffix}`;
}

/** Length of the byte order mark in bytes, 0 without one. */
export function bomLength(encoding: TextEncoding): number {
  return encoding.bom ? BOMS[encoding.name].length : 0;
}

/** Bytes of one code unit: line ends and character boundaries lie on multiples of it. */
export function unitLength(encoding: TextEncoding): 1 | 2 {
  return encoding.name === "utf-16le" || encoding.name === "utf-16be" ? 2 : 1;
}

/** The encoding that the bytes announce by a byte order mark. */
export function encodingByBom(bytes: Uint8Array): TextEncoding | undefined {
  const names: readonly EncodingName[] = ["utf-8", "utf-16le", "utf-16be"];
  const name = names.find((name) => BOMS[name].every((byte, index) => bytes[index] === byte));
  return name && { name, bom: true };
}

/** Text of a whole file, its byte order mark left out. The bytes must be what `detectEncoding` called text. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  return decodeUnits(bytes.subarray(bomLength(encoding)), encoding.name);
}

/** Text of some bytes that hold no byte order mark. */
export function decodeUnits(bytes: Uint8Array, name: EncodingName): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return CODECS[name].decode(buffer);
}

/**
 * Bytes of a whole file, its byte order mark included.
 * Throws `invalid_input` when the encoding has no place for one of the characters.
 */
export function encodeText(text: string, encoding: TextEncoding): Buffer {
  const bom = Buffer.from(encoding.bom ? BOMS[encoding.name] : []);
  return Buffer.concat([bom, CODECS[encoding.name].encode(text)]);
}

interface Codec {
  decode(bytes: Buffer): string;
  encode(text: string): Buffer;
}

const CODECS: Readonly<Record<EncodingName, Codec>> = {
  "utf-8": { decode: (bytes) => bytes.toString("utf8"), encode: encodeUtf8 },
  "utf-16le": { decode: (bytes) => bytes.toString("utf16le"), encode: (text) => Buffer.from(text, "utf16le") },
  "utf-16be": {
    decode: (bytes) => Buffer.from(bytes).swap16().toString("utf16le"),
    encode: (text) => Buffer.from(text, "utf16le").swap16(),
  },
  "windows-1252": {
    decode: (bytes) => bytes.toString("latin1").replaceAll(/[\u0080-\u009f]/g, printable),
    encode: (text) => Buffer.from(text.replaceAll(/[\u0080-\u009f\u0100-\u{10ffff}]/gu, highByte), "latin1"),
  },
};

function encodeUtf8(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, "utf8");
  const message = "The text holds half of a surrogate pair, which UTF-8 cannot hold. Nothing was written.";
  throw new ToolError("invalid_input", message, { hint: "Send the whole character: both of its \\u escapes." });
}

function printable(control: string): string {
  return HIGH_CONTROLS[control.charCodeAt(0) - 0x80]!;
}

function highByte(character: string): string {
  const byte = HIGH_BYTES.get(character);
  if (byte !== undefined) return byte;
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  const message = `The file is in Latin-1 (Windows-1252), which has no place for ${JSON.stringify(character)} (${code}). Nothing was written.`;
  const hint = "Use only Latin-1 characters, or first convert the file to UTF-8 (iconv -f WINDOWS-1252 -t UTF-8).";
  throw new ToolError("invalid_input", message, { hint });
}
