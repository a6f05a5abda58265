import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ESCAPES, layTrap } from "../../../test/support/escapes.ts";
import { testApp } from "../../../test/support/test-app.ts";
import { createApp } from "../../app/create-app.ts";
import { FILE_TOOLS } from "../../registry/catalog/file.ts";
import type { WithFileLock } from "../tool-services.ts";

async function withFile(content: string | Uint8Array = "one\ntwo\nthree\n") {
  const pawl = await testApp();
  const path = pawl.file("a.txt", content);
  const edit = (payload: Record<string, unknown>) => pawl.call("FileEditTool", { file_path: "a.txt", ...payload });
  const replace = (old_string: string, new_string: string, more: object = {}) =>
    edit({ old_string, new_string, ...more });
  const read = () => pawl.call("FileReadTool", { file_path: "a.txt" });
  const text = () => readFileSync(path, "utf8");
  return { pawl, path, edit, replace, read, text };
}

describe("FileEditTool", () => {
  it("replaces the one place, says on which line, and shows the change", async () => {
    const { replace, text, path } = await withFile();
    const result = await replace("two", "2");
    expect(result.text).toBe("Edited a.txt: 1 replacement on line 2.\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three");
    expect(result.data).toEqual({
      file_path: path,
      replacements: 1,
      edits: [{ replacements: 1, lines: [2] }],
      created: false,
      dry_run: false,
      changed_since_read: false,
      encoding: "utf-8",
      lines_added: 1,
      lines_removed: 1,
      structured_patch: [
        { old_start: 1, old_lines: 3, new_start: 1, new_lines: 3, lines: [" one", "-two", "+2", " three"] },
      ],
      patch_truncated: false,
    });
    expect(text()).toBe("one\n2\nthree\n");
  });

  it("replaces every place with replace_all, and says on which lines", async () => {
    const { replace, text } = await withFile("x\ny x\nz\nx x\n");
    const result = await replace("x", "$&", { replace_all: true });
    expect(result.text).toContain("Edited a.txt: 4 replacements on lines 1, 2, 4.");
    expect(text()).toBe("$&\ny $&\nz\n$& $&\n");
  });

  it("names the first lines of very many places", async () => {
    const { replace } = await withFile("x\n".repeat(100));
    expect((await replace("x", "y", { replace_all: true })).text).toContain("100 replacements on lines 1, 2, 3, 4, 5");
  });

  it("replaces exactly as many places as expected_replacements says, or none", async () => {
    const { replace, text } = await withFile("x x\n");
    expect((await replace("x", "y", { expected_replacements: 1 })).error).toMatchObject({
      code: "conflict",
      message: "old_string is there 2 times in a.txt, not 1: lines 1, 1.",
    });
    expect(text()).toBe("x x\n");
    expect((await replace("x", "y", { expected_replacements: "2" })).success).toBe(true);
    expect(text()).toBe("y y\n");
  });

  it.each([
    ["old_string", "new_string", "replace_all"],
    ["oldString", "newString", "replaceAll"],
    ["old_str", "new_str", "allow_multiple"],
    ["oldText", "newText", "replaceAll"],
    ["search", "replace", "replace_all"],
    ["needle", "repl", "allow_multiple_occurrences"],
  ])("takes %s, %s and %s", async (old, fresh, all) => {
    const { pawl, text } = await withFile("x x\n");
    const payload = { path: "a.txt", [old]: "x", [fresh]: "y", [all]: true, instruction: "make it so" };
    expect(await pawl.call("Edit", payload)).toMatchObject({
      success: true,
      meta: { ignored_params: ["instruction"] },
    });
    expect(text()).toBe("y y\n");
  });

  it.each(["Edit", "MultiEdit", "replace", "edit_file", "edit_block", "replace_content", "str_replace"])(
    "answers to the name %s",
    async (name) => {
      const { pawl } = await withFile();
      const result = await pawl.call(name, { file_path: "a.txt", old_string: "one", new_string: "1" });
      expect(result).toMatchObject({ success: true, meta: { tool: "FileEditTool" } });
    },
  );

  it("takes empty and meaningless-looking texts as text", async () => {
    const { replace, text } = await withFile("null two undefined\n");
    await replace("null", "");
    await replace("undefined", "null");
    expect(text()).toBe(" two null\n");
  });

  it("fills an empty file, and creates a missing one, by an empty old text", async () => {
    const { pawl, replace, text } = await withFile("");
    expect((await replace("", "new\n")).text).toContain("Edited a.txt: 1 replacement on line 1.");
    expect(text()).toBe("new\n");
    const created = await pawl.call("Edit", { file_path: "sub/b.txt", old_string: "", new_string: "b\n" });
    expect(created).toMatchObject({ success: true, data: { created: true } });
    expect(created.text).toMatch(/^Created sub\/b\.txt/);
    expect(readFileSync(join(pawl.workspace, "sub/b.txt"), "utf8")).toBe("b\n");
  });

  it("keeps line ends, byte order mark, encoding, mode and link", async () => {
    const { pawl, path } = await withFile("\ufeffalpha\r\nbeta\r\ngamma");
    chmodSync(path, 0o755);
    symlinkSync("a.txt", join(pawl.workspace, "link"));
    const payload = { file_path: "link", old_string: "alpha\nbeta", new_string: "one\ntwo\nthree" };
    expect((await pawl.call("Edit", payload)).success).toBe(true);
    expect(readFileSync(path)).toEqual(Buffer.from("\ufeffone\r\ntwo\r\nthree\r\ngamma"));
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  it("keeps bytes that are no UTF-8", async () => {
    const { replace, path } = await withFile(Buffer.from("caf\xe9=1\nport=80\n", "latin1"));
    expect((await replace("port=80", "port=81")).data).toMatchObject({ encoding: "windows-1252" });
    expect(readFileSync(path, "latin1")).toBe("caf\xe9=1\nport=81\n");
  });

  it("only shows what would change with dryRun", async () => {
    const { replace, text, path } = await withFile();
    const before = statSync(path, { bigint: true });
    expect(await replace("two", "2", { dryRun: true })).toMatchObject({
      success: true,
      text: "Would edit a.txt: 1 replacement on line 2. Nothing was written.\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
      data: { dry_run: true, replacements: 1 },
    });
    expect(text()).toBe("one\ntwo\nthree\n");
    expect(statSync(path, { bigint: true }).ino).toBe(before.ino);
    expect((await replace("absent", "2", { dryRun: true })).error?.code).toBe("not_found");
  });

  it("changes nothing outside its match, whatever the text", async () => {
    const { pawl, path } = await withFile("");
    const part = fc.constantFrom("a", "b", "é", "\r\n", "\n", " ", "$1", "\t");
    const some = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(some, some, some, async (before, after, fresh) => {
        writeFileSync(path, `${before}<MARK>${after}`);
        const result = await pawl.call("Edit", { file_path: "a.txt", old_string: "<MARK>", new_string: `<${fresh}>` });
        const now = readFileSync(path, "utf8");
        return result.success && now.startsWith(`${before}<`) && now.endsWith(`>${after}`);
      }),
      { numRuns: 60 },
    );
  });

  it("finds what FileReadTool shows", async () => {
    const { pawl } = await withFile("");
    const line = fc.constantFrom("a", "b b", "\tindented", "", "é😀", "x  ", "“quoted”", "3\tnumbered");
    const ending = fc.constantFrom("\n", "\r\n", "\n");
    const text = fc.array(fc.tuple(line, ending), { minLength: 1, maxLength: 8 }).map((all) => all.flat().join(""));
    await fc.assert(
      fc.asyncProperty(text, fc.nat(), fc.nat({ max: 3 }), async (text, at, more) => {
        pawl.file("a.txt", text);
        const shown = (await pawl.call("Read", { file_path: "a.txt" })).text
          .split("\n")
          .filter((row) => /^\d+\t/.test(row));
        const bare = shown.map((row) => row.replace(/^\d+\t/, ""));
        const start = at % bare.length;
        const old_string = bare.slice(start, start + more + 1).join("\n");
        if (old_string === "") return true;
        const payload = { file_path: "a.txt", old_string, new_string: "~", replace_all: true, dry_run: true };
        return (await pawl.call("Edit", payload)).success;
      }),
      { numRuns: 60 },
    );
  });
});

describe("FileEditTool and other writers", () => {
  it("loses nothing when two runtimes edit at once: each edit is made or told as a conflict", async () => {
    const marks = Array.from({ length: 30 }, (_, index) => `<${index}>`);
    const { pawl, text } = await withFile(marks.join("\n"));
    const other = await createApp({ config: pawl.config });
    const caller = { id: "user:other", kind: "library", role: "write" } as const;
    const call = (index: number) => {
      const payload = { file_path: "a.txt", old_string: marks[index], new_string: `done ${index}` };
      if (index % 2 === 0) return pawl.call("Edit", payload);
      return other.runCall({ tool: "Edit", payload, cwd: pawl.workspace, sessionId: "other" }, caller);
    };
    const until = async (index: number): Promise<number> => {
      const { success, error } = await call(index);
      if (success) return 0;
      expect(error?.code).toBe("conflict");
      return 1 + (await until(index));
    };
    await Promise.all(marks.map((_, index) => until(index)));
    await other.close();
    expect(text()).toBe(marks.map((_, index) => `done ${index}`).join("\n"));
  });

  it("edits a file that has changed since it was read, where the text still is, and says so", async () => {
    const { pawl, replace, read, text, path } = await withFile();
    await read();
    writeFileSync(path, "theirs\none\ntwo\n");
    const result = await replace("two", "2");
    expect(result).toMatchObject({ success: true, data: { changed_since_read: true } });
    expect(result.text).toContain(
      "The file had changed since this session last read it; only the change asked for was made.",
    );
    expect(text()).toBe("theirs\none\n2\n");
    // The session still has not seen what the others wrote.
    expect((await pawl.call("Write", { file_path: "a.txt", content: "mine\n" })).error?.code).toBe("conflict");
    await read();
    expect((await replace("theirs", "ours")).data).toMatchObject({ changed_since_read: false });
  });

  it("says that the file has changed when the text is not there any more", async () => {
    const { replace, read, path } = await withFile();
    await read();
    writeFileSync(path, "other\n");
    const { error } = await replace("two", "2");
    expect(error).toMatchObject({
      code: "not_found",
      hint: expect.stringMatching(/^The file has changed since this session last read it: read it again\./),
    });
    expect((await replace("other", "x", { dry_run: true })).text).toContain("The file has changed since");
  });

  it.each(["FileEditTool", "FileWriteTool"])(
    "lets %s write nothing over a change that comes between read and write",
    async (name) => {
      const row = FILE_TOOLS.find((row) => row.name === name)!;
      const change = { at: "" };
      const withFileLock: WithFileLock = (critical) => {
        writeFileSync(change.at, "theirs\n");
        return critical();
      };
      const pawl = await testApp({ tools: [{ ...row, load: (services) => row.load({ ...services, withFileLock }) }] });
      change.at = pawl.file("a.txt", "one\n");
      const edit = { old_string: "one", new_string: "1" };
      const payload = { file_path: "a.txt", ...(name === "FileEditTool" ? edit : { content: "mine\n" }) };
      expect((await pawl.call(name, payload)).error).toMatchObject({
        code: "conflict",
        message: "a.txt was changed by someone else since it was read. Nothing was written.",
      });
      expect(readFileSync(change.at, "utf8")).toBe("theirs\n");
    },
  );

  it("edits its own edits without a word", async () => {
    const { replace } = await withFile();
    await replace("one", "1");
    expect((await replace("two", "2")).data).toMatchObject({ changed_since_read: false });
  });

  it("lets edits of one process take turns, so that none is lost", async () => {
    const marks = Array.from({ length: 20 }, (_, index) => `<${index}>`);
    const { replace, text } = await withFile(marks.join("\n"));
    const results = await Promise.all(marks.map((mark) => replace(mark, "done")));
    expect(results.every(({ success }) => success)).toBe(true);
    expect(text()).toBe(marks.map(() => "done").join("\n"));
  });
});

describe("FileEditTool refuses", () => {
  it.each(ESCAPES)("%s, as denied, and leaves everything as it was (REQ-062-123)", async (escape) => {
    const { pawl } = await withFile();
    const { path, expectUntouched } = layTrap(pawl, escape);
    for (const old_string of ["secret", ""]) {
      const result = await pawl.call("Edit", { file_path: path, old_string, new_string: "mine" });
      expect(result).toMatchObject({ success: false, error: { code: "denied" } });
    }
    expectUntouched();
  });

  it("a text that is not there, with the nearest place and what differs", async () => {
    const { replace, text } = await withFile("function  total(a) {\n  return “a”;\n}\n");
    const { error } = await replace('  return "a";', "x");
    expect(error?.code).toBe("not_found");
    expect(error?.message).toContain("line 2");
    expect(error?.message).toContain("quotes (straight or curly)");
    expect(text()).toContain("“a”");
  });

  it("a text that is there more than once, with the lines", async () => {
    const { replace, text } = await withFile("x = 1\ny\nx = 1\n");
    expect((await replace("x = 1", "x = 2")).error).toMatchObject({
      code: "conflict",
      message: "old_string is not unique: it is there 2 times in a.txt, on lines 1, 3.",
    });
    expect(text()).toBe("x = 1\ny\nx = 1\n");
  });

  it.each([
    [{ old_string: "one", new_string: "one" }, "old_string and new_string are the same"],
    [{ old_string: "", new_string: "x", replace_all: true }, "old_string is empty, but a.txt has content"],
    [{ old_string: "one" }, "new_string: is missing"],
    [{ new_string: "one" }, "old_string: is missing, and so is edits"],
    [{}, "old_string: is missing, and so is edits"],
    [{ old_string: "one", new_string: "1", mode: "regex" }, 'mode is "regex"; accepted: "literal"'],
    [{ old_string: "one", new_string: "1", replace_all: "maybe" }, 'replace_all is "maybe"; accepted: a boolean'],
    [
      { old_string: "one", new_string: "1", expected_replacements: 0 },
      "expected_replacements is 0; accepted: at least 1",
    ],
    [
      { old_string: "one", old_str: "two", new_string: "1" },
      "old_string and old_str are the same parameter with different values",
    ],
    [{ old_string: "one", new_string: ["1"] }, 'new_string is ["1"]; accepted: a string'],
    [{ old_string: "one", new_string: "1", olds: 1 }, 'FileEditTool has no parameter "olds"'],
    [{ old_string: "one", new_string: "\ud83d" }, "half a character"],
  ])("%j, and says why (REQ-062-125)", async (payload, message) => {
    const { edit, text } = await withFile();
    expect((await edit(payload)).error).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(message),
    });
    expect(text()).toBe("one\ntwo\nthree\n");
  });

  it("a missing file, with the nearest names", async () => {
    const { edit } = await withFile();
    expect((await edit({ file_path: "A.txt", old_string: "a", new_string: "b" })).error).toMatchObject({
      code: "not_found",
      hint: "A name that looks alike but is written otherwise exists: a.txt.",
    });
  });

  it("folders, pipes and files that are no text", async () => {
    const { pawl, replace, path } = await withFile(Buffer.from("PK\x03\x04\0\0\0\0", "latin1"));
    expect((await replace("PK", "KP")).error).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("ZIP"),
    });
    unlinkSync(path);
    mkdirSync(path);
    expect((await replace("a", "b")).error?.message).toBe("a.txt is a directory, not a file.");
    execFileSync("mkfifo", [join(pawl.workspace, "p")]);
    expect((await pawl.call("Edit", { file_path: "p", old_string: "a", new_string: "b" })).error?.code).toBe(
      "invalid_input",
    );
  });

  it("a file that is too large, unread", async () => {
    const { replace, path } = await withFile("");
    truncateSync(path, 1_000_000_000);
    expect((await replace("a", "b")).error?.code).toBe("limit_exceeded");
  });

  it("a read-only file", async () => {
    const { replace, text, path } = await withFile();
    chmodSync(path, 0o444);
    expect((await replace("one", "1")).error?.code).toBe("io_error");
    expect(text()).toBe("one\ntwo\nthree\n");
  });

  it("to go on when it is cancelled or late, and leaves the file and nothing else", async () => {
    const content = "x\n".repeat(500_000);
    const { pawl, text } = await withFile(content);
    const payload = { file_path: "a.txt", old_string: "x", new_string: "y", replace_all: true };
    expect((await pawl.call("Edit", payload, { signal: AbortSignal.abort() })).error?.code).toBe("cancelled");
    expect((await pawl.call("Edit", payload, { timeoutMs: 1 })).error?.code).toBe("timeout");
    expect(text() === content).toBe(true);
    expect(readdirSync(pawl.workspace)).toEqual(["a.txt"]);
  });

  it("everything in plan mode", async () => {
    const { pawl, replace, text } = await withFile();
    await pawl.call("EnterPlanMode", {});
    expect((await replace("one", "1")).error?.code).toBe("denied");
    expect(text()).toBe("one\ntwo\nthree\n");
  });
});
