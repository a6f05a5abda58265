import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type LinePage, type PageRequest, readPage } from "./line-pages.ts";
import { openForReading, withOpenFile } from "../../core/open-file.ts";
import { decodeText, encodeText, type TextEncoding } from "./text-encoding.ts";

const WHOLE = { offset: 1, limit: 2000, maxLineCharacters: 2000, maxCharacters: 1_000_000 };

describe("readPage", () => {
  let folder = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pawl-pages-"));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  async function read(content: string | Uint8Array, request: Partial<PageRequest> = {}): Promise<LinePage> {
    const path = join(folder, "f.txt");
    await writeFile(path, content);
    return withOpenFile({ path, shown: "f.txt" }, (file) => readPage(file, "f.txt", { ...WHOLE, ...request }));
  }

  const texts = (page: LinePage) => page.lines.map(({ text }) => text);

  it("gives lines with their numbers and endings", async () => {
    expect(await read("one\ntwo\r\nthree")).toEqual({
      lines: [
        { number: 1, text: "one", from: 0, characters: 3, continuesAt: undefined, ending: "\n" },
        { number: 2, text: "two", from: 0, characters: 3, continuesAt: undefined, ending: "\r\n" },
        { number: 3, text: "three", from: 0, characters: 5, continuesAt: undefined, ending: "" },
      ],
      encoding: { name: "utf-8", bom: false },
      lineEndings: "mixed",
      size: 14,
      totalLines: 3,
      startLine: 1,
      nextOffset: undefined,
      finalNewline: false,
    });
  });

  it("gives a page from the middle and where to read on", async () => {
    const page = await read("a\nb\nc\nd\n", { offset: 2, limit: 2 });
    expect(texts(page)).toEqual(["b", "c"]);
    expect(page).toMatchObject({ startLine: 2, nextOffset: 4, totalLines: 4, finalNewline: undefined });
  });

  it("takes offset 0 for the start", async () => {
    expect(await read("a\nb\n", { offset: 0 })).toMatchObject({ startLine: 1, totalLines: 2, finalNewline: true });
  });

  it("gives no lines for an empty file and for an offset past the end", async () => {
    expect(await read("")).toMatchObject({ lines: [], totalLines: 0, lineEndings: "none", nextOffset: undefined });
    expect(await read("a\nb\n", { offset: 9 })).toMatchObject({
      lines: [],
      totalLines: 2,
      startLine: 9,
      nextOffset: undefined,
    });
  });

  it("gives the last lines for a negative offset", async () => {
    expect(texts(await read("a\nb\nc\n", { offset: -2 }))).toEqual(["b", "c"]);
    expect(texts(await read("a\nb\nc", { offset: -2 }))).toEqual(["b", "c"]);
    expect(await read("a\r\nb\r\nc\r\n", { offset: -2, limit: 1 })).toMatchObject({
      startLine: 2,
      nextOffset: 3,
      totalLines: 3,
    });
    expect(await read("a\nb\n", { offset: -9 })).toMatchObject({ startLine: 1, totalLines: 2 });
    expect(await read("", { offset: -3 })).toMatchObject({ lines: [], totalLines: 0 });
  });

  it("takes a lone CR for a line end only where there is no other", async () => {
    const mac = await read("a\rb\rc");
    expect(texts(mac)).toEqual(["a", "b", "c"]);
    expect(mac).toMatchObject({ lineEndings: "cr", totalLines: 3 });
    const progress = await read("10%\r20%\ndone\r");
    expect(texts(progress)).toEqual(["10%\r20%", "done\r"]);
    expect(progress).toMatchObject({ lineEndings: "lf", totalLines: 2 });
    expect(texts(await read("a\rb\rc\r", { offset: -2 }))).toEqual(["b", "c"]);
  });

  it("cuts a long line and reads on inside it", async () => {
    const long = `${"x".repeat(1999)}😀é${"y".repeat(3000)}`;
    const page = await read(`${long}\nshort\n`);
    expect(page.lines.map(({ characters, continuesAt }) => [characters, continuesAt])).toEqual([
      [5001, 2000],
      [5, undefined],
    ]);
    expect(page.lines[0]!.text.endsWith("x😀")).toBe(true);
    const on = await read(`${long}\nshort\n`, { characterOffset: 2000 });
    expect(on.lines).toHaveLength(1);
    expect(on.lines[0]).toMatchObject({ from: 2000, continuesAt: 4000, characters: 5001 });
    expect(on.lines[0]!.text.startsWith("éy")).toBe(true);
  });

  it("counts the characters of a line cut exactly at its end as whole", async () => {
    const page = await read(`${"x".repeat(2000)}\r\n`);
    expect(page.lines[0]).toMatchObject({ characters: 2000, continuesAt: undefined });
  });

  it("ends a page at the line that reaches the budget", async () => {
    const page = await read("aaaa\nbbbb\ncccc\n", { maxCharacters: 6 });
    expect(texts(page)).toEqual(["aaaa", "bbbb"]);
    expect(page.nextOffset).toBe(3);
  });

  it("reads UTF-16, Latin-1 and files with a byte order mark", async () => {
    const text = "erste Zeile\r\nzweite – 😀\r\nende";
    for (const encoding of [
      { name: "utf-8", bom: true },
      { name: "utf-16le", bom: true },
      { name: "utf-16be", bom: true },
      { name: "utf-16le", bom: false },
    ] satisfies TextEncoding[]) {
      const page = await read(encodeText(text, encoding));
      expect(texts(page)).toEqual(text.split("\r\n"));
      expect(page).toMatchObject({ encoding, lineEndings: "crlf", totalLines: 3 });
      expect(texts(await read(encodeText(text, encoding), { offset: -1 }))).toEqual(["ende"]);
    }
    expect(texts(await read(Buffer.from("caf\xe9\n", "latin1")))).toEqual(["café"]);
  });

  it("refuses a binary file by what it is", async () => {
    await expect(read(Buffer.from("PK\x03\x04\0\0\0\0"))).rejects.toMatchObject({
      code: "invalid_input",
      message: "f.txt is no text file: it is a ZIP archive (also .docx, .xlsx, .ods, .jar).",
    });
  });

  it("stops when its caller cancels", async () => {
    await expect(read("a\nb\n", { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });

  const piece = fc.constantFrom("a", "é", "日", "😀", " ", "\n", "\n", "\r\n", "\r", "xyz".repeat(9));
  const encodings: readonly TextEncoding[] = [
    { name: "utf-8", bom: false },
    { name: "utf-8", bom: true },
    { name: "utf-16le", bom: true },
    { name: "utf-16be", bom: true },
  ];

  it("gives the whole file when its pages are joined", async () => {
    const file = fc.record({
      text: fc.array(piece).map((parts) => parts.join("")),
      encoding: fc.constantFrom(...encodings),
    });
    const sizes = fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      maxLineCharacters: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(file, sizes, async ({ text, encoding }, sizes) => {
        const bytes = encodeText(text, encoding);
        expect(await joinPages(bytes, sizes)).toBe(decodeText(bytes, encoding));
      }),
      { numRuns: 60 },
    );
  });

  it("gives the same last lines backwards as forwards", async () => {
    const file = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(file, fc.integer({ min: 1, max: 8 }), async (text, count) => {
        const all = await read(text);
        const tail = await read(text, { offset: -count });
        expect(tail.lines).toEqual(all.lines.slice(-count));
      }),
      { numRuns: 60 },
    );
  });

  async function joinPages(bytes: Buffer, sizes: Pick<PageRequest, "limit" | "maxLineCharacters">): Promise<string> {
    const path = join(folder, "joined.txt");
    await writeFile(path, bytes);
    const file = await openForReading({ path, shown: path });
    const request = { ...WHOLE, ...sizes };
    let joined = "";
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const page: LinePage = await readPage(file, path, { ...request, offset });
      for (const line of page.lines) {
        joined += line.text;
        for (let at = line.continuesAt; at !== undefined;) {
          const rest: LinePage = await readPage(file, path, { ...request, offset: line.number!, characterOffset: at });
          joined += rest.lines[0]!.text;
          at = rest.lines[0]!.continuesAt;
        }
        joined += line.ending;
      }
      offset = page.nextOffset;
    }
    await file.handle.close();
    return joined;
  }

  it("reads lines across chunks, with CR and LF on both sides of a boundary", async () => {
    for (const extra of [0, 1, 2]) {
      const text = `${"x".repeat(256 * 1024 - 1 + extra)}\r\nsecond\r\nthird`;
      const page = await read(text);
      expect(page.lines.map(({ characters, ending }) => [characters, ending])).toEqual([
        [256 * 1024 - 1 + extra, "\r\n"],
        [6, "\r\n"],
        [5, ""],
      ]);
      expect(texts(await read(text, { offset: -2 }))).toEqual(["second", "third"]);
    }
  });

  describe("of a file too large to count", () => {
    const path = () => join(folder, "large.log");
    const large = (request: Partial<PageRequest>) =>
      withOpenFile({ path: path(), shown: "large.log" }, (file) =>
        readPage(file, "large.log", { ...WHOLE, ...request }),
      );

    beforeAll(async () => {
      const block = Buffer.from(Array.from({ length: 20_000 }, (_, index) => `entry ${index}\n`).join(""));
      const file = await open(path(), "w");
      for (let written = 0; written < 20 * 1024 * 1024; written += block.length) await file.write(block);
      await file.write(Buffer.from("the caf\xe9 line\nlast line", "latin1"));
      await file.close();
    });

    it("finds the last lines without their numbers, and reads on by offsets from the end", async () => {
      const page = await large({ offset: -3, limit: 2 });
      expect(texts(page)).toEqual(["entry 19999", "the café line"]);
      expect(page).toMatchObject({ startLine: undefined, totalLines: undefined, nextOffset: -1 });
      expect(await large({ offset: -1 })).toMatchObject({ nextOffset: undefined, finalNewline: false });
    });

    it("gives a page at the start without the total", async () => {
      const page = await large({ offset: 20_001, limit: 1 });
      expect(texts(page)).toEqual(["entry 0"]);
      expect(page).toMatchObject({ startLine: 20_001, totalLines: undefined, nextOffset: 20_002 });
    });

    it("knows the total once the end is reached", async () => {
      const page = await large({ offset: 100_000_000 });
      expect(page.lines).toEqual([]);
      expect(page.totalLines! % 20_000).toBe(2);
    });
  });
});
