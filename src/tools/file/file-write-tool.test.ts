import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ESCAPES, layTrap } from "../../../test/support/escapes.ts";
import { writeWorkspace } from "../../../test/support/write-workspace.ts";

describe("FileWriteTool", () => {
  it("replaces a very large file without reading it, and refuses to append to one at once", async () => {
    const { write, path, text } = await writeWorkspace({ "a.txt": "" });
    truncateSync(path(), 2 ** 40);
    expect(await write({ content: "x", mode: "append" })).toMatchObject({ error: { code: "limit_exceeded" } });
    expect(await write({ content: "tiny\n" })).toMatchObject({
      text: `Replaced a.txt: 1 line, 5 bytes (before: ${2 ** 40} bytes).`,
      data: { type: "update", patch_truncated: true },
    });
    expect(text()).toBe("tiny\n");
  });

  it("creates a file with its folders, and says so", async () => {
    const { write, path, text } = await writeWorkspace();
    expect(await write({ file_path: "sub/deep/a.txt", content: "one\ntwo\n" })).toMatchObject({
      success: true,
      text: "Created sub/deep/a.txt: 2 lines, 8 bytes.",
      data: {
        type: "create",
        file_path: path("sub/deep/a.txt"),
        bytes: 8,
        lines: 2,
        encoding: "utf-8",
        changed_since_read: false,
        lines_added: 2,
        lines_removed: 0,
        patch_truncated: false,
      },
    });
    expect(text("sub/deep/a.txt")).toBe("one\ntwo\n");
    expect(readdirSync(path("sub/deep"))).toEqual(["a.txt"]);
  });

  it("replaces a file that the session never read, and shows what changed", async () => {
    const { write, text } = await writeWorkspace({ "a.txt": "one\ntwo\nthree\n" });
    const result = await write({ content: "one\n2\nthree\n" });
    expect(result.text).toBe(
      "Replaced a.txt: 3 lines, 12 bytes (before: 3 lines, 14 bytes).\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
    );
    expect(result.data).toMatchObject({
      type: "update",
      lines_added: 1,
      lines_removed: 1,
      structured_patch: [
        { old_start: 1, old_lines: 3, new_start: 1, new_lines: 3, lines: [" one", "-two", "+2", " three"] },
      ],
    });
    expect(text()).toBe("one\n2\nthree\n");
  });

  it("says that the content is there already, and writes nothing", async () => {
    const { write, path } = await writeWorkspace({ "a.txt": "same\n" });
    const before = statSync(path(), { bigint: true });
    expect(await write({ content: "same\n" })).toMatchObject({
      success: true,
      text: "a.txt has exactly this content already: 1 line, 5 bytes. Nothing was written.",
      data: { type: "unchanged", lines_added: 0, structured_patch: [] },
    });
    expect(statSync(path(), { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs });
  });

  it.each([
    ["file_path", "content"],
    ["path", "contents"],
    ["filePath", "text"],
    ["absolute_path", "file_text"],
    ["relative_path", "data"],
    ["filename", "CONTENT"],
  ])("takes %s and %s", async (pathName, contentName) => {
    const { pawl, text } = await writeWorkspace();
    const payload = { [pathName]: "a.txt", [contentName]: "x\n" };
    expect((await pawl.call("Write", payload)).success).toBe(true);
    expect(text()).toBe("x\n");
  });

  it.each(["Write", "write_file", "create_text_file", "WRITE"])("answers to the name %s", async (name) => {
    const { pawl } = await writeWorkspace();
    const result = await pawl.call(name, { file_path: "a.txt", content: "" });
    expect(result).toMatchObject({ success: true, meta: { tool: "FileWriteTool" } });
  });

  it("takes empty content for what it is", async () => {
    const { write, text } = await writeWorkspace({ "a.txt": "x\n" });
    expect((await write({ content: "" })).text).toMatch(
      /^Replaced a\.txt: 0 lines, 0 bytes \(before: 1 line, 2 bytes\)\./,
    );
    expect(text()).toBe("");
    expect((await write({ file_path: "b.txt", content: "" })).text).toBe("Created b.txt: 0 lines, 0 bytes.");
  });

  it("writes content as it is: line ends, dollars, words that mean nothing", async () => {
    const { write, bytes } = await writeWorkspace();
    for (const content of ["a\r\nb\rc\n", "$& $1 $$", "null", "undefined", " \t\n\n", "\u0000\u0001", "😀é"]) {
      await write({ content });
      expect(bytes()).toEqual(Buffer.from(content));
    }
  });

  it("keeps any content, byte for byte", async () => {
    const { write, bytes } = await writeWorkspace();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (content) => {
        await write({ file_path: "fresh.txt", content });
        return bytes("fresh.txt").equals(Buffer.from(content));
      }),
      { numRuns: 40 },
    );
  });

  it("says when the line ends are others than before", async () => {
    const { write } = await writeWorkspace({ "a.txt": "one\r\ntwo\r\n" });
    expect((await write({ content: "one\nzwei\n" })).text).toContain(
      "Lines ended with CRLF before, and end with LF now.",
    );
    expect((await write({ content: "one\r\nzwei\n" })).text).toContain("and end with LF and CRLF now.");
  });

  it("replaces what is no text, and says what it was", async () => {
    const { write, text } = await writeWorkspace({ "a.txt": Buffer.from("PK\x03\x04\0\0\0\0", "latin1") });
    expect((await write({ content: "x\n" })).text).toBe(
      "Replaced a.txt: 1 line, 2 bytes (before: 8 bytes).\nBefore, it was a ZIP archive (also .docx, .xlsx, .ods, .jar).",
    );
    expect(text()).toBe("x\n");
  });

  it("replaces a file too large for a diff in constant memory", async () => {
    const { write, path, text } = await writeWorkspace({ "a.txt": "" });
    truncateSync(path(), 50_000_000);
    expect(await write({ content: "x\n" })).toMatchObject({
      success: true,
      text: "Replaced a.txt: 1 line, 2 bytes (before: 50000000 bytes).",
      data: { patch_truncated: true, structured_patch: [] },
    });
    expect(text()).toBe("x\n");
  });

  it("keeps mode and link, and says which hard links keep the old content", async () => {
    const { write, path, text } = await writeWorkspace({ "a.txt": "old\n" });
    chmodSync(path(), 0o750);
    symlinkSync("a.txt", path("link"));
    linkSync(path(), path("twin"));
    const result = await write({ file_path: "link", content: "new\n" });
    expect(result.text).toContain("Another name (hard link) of the file keeps the old content.");
    expect(result.data).toMatchObject({ file_path: path() });
    expect(statSync(path()).mode & 0o777).toBe(0o750);
    expect(lstatSync(path("link")).isSymbolicLink()).toBe(true);
    expect([text(), text("twin")]).toEqual(["new\n", "old\n"]);
  });

  it("makes the file that a link inside the workspace promises", async () => {
    const { write, path, text } = await writeWorkspace();
    symlinkSync("later.txt", path("link"));
    expect((await write({ file_path: "link", content: "x\n" })).text).toMatch(/^Created later\.txt/);
    expect(text("later.txt")).toBe("x\n");
  });

  it("cuts the diff of a large change", async () => {
    const { write } = await writeWorkspace({ "a.txt": "a\n".repeat(5000) });
    const result = await write({ content: "b\n".repeat(5000) });
    expect(result.text).toContain("(cut: in all 5000 lines added, 5000 removed)");
    expect(result.text.split("\n").length).toBeLessThan(100);
    expect(result.data).toMatchObject({ lines_added: 5000, lines_removed: 5000, patch_truncated: true });
  });
});

describe("FileWriteTool tells a conflict", () => {
  it("when somebody has changed the file since the session read it, and writes nothing", async () => {
    const { write, read, text, path } = await writeWorkspace({ "a.txt": "seed\n" });
    await read();
    writeFileSync(path(), "theirs\n", { flag: "a" });
    expect((await write({ content: "mine\n" })).error).toEqual({
      code: "conflict",
      message: "a.txt has changed since this session last read it. Nothing was written.",
      hint: "Read it again with FileReadTool, then write what it should become.",
      retryable: false,
    });
    expect(text()).toBe("seed\ntheirs\n");
    await read();
    expect((await write({ content: "mine\n" })).success).toBe(true);
  });

  it("when somebody has changed it since the session wrote it", async () => {
    const { write, text, path } = await writeWorkspace();
    await write({ content: "one\n" });
    expect((await write({ content: "two\n" })).success).toBe(true);
    writeFileSync(path(), "theirs\n");
    expect((await write({ content: "three\n" })).error?.code).toBe("conflict");
    expect(text()).toBe("theirs\n");
  });

  it("but not when the file was only touched, changed back, or already is what was to be written", async () => {
    const { write, read, path } = await writeWorkspace({ "a.txt": "seed\n" });
    await read();
    unlinkSync(path());
    writeFileSync(path(), "seed\n");
    expect((await write({ content: "one\n" })).success).toBe(true);
    writeFileSync(path(), "two\n");
    expect((await write({ content: "two\n" })).data).toMatchObject({ type: "unchanged", changed_since_read: true });
    expect((await write({ content: "three\n" })).success).toBe(true);
  });

  it("but not when the file was removed", async () => {
    const { write, read, path } = await writeWorkspace({ "a.txt": "seed\n" });
    await read();
    unlinkSync(path());
    expect((await write({ content: "one\n" })).text).toMatch(/^Created/);
  });

  it("for each session by itself", async () => {
    const { pawl, read, path } = await writeWorkspace({ "a.txt": "seed\n" });
    await read();
    writeFileSync(path(), "theirs\n");
    const other = await pawl.call("Write", { file_path: "a.txt", content: "x\n" }, { sessionId: "other" });
    expect(other.success).toBe(true);
  });

  it("of a file too large to remember by content", async () => {
    const { pawl, write, path } = await writeWorkspace({ "a.txt": "x\n".repeat(9_000_000) });
    await pawl.call("Read", { file_path: "a.txt", limit: 1 });
    writeFileSync(path(), "y", { flag: "r+" });
    expect((await write({ content: "mine\n" })).error?.code).toBe("conflict");
    await pawl.call("Read", { file_path: "a.txt", limit: 1 });
    expect((await write({ content: "mine\n" })).success).toBe(true);
  });
});

describe("FileWriteTool refuses", () => {
  it.each(ESCAPES)("%s, as denied, and leaves everything as it was (REQ-062-123)", async (escape) => {
    const { pawl, write } = await writeWorkspace();
    const { path, expectUntouched } = layTrap(pawl, escape);
    for (const mode of ["rewrite", "append"]) {
      const result = await write({ file_path: path, content: "mine\n", mode });
      expect(result).toMatchObject({ success: false, error: { code: "denied" } });
    }
    expectUntouched();
  });

  it.each([
    ["a folder", (path: string) => mkdirSync(path), "is a directory"],
    ["a named pipe", (path: string) => execFileSync("mkfifo", [path]), "is a named pipe"],
  ])("%s", async (_name, make, says) => {
    const { write, path } = await writeWorkspace();
    make(path());
    const result = await write({ content: "x" });
    expect(result.error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(says) });
    expect(result.meta.duration_ms).toBeLessThan(2000);
  });

  it("a place below a file", async () => {
    const { write } = await writeWorkspace({ "a.txt": "x\n" });
    expect((await write({ file_path: "a.txt/b/c.txt", content: "x" })).error).toMatchObject({
      code: "invalid_input",
      message: "a.txt is a file, so nothing can lie in it.",
    });
  });

  it("a read-only file", async () => {
    const { write, path, text } = await writeWorkspace({ "a.txt": "old\n" });
    chmodSync(path(), 0o444);
    expect((await write({ content: "new\n" })).error).toMatchObject({
      code: "io_error",
      message: "a.txt is read-only (mode 444).",
    });
    expect(text()).toBe("old\n");
  });

  it("a name that is too long", async () => {
    const { write } = await writeWorkspace();
    expect((await write({ file_path: "x".repeat(300), content: "" })).error?.code).toBe("invalid_input");
  });

  it("half a surrogate pair, which no file can hold", async () => {
    const { write, path } = await writeWorkspace();
    expect((await write({ content: "\ud83d" })).error?.code).toBe("invalid_input");
    expect(readdirSync(path("."))).toEqual([]);
  });

  it.each([
    [{}, "content is missing"],
    [{ content: null }, "content is null; accepted: a string"],
    [{ content: ["x"] }, 'content is ["x"]; accepted: a string'],
    [{ content: "a", contents: "b" }, "content and contents are the same parameter with different values"],
    [{ content: "a", mode: "prepend" }, 'mode is "prepend"; accepted: "rewrite", "append"'],
    [{ content: "a", file_path: "" }, 'file_path is ""; accepted: a length of at least 1'],
    [{ content: "a", encoding: "latin1" }, 'FileWriteTool has no parameter "encoding"'],
  ])("%j, and says why (REQ-062-125)", async (payload, message) => {
    const { write, path } = await writeWorkspace();
    expect((await write(payload)).error).toMatchObject({ code: "invalid_input", message });
    expect(readdirSync(path("."))).toEqual([]);
  });

  it("everything in plan mode, and to callers who may only read", async () => {
    const { pawl, path } = await writeWorkspace();
    const payload = { file_path: "a.txt", content: "x" };
    expect((await pawl.call("Write", payload, { caller: { role: "read" } })).error?.code).toBe("denied");
    await pawl.call("EnterPlanMode", {});
    expect((await pawl.call("Write", payload)).error?.code).toBe("denied");
    expect(readdirSync(path("."))).toEqual([]);
  });

  it("to go on when it is cancelled", async () => {
    const { pawl, path } = await writeWorkspace();
    const payload = { file_path: "sub/a.txt", content: "x" };
    const result = await pawl.call("Write", payload, { signal: AbortSignal.abort() });
    expect(result.error?.code).toBe("cancelled");
    expect(readdirSync(path("."))).toEqual([]);
  });

  it("to go on after its deadline", async () => {
    const { pawl, path } = await writeWorkspace({ "a.txt": "" });
    truncateSync(path(), 2_000_000_000);
    const result = await pawl.call("Write", { file_path: "a.txt", content: "x" }, { timeoutMs: 1 });
    expect(result.error?.code).toBe("timeout");
    expect(statSync(path()).size).toBe(2_000_000_000);
  });
});
