import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { ESCAPES, layTrap } from "../../../test/support/escapes.ts";
import { testApp } from "../../../test/support/test-app.ts";
import { fileFingerprint } from "../../store/session-queries.ts";
import type { TextData } from "./read-text.ts";
import { encodeText, type TextEncoding } from "./text-encoding.ts";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

async function withFile(content: string | Uint8Array, name = "a.txt") {
  const pawl = await testApp();
  pawl.file(name, content);
  const read = (payload: Record<string, unknown> = {}) => pawl.call("FileReadTool", { file_path: name, ...payload });
  const data = async (payload: Record<string, unknown> = {}) => (await read(payload)).data as TextData;
  return { pawl, read, data };
}

describe("FileReadTool reads text", () => {
  it.skipIf(process.platform !== "linux")("of a file that says that its size is 0", async () => {
    const pawl = await testApp();
    const version = readFileSync("/proc/version", "utf8");
    expect(await pawl.call("Read", { file_path: "version" }, { cwd: "/proc" })).toMatchObject({
      success: true,
      text: `1\t${version.trimEnd()}`,
      data: { content: version, total_lines: 1, size_bytes: version.length },
    });
  });

  it("as numbered lines, and says no more when that is the whole file", async () => {
    const { pawl, read } = await withFile("one\n\n\ttwo\n");
    const result = await read();
    expect(result).toMatchObject({ success: true, text: "1\tone\n2\t\n3\t\ttwo" });
    expect(result.data).toEqual({
      type: "text",
      file_path: join(pawl.workspace, "a.txt"),
      content: "one\n\n\ttwo\n",
      start_line: 1,
      num_lines: 3,
      total_lines: 3,
      next_offset: null,
      encoding: "utf-8",
      has_bom: false,
      line_endings: "lf",
      final_newline: true,
      cut_lines: [],
      size_bytes: 10,
    });
  });

  it("by page, and says which it is and how to read on", async () => {
    const { read } = await withFile(lines(5));
    expect((await read({ limit: 2 })).text).toBe("1\tline 1\n2\tline 2\n[Lines 1 to 2 of 5. Read on with offset 3.]");
    expect((await read({ offset: 3, limit: 1 })).text).toBe("3\tline 3\n[Line 3 of 5. Read on with offset 4.]");
    expect((await read({ offset: 4 })).text).toBe("4\tline 4\n5\tline 5\n[Lines 4 to 5 of 5, to the end of the file.]");
  });

  it("2000 lines at a time unless told otherwise", async () => {
    const { data } = await withFile("x\n".repeat(2500));
    expect(await data()).toMatchObject({ num_lines: 2000, total_lines: 2500, next_offset: 2001 });
  });

  it("so that a page fits the output limit by itself (P-012)", async () => {
    const { pawl, read, data } = await withFile(`${"x".repeat(99)}\n`.repeat(1000));
    const result = await read();
    expect(result.text.length).toBeLessThanOrEqual(pawl.config.output.max_characters);
    expect(result.meta.truncated).toBeUndefined();
    const { num_lines, next_offset } = result.data as TextData;
    expect(num_lines).toBeGreaterThan(200);
    expect(next_offset).toBe(num_lines + 1);
    expect(result.text).toContain(`[Lines 1 to ${num_lines} of 1000. Read on with offset ${next_offset}.]`);
    expect((await data({ offset: next_offset })).start_line).toBe(next_offset);
  });

  it("up to a million characters in data with allow_large, and keeps the long text in a file (P-012)", async () => {
    const { pawl, read } = await withFile(`${"x".repeat(99)}\n`.repeat(5000));
    const result = await read({ allow_large: true });
    expect((result.data as TextData).content).toBe(`${"x".repeat(99)}\n`.repeat(5000));
    expect(result.text.length).toBeLessThan(pawl.config.output.max_characters * 1.1);
    expect(result.meta).toMatchObject({ truncated: true, spill_path: expect.stringContaining(pawl.home) });
  });

  it("and cuts a very long line, with the way to read on in it", async () => {
    const line = "0123456789".repeat(1000);
    const { read, data } = await withFile(`${line}\nsecond\n`);
    const result = await read();
    expect(result.text).toBe(
      `1\t${line.slice(0, 2000)} [… 8000 more characters: read on with offset 1, character_offset 2000]\n2\tsecond`,
    );
    expect(await data()).toMatchObject({ cut_lines: [{ offset: 1, characters: 10_000, next_character_offset: 2000 }] });
    const rest = await read({ offset: 1, character_offset: 2000 });
    expect(rest.text).toBe(`1\t[from character 2000 on] ${line.slice(2000)}\n[Line 1 of 2. Read on with offset 2.]`);
  });

  it("all of a long line, part by part, without cutting a letter", async () => {
    const line = "é😀x".repeat(20_000);
    const { data } = await withFile(line);
    let [text, at] = ["", 0];
    for (let turn = 0; turn < 20; turn++) {
      const page = await data({ offset: 1, character_offset: at });
      text += page.content;
      const cut = page.cut_lines[0];
      if (!cut) break;
      at = cut.next_character_offset;
    }
    expect(text).toBe(line);
  });

  it("and says when a line does not reach the character asked for", async () => {
    const { read } = await withFile("short\n");
    expect(await read({ character_offset: 9 })).toMatchObject({
      success: true,
      text: "1\t[from character 9 on] \n[Line 1 has 5 characters, none at 9.]",
    });
  });

  it("and says that the last newline is missing", async () => {
    const { read, data } = await withFile("one\ntwo");
    expect((await read()).text).toBe("1\tone\n2\ttwo\n[The last line has no newline at its end.]");
    expect(await data()).toMatchObject({ final_newline: false, content: "one\ntwo" });
    expect(await data({ limit: 1 })).toMatchObject({ final_newline: null });
  });

  it.each([
    ["one\r\ntwo\r\n", "crlf", "[Lines end with CRLF.]"],
    ["one\rtwo\r", "cr", "[Lines end with CR.]"],
    ["one\r\ntwo\n", "mixed", "[Some lines end with CRLF, some with LF.]"],
  ])("and says how the lines of %j end", async (content, line_endings, note) => {
    const { read, data } = await withFile(content);
    expect((await read()).text).toBe(`1\tone\n2\ttwo\n${note}`);
    expect(await data()).toMatchObject({ line_endings, content, num_lines: 2 });
  });

  it.each<[TextEncoding, string]>([
    [{ name: "utf-8", bom: true }, "UTF-8 with BOM"],
    [{ name: "utf-16le", bom: true }, "UTF-16 LE with BOM"],
    [{ name: "utf-16be", bom: true }, "UTF-16 BE with BOM"],
    [{ name: "utf-16le", bom: false }, "UTF-16 LE"],
    [{ name: "windows-1252", bom: false }, "Latin-1 (Windows-1252)"],
  ])("in %j, and says so", async (encoding, label) => {
    const { read, data } = await withFile(encodeText("café one\ncafé two\n", encoding));
    expect((await read()).text).toBe(`1\tcafé one\n2\tcafé two\n[The encoding is ${label}.]`);
    expect(await data()).toMatchObject({ encoding: encoding.name, has_bom: encoding.bom });
  });

  it("that is empty, and says so", async () => {
    const { read, data } = await withFile("");
    expect(await read()).toMatchObject({ success: true, text: "[a.txt is empty.]" });
    expect(await data()).toMatchObject({ content: "", num_lines: 0, total_lines: 0, next_offset: null });
    const bom = await withFile("\ufeff");
    expect((await bom.read()).text).toContain("[a.txt is empty but for a byte order mark.]");
  });

  it("past its end, and says how many lines there are", async () => {
    const { read } = await withFile("one\n");
    expect(await read({ offset: 5 })).toMatchObject({
      success: true,
      text: "[a.txt has 1 line; offset 5 is past its end.]",
    });
  });

  it.each([
    [{}, 1, 5],
    [{ offset: 0, limit: 2000 }, 1, 5],
    [{ offset: "2", limit: "1" }, 2, 2],
    [{ start_line: 1, end_line: 2000 }, 1, 5],
    [{ startLine: 2, endLine: 3 }, 2, 3],
    [{ view_range: [2, 3] }, 2, 3],
    [{ view_range: "[4, -1]" }, 4, 5],
    [{ head: 2 }, 1, 2],
    [{ tail: 2 }, 4, 5],
    [{ offset: -2 }, 4, 5],
    [{ offset: -5, length: 5 }, 1, 5],
    [{ offset: 1, length: 2 }, 2, 3],
    [{ offset: null, limit: "", pages: "" }, 1, 5],
  ])("of the lines that %j asks for", async (payload, first, last) => {
    const { data } = await withFile(lines(5));
    expect(await data(payload)).toMatchObject({
      start_line: first,
      num_lines: last - first + 1,
      content: lines(5)
        .split(/(?<=\n)/)
        .slice(first - 1, last)
        .join(""),
    });
  });

  it.each(["file_path", "path", "filePath", "filepath", "absolute_path", "relative_path", "notebook_path", "filename"])(
    "of the file that %s names",
    async (name) => {
      const pawl = await testApp();
      pawl.file("a.txt", "one\n");
      expect(await pawl.call("Read", { [name]: "a.txt" })).toMatchObject({ success: true, text: "1\tone" });
    },
  );

  it.each(["Read", "View", "read_file", "read_text_file", "FileRead"])("under the name %s", async (name) => {
    const pawl = await testApp();
    pawl.file("a.txt", "one\n");
    expect(await pawl.call(name, "a.txt")).toMatchObject({ success: true, meta: { tool: "FileReadTool" } });
  });

  it("from the end of a file too large to count, numbered from there", async () => {
    const { pawl, read } = await withFile("");
    const path = join(pawl.workspace, "a.txt");
    writeFileSync(
      path,
      "x"
        .repeat(1023)
        .concat("\n")
        .repeat(20 * 1024) + lines(3),
    );
    expect((await read({ tail: 2 })).text).toBe(
      "-2\tline 2\n-1\tline 3\n[Lines -2 to -1, counted from the end, to the end of the file.]",
    );
    expect((await read({ offset: -3, limit: 1 })).text).toContain("-3\tline 1\n[Line -3, counted from the end.");
    expect((await read({ offset: -3, limit: 1 })).text).toContain("Read on with offset -2.");
    expect((await read({ offset: -2, limit: 1 })).text).toContain("-2\tline 2\n");
    expect((await read({ limit: 1 })).text).toMatch(/\[Line 1\. The file has \d+ bytes\. Read on with offset 2\.\]$/);
  });

  it("whose name has every character that means something elsewhere", async () => {
    const { read } = await withFile("x\n", "app/(shop)/[id]/pa ge*?{a}.txt");
    expect((await read()).text).toBe("1\tx");
  });

  it("through a link that stays inside the workspace", async () => {
    const { pawl } = await withFile("x\n");
    symlinkSync("a.txt", join(pawl.workspace, "link"));
    expect(await pawl.call("Read", { file_path: "link" })).toMatchObject({ success: true, text: "1\tx" });
  });

  it("of a session's working directory, and of ~", async () => {
    const { pawl } = await withFile("x\n", "sub/a.txt");
    const result = await pawl.call("Read", { file_path: "a.txt" }, { cwd: join(pawl.workspace, "sub") });
    expect(result.text).toBe("1\tx");
    expect((await pawl.call("Read", { file_path: "~/a.txt" })).error?.code).toBe("denied");
  });

  it("that an earlier call spilled, by page (P-012)", async () => {
    const pawl = await testApp();
    const long = await pawl.call("BashTool", { command: "seq 1 20000" });
    const spill = long.meta.spill_path ?? "";
    expect(await pawl.call("Read", { file_path: spill, offset: 12_345, limit: 1 })).toMatchObject({
      success: true,
      text: "12345\t12345\n[Line 12345 of 20000. Read on with offset 12346.]",
    });
    expect((await pawl.call("Write", { file_path: spill, content: "x" })).error?.code).toBe("denied");
  });

  it("so that the pages joined are the file", async () => {
    const pawl = await testApp();
    const part = fc.constantFrom("a", "é", "😀", " ", "\n", "\n", "\r\n", "\t", "line");
    const text = fc.array(part, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (text, limit) => {
        pawl.file("p.txt", text);
        let joined = "";
        for (let offset: number | null = 1; offset !== null;) {
          const { data } = await pawl.call("Read", { file_path: "p.txt", offset, limit });
          const page = data as TextData;
          joined += page.content;
          offset = page.next_offset;
        }
        return joined === text;
      }),
      { numRuns: 40 },
    );
  });

  it("and remembers what the session has seen", async () => {
    const { pawl, read } = await withFile("one\n");
    const session = (await read()).meta.session_id;
    const seen = await fileFingerprint(pawl.app.services.store.db, session, join(pawl.workspace, "a.txt"));
    expect(seen).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe("FileReadTool refuses", () => {
  it.each(ESCAPES)("%s, as denied (REQ-062-123)", async (escape) => {
    const pawl = await testApp();
    const { path } = layTrap(pawl, escape);
    const result = await pawl.call("Read", { file_path: path });
    expect(result).toMatchObject({ success: false, error: { code: "denied" } });
    expect(JSON.stringify(result)).not.toContain("secret\\n");
  });

  it("a missing file, with the nearest names", async () => {
    const { read } = await withFile("x\n", "src/settings.ts");
    const result = await read({ file_path: "src/setings.ts" });
    expect(result.error).toMatchObject({
      code: "not_found",
      message: "src/setings.ts does not exist.",
      hint: "Nearest names: src/settings.ts.",
    });
    expect((await read({ file_path: "scr/settings.ts" })).error?.hint).toContain("Nearest names: src.");
  });

  it.each([
    ["a folder", async (path: string) => mkdirSync(path)],
    ["a named pipe", async (path: string) => void execFileSync("mkfifo", [path])],
    ["a socket", listen],
  ])("%s at once", async (_name, make) => {
    const pawl = await testApp();
    await make(join(pawl.workspace, "thing"));
    const result = await pawl.call("Read", { file_path: "thing" });
    expect(result.error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("not a file") });
    expect(result.meta.duration_ms).toBeLessThan(2000);
  });

  it.each([
    [{ offset: 10, start_line: 10 }, "start_line: says where to begin, as offset does; send only one of them"],
    [{ limit: 5, length: 5 }, "length: says where to end, as limit does; send only one of them"],
    [{ start_line: 3, end_line: 2 }, "end_line: ends with line 2, before it begins with line 3"],
    [{ limit: 0 }, "limit is 0; accepted: at least 1"],
    [{ limit: 1.5 }, "limit is 1.5; accepted: a whole number"],
    [{ offset: "many" }, 'offset is "many"; accepted: a number'],
    [{ view_range: [1] }, "view_range is [1]; accepted: a number of items of at least 2"],
    [{ file_path: "" }, 'file_path is ""; accepted: a length of at least 1'],
    [{ path: "b.txt" }, "file_path and path are the same parameter with different values"],
    [{ ofset: 3 }, 'FileReadTool has no parameter "ofset"'],
    [{ pages: "1" }, "pages is for PDF documents; a.txt is none (it is text)."],
  ])("%j, and says why (REQ-062-125)", async (payload, message) => {
    const { read } = await withFile("x\n");
    expect((await read(payload)).error).toMatchObject({ code: "invalid_input", message });
  });

  it("nothing but a call without a file (REQ-062-125)", async () => {
    const pawl = await testApp();
    expect((await pawl.call("Read", {})).error).toMatchObject({
      code: "invalid_input",
      message: "file_path is missing",
    });
  });

  it("to go on after its deadline, or when it is cancelled (P-013)", async () => {
    const { read, pawl } = await withFile("x\n".repeat(30_000_000));
    const payload = { file_path: "a.txt", offset: 1_000_000_000 };
    expect((await pawl.call("Read", payload, { timeoutMs: 1 })).error?.code).toBe("timeout");
    expect((await pawl.call("Read", payload, { signal: AbortSignal.abort() })).error?.code).toBe("cancelled");
    expect((await read(payload)).text).toContain("a.txt has 30000000 lines");
  });

  it("to touch anything: the workspace is as it was", async () => {
    const { pawl, read } = await withFile("x\n");
    await read();
    await read({ file_path: "absent/b.txt" });
    expect(readdirSync(pawl.workspace)).toEqual(["a.txt"]);
  });
});

async function listen(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
}
