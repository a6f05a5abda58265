import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ToolError } from "../../core/errors.ts";
import { detectEncoding, EncodingProbe } from "./detect-encoding.ts";
import { decodeText, encodeText, encodingLabel, type TextEncoding } from "./text-encoding.ts";

const ENCODINGS: readonly TextEncoding[] = [
  { name: "utf-8", bom: false },
  { name: "utf-8", bom: true },
  { name: "utf-16le", bom: true },
  { name: "utf-16be", bom: true },
  { name: "utf-16le", bom: false },
  { name: "utf-16be", bom: false },
  { name: "windows-1252", bom: false },
];

describe("decodeText and encodeText", () => {
  it("are exact inverses for every text that an encoding can hold", () => {
    for (const encoding of ENCODINGS.slice(0, 6)) {
      fc.assert(
        fc.property(fc.string({ unit: "binary" }), (text) => {
          expect(decodeText(encodeText(text, encoding), encoding)).toBe(text);
        }),
      );
    }
  });

  it("give every byte of a Latin-1 file back", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const encoding: TextEncoding = { name: "windows-1252", bom: false };
        expect(encodeText(decodeText(bytes, encoding), encoding).equals(bytes)).toBe(true);
      }),
    );
  });

  it("give the bytes of anything that is detected as text back", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .tuple(fc.constantFrom(...ENCODINGS.slice(0, 6)), fc.string({ unit: "grapheme" }))
        .map(([encoding, text]) => encodeText(text, encoding)),
      fc
        .array(fc.constantFrom(0xfe, 0xff, 0xef, 0xbb, 0xbf, 0x00, 0x41, 0x0a, 0xe9))
        .map((list) => Uint8Array.from(list)),
    );
    fc.assert(
      fc.property(bytes, (bytes) => {
        const found = detectEncoding(bytes);
        if (found.kind === "text") {
          expect(encodeText(decodeText(bytes, found.encoding), found.encoding).equals(bytes)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("refuse a character that Latin-1 has no place for", () => {
    const write = () => encodeText("5 € and Ω", { name: "windows-1252", bom: false });
    expect(write).toThrow(ToolError);
    expect(write).toThrow(/no place for "Ω" \(U\+03A9\). Nothing was written/);
  });

  it("refuse half a surrogate pair in UTF-8", () => {
    expect(() => encodeText("\ud800", { name: "utf-8", bom: false })).toThrow(/half of a surrogate pair/);
  });

  it("read the printable characters of Windows-1252 in bytes 80 to 9F", () => {
    expect(decodeText(Uint8Array.of(0x80, 0x92, 0x9f, 0x81), { name: "windows-1252", bom: false })).toBe("€’Ÿ\u0081");
  });
});

describe("detectEncoding", () => {
  const text = "line one\r\nsecond öäü line\n";

  it("knows an encoding by its byte order mark", () => {
    for (const encoding of ENCODINGS.filter(({ bom }) => bom)) {
      expect(detectEncoding(encodeText(text, encoding))).toEqual({ kind: "text", encoding });
    }
  });

  it("knows UTF-16 without a mark by its NUL bytes", () => {
    for (const name of ["utf-16le", "utf-16be"] as const) {
      const encoding = { name, bom: false };
      expect(detectEncoding(encodeText(text, encoding))).toEqual({ kind: "text", encoding });
    }
  });

  it("takes text that is not UTF-8 for Latin-1", () => {
    expect(detectEncoding(Buffer.from("café=1\n", "latin1"))).toEqual({
      kind: "text",
      encoding: { name: "windows-1252", bom: false },
    });
  });

  it("takes an empty file for UTF-8", () => {
    expect(detectEncoding(new Uint8Array())).toEqual({ kind: "text", encoding: { name: "utf-8", bom: false } });
  });

  it("takes colours and page feeds for text", () => {
    expect(detectEncoding(Buffer.from("\u001b[31mred\u001b[0m\f\b")).kind).toBe("text");
  });

  it("says what a binary file is", () => {
    const says = (bytes: readonly number[]) => detectEncoding(Uint8Array.from(bytes));
    expect(says([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8])).toEqual({
      kind: "binary",
      says: "a ZIP archive (also .docx, .xlsx, .ods, .jar)",
    });
    expect(says([0x1f, 0x8b, 0xe9, 0xff])).toEqual({ kind: "binary", says: "gzip-compressed data" });
    expect(says([1, 2, 3, 4, 5, 0, 7])).toEqual({ kind: "binary", says: "binary data" });
    expect(says([1, 2, 3, 4, 5, 6, 7])).toEqual({ kind: "binary", says: "binary data" });
  });

  it("refuses UTF-32 by name", () => {
    expect(detectEncoding(Uint8Array.of(0xff, 0xfe, 0, 0, 65, 0, 0, 0))).toMatchObject({
      kind: "binary",
      says: expect.stringMatching(/UTF-32 LE/),
    });
    expect(detectEncoding(Uint8Array.of(0, 0, 0xfe, 0xff, 0, 0, 0, 65))).toMatchObject({
      kind: "binary",
      says: expect.stringMatching(/UTF-32 BE/),
    });
  });

  it("refuses UTF-16 that ends with half a character", () => {
    expect(detectEncoding(Uint8Array.of(0xff, 0xfe, 65, 0, 66))).toMatchObject({
      kind: "binary",
      says: expect.stringMatching(/half a character/),
    });
  });

  it("gives an encoding a name for people", () => {
    expect(ENCODINGS.map(encodingLabel)).toEqual([
      "UTF-8",
      "UTF-8 with BOM",
      "UTF-16 LE with BOM",
      "UTF-16 BE with BOM",
      "UTF-16 LE",
      "UTF-16 BE",
      "Latin-1 (Windows-1252)",
    ]);
  });
});

describe("EncodingProbe", () => {
  it("sees text whose letters lie across every boundary", () => {
    const bytes = Buffer.from(`a${"ç".repeat(99)}\n\n`.repeat(200));
    for (const size of [2, 4, 64, 1024]) {
      const probe = new EncodingProbe();
      for (let at = 0; at < bytes.length; at += size) probe.add(bytes.subarray(at, at + size));
      expect(probe.result()).toEqual({ kind: "text", encoding: { name: "utf-8", bom: false } });
    }
  });

  it("agrees with detection of the whole, however the pieces fall", () => {
    const pieces = fc.array(fc.uint8Array({ minLength: 0, maxLength: 8 }).filter((bytes) => bytes.length % 2 === 0));
    fc.assert(
      fc.property(pieces, (pieces) => {
        const probe = new EncodingProbe();
        for (const piece of pieces) probe.add(piece);
        expect(probe.result()).toEqual(detectEncoding(Buffer.concat(pieces)));
      }),
    );
  });

  it("forgives characters cut at the ends of a sample", () => {
    const bytes = Buffer.from("日本語の文章です。".repeat(10));
    for (let cut = 0; cut < 6; cut++) {
      const probe = new EncodingProbe();
      probe.add(bytes.subarray(0, 100 + cut));
      probe.skipTo(bytes.subarray(bytes.length - 50 - cut, bytes.length - cut));
      expect(probe.result({ complete: false })).toEqual({ kind: "text", encoding: { name: "utf-8", bom: false } });
    }
  });
});
