import { statSync, truncateSync, writeFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { writeWorkspace } from "../../../test/support/write-workspace.ts";
import { encodeText, type TextEncoding } from "./text-encoding.ts";

describe("FileWriteTool writes in an encoding", () => {
  it.each<TextEncoding>([
    { name: "utf-8", bom: true },
    { name: "utf-16le", bom: true },
    { name: "utf-16be", bom: true },
    { name: "utf-16le", bom: false },
  ])("keeps the encoding of a file in %j, and its mark once", async (encoding) => {
    const { write, bytes } = await writeWorkspace({ "a.txt": encodeText("one line of text\n", encoding) });
    const result = await write({ content: `${encoding.bom ? "\ufeff" : ""}café\n` });
    expect(result.text).toMatch(/Written as UTF-.*, as it was\./);
    expect(result.data).toMatchObject({ encoding: encoding.name });
    expect(bytes()).toEqual(encodeText("café\n", encoding));
  });

  it("writes UTF-8 over Latin-1, and says so", async () => {
    const { write, bytes } = await writeWorkspace({ "a.txt": Buffer.from("caf\xe9\n", "latin1") });
    expect((await write({ content: "café 日\n" })).text).toContain(
      "Before, it was Latin-1 (Windows-1252); now it is UTF-8.",
    );
    expect(bytes()).toEqual(Buffer.from("café 日\n"));
  });
});

describe("FileWriteTool appends", () => {
  it("to the end, and says how much there is now", async () => {
    const { write, text } = await writeWorkspace({ "a.txt": "one\n" });
    expect(await write({ content: "two\nthree\n", mode: "append" })).toMatchObject({
      success: true,
      text: "Appended 2 lines, 10 bytes to a.txt. It has 3 lines, 14 bytes now.",
      data: { type: "append", lines: 3, bytes: 14, lines_added: 2, lines_removed: 0 },
    });
    expect(text()).toBe("one\ntwo\nthree\n");
  });

  it("to a last line without a newline, and says so", async () => {
    const { write, text } = await writeWorkspace({ "a.txt": "one" });
    expect((await write({ content: "two\n", mode: "append" })).text).toContain("the text continues its last line.");
    expect(text()).toBe("onetwo\n");
  });

  it("to a file that is not there yet, by creating it", async () => {
    const { write, text } = await writeWorkspace();
    expect((await write({ content: "one\n", mode: "APPEND" })).text).toBe("Created a.txt: 1 line, 4 bytes.");
    expect(text()).toBe("one\n");
  });

  it.each<TextEncoding>([
    { name: "utf-16le", bom: true },
    { name: "utf-8", bom: true },
    { name: "windows-1252", bom: false },
  ])("in the encoding of the file: %j", async (encoding) => {
    const { write, bytes } = await writeWorkspace({ "a.txt": encodeText("café\r\n", encoding) });
    expect((await write({ content: "thé\r\n", mode: "append" })).success).toBe(true);
    expect(bytes()).toEqual(encodeText("café\r\nthé\r\n", encoding));
  });

  it("nothing that the encoding has no place for", async () => {
    const { write, bytes } = await writeWorkspace({ "a.txt": Buffer.from("caf\xe9\n", "latin1") });
    expect((await write({ content: "日\n", mode: "append" })).error?.code).toBe("invalid_input");
    expect(bytes()).toEqual(Buffer.from("caf\xe9\n", "latin1"));
  });

  it("nothing to what is no text, or too large", async () => {
    const { write, path } = await writeWorkspace({ "a.txt": Buffer.from("PK\x03\x04\0\0\0\0", "latin1"), "b.txt": "" });
    expect((await write({ content: "x", mode: "append" })).error).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("ZIP"),
    });
    truncateSync(path("b.txt"), 200_000_000);
    expect((await write({ file_path: "b.txt", content: "x", mode: "append" })).error?.code).toBe("limit_exceeded");
    expect(statSync(path("b.txt")).size).toBe(200_000_000);
  });

  it("after what others added, and says so", async () => {
    const { write, read, text, path } = await writeWorkspace({ "a.txt": "one\n" });
    await read();
    writeFileSync(path(), "theirs\n", { flag: "a" });
    const result = await write({ content: "mine\n", mode: "append" });
    expect(result).toMatchObject({ success: true, data: { changed_since_read: true } });
    expect(result.text).toContain("The file had changed since this session last read it");
    expect(text()).toBe("one\ntheirs\nmine\n");
    expect((await write({ content: "whole\n" })).error?.code).toBe("conflict");
  });

  it("from many calls at once, and loses none", async () => {
    const { write, text } = await writeWorkspace();
    const calls = Array.from({ length: 20 }, (_, index) => write({ content: `${index}\n`, mode: "append" }));
    expect((await Promise.all(calls)).every(({ success }) => success)).toBe(true);
    expect(
      text()
        .split("\n")
        .filter(Boolean)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });
});
