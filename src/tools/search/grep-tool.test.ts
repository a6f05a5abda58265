import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appWith, grep, grepped, greppedLines, type SearchAnswer } from "../../../test/support/search-calls.ts";
import { testApp } from "../../../test/support/test-app.ts";
import type { GrepData } from "./grep-report.ts";

describe("GrepTool", () => {
  it("lists the files that match, newest first", async () => {
    const pawl = await testApp();
    for (const [name, seconds] of [
      ["old.txt", 1_000],
      ["new.txt", 3_000],
      ["mid.txt", 2_000],
    ] as const)
      utimesSync(pawl.file(name, "needle\n"), seconds, seconds);
    const { text, data } = await grep(pawl, { pattern: "needle" });
    expect(text).toBe("new.txt\nmid.txt\nold.txt\n\n[3 files, newest first]");
    expect(data).toEqual({
      mode: "files_with_matches",
      num_files: 3,
      filenames: ["new.txt", "mid.txt", "old.txt"],
      total_files: 3,
      truncated: false,
    });
  });

  it("shows matching lines in the order of path and line", async () => {
    const pawl = await appWith({ "b.txt": "x\nneedle 1\n", "a.txt": "needle 2 needle\ny\nneedle 3" });
    const { text, data } = await grep(pawl, { pattern: "needle", output_mode: "content" });
    expect(text).toBe("a.txt:1:needle 2 needle\na.txt:3:needle 3\nb.txt:2:needle 1\n\n[3 lines, 4 matches in 2 files]");
    expect(data).toMatchObject({ num_files: 2, num_lines: 3, num_matches: 4, total_lines: 3, total_files: 2 });
  });

  it("leaves out line numbers when told so", async () => {
    const pawl = await appWith({ "a.txt": "x\nneedle\n" });
    expect(await greppedLines(pawl, { pattern: "needle", "-n": false, "-B": 1 })).toEqual(["a.txt-x", "a.txt:needle"]);
  });

  it("counts matching lines, and matches with -o, with true totals whatever the page", async () => {
    const pawl = await appWith({ "a.txt": "n n\nn\n", "b.txt": "n\n", "c.txt": "n\n" });
    const { text, data } = await grep(pawl, { pattern: "n", output_mode: "count", head_limit: 1 });
    expect(text).toBe("a.txt:2\n\n[4 matching lines in 3 files]\n[Files 1 to 1 of 3. Read on with offset: 1.]");
    expect(data).toMatchObject({ num_files: 1, total_files: 3, num_matches: 4, truncated: true, content: "a.txt:2" });
    const matches = await grep(pawl, { pattern: "n", output_mode: "count", "-o": true });
    expect(matches.text).toBe("a.txt:3\nb.txt:1\nc.txt:1\n\n[5 matches in 3 files]");
  });

  it("shows context, each line once, with a mark between groups that lie apart", async () => {
    const pawl = await appWith({ "a.txt": "1\n2 n\n3\n4 n\n5\n6\n7\n8 n\n9\n", "b.txt": "n\n" });
    expect(await greppedLines(pawl, { pattern: "n", context: 1 })).toEqual([
      "a.txt-1-1",
      "a.txt:2:2 n",
      "a.txt-3-3",
      "a.txt:4:4 n",
      "a.txt-5-5",
      "--",
      "a.txt-7-7",
      "a.txt:8:8 n",
      "a.txt-9-9",
      "--",
      "b.txt:1:n",
    ]);
    expect(await greppedLines(pawl, { pattern: "8", "-C": 2, "-A": 0 })).toEqual([
      "a.txt-6-6",
      "a.txt-7-7",
      "a.txt:8:8 n",
    ]);
  });

  it("shows only what matched with -o", async () => {
    const pawl = await appWith({ "a.txt": "a1 b22\nc333\n" });
    expect(await greppedLines(pawl, { pattern: "[0-9]+", "-o": true, context: 3 })).toEqual([
      "a.txt:1:1",
      "a.txt:1:22",
      "a.txt:2:333",
    ]);
    expect(await greppedLines(pawl, { pattern: "22\nc", "-o": true, multiline: true })).toEqual([
      "a.txt:1:22",
      "a.txt:2:c",
    ]);
  });

  it("ignores case only when told so", async () => {
    const pawl = await appWith({ "a.txt": "Needle\n" });
    expect(await grepped(pawl, { pattern: "needle" })).toEqual([]);
    for (const how of [{ "-i": true }, { ignoreCase: "true" }, { case_sensitive: false }])
      expect(await grepped(pawl, { pattern: "needle", ...how })).toEqual(["a.txt"]);
  });

  it("matches across lines when told so, or when the pattern has a line end", async () => {
    const pawl = await appWith({ "a.txt": "start\nmid\nend x\nlast\n" });
    expect(await greppedLines(pawl, { pattern: "start.*end", multiline: true })).toEqual([
      "a.txt:1:start",
      "a.txt:2:mid",
      "a.txt:3:end x",
    ]);
    expect(await grepped(pawl, { pattern: "mid\nend", literal: true })).toEqual(["a.txt"]);
    expect(await greppedLines(pawl, { pattern: String.raw`mid\nend .` })).toEqual(["a.txt:2:mid", "a.txt:3:end x"]);
    expect(await grepped(pawl, { pattern: String.raw`start[^\n]*mid` })).toEqual([]);
    expect(await grepped(pawl, { pattern: String.raw`mid\\nend` })).toEqual([]);
  });

  it("finds $ before both kinds of line end, and \\r where it is asked for", async () => {
    const pawl = await appWith({ "dos.txt": "foo\r\nbar\r\n", "unix.txt": "foo\n" });
    expect(await greppedLines(pawl, { pattern: "foo$" })).toEqual(["dos.txt:1:foo", "unix.txt:1:foo"]);
    expect(await grepped(pawl, { pattern: String.raw`foo\r` })).toEqual(["dos.txt"]);
  });

  it("understands look-around and back-references", async () => {
    const pawl = await appWith({ "a.txt": "foobar\nfoobaz\nabab\n" });
    expect(await greppedLines(pawl, { pattern: "foo(?!bar)" })).toEqual(["a.txt:2:foobaz"]);
    expect(await greppedLines(pawl, { pattern: String.raw`(ab)\1` })).toEqual(["a.txt:3:abab"]);
  });

  it.each([
    [{ glob: "*.ts" }, ["a.ts", "x/c.ts"]],
    [{ glob: "*.{ts,js}" }, ["a.ts", "b.js", "x/c.ts"]],
    [{ glob: "*.ts, *.js" }, ["a.ts", "b.js", "x/c.ts"]],
    [{ glob: "*.ts *.js" }, ["a.ts", "b.js", "x/c.ts"]],
    [{ glob: "x/*.ts" }, ["x/c.ts"]],
    [{ glob: "./*.ts" }, ["a.ts"]],
    [{ glob: "!*.js" }, ["a.ts", "my file.txt", "x/c.ts"]],
    [{ glob: "my file.txt" }, ["my file.txt"]],
    [{ glob: "**/*" }, ["a.ts", "b.js", "my file.txt", "x/c.ts"]],
    [{ include: '["*.js","*.txt"]' }, ["b.js", "my file.txt"]],
    [{ include: ["*.js", "*.txt"] }, ["b.js", "my file.txt"]],
    [{ exclude: ["*.ts"] }, ["b.js", "my file.txt"]],
    [{ exclude_pattern: "!x/" }, ["a.ts", "b.js", "my file.txt"]],
    [{ type: "ts" }, ["a.ts", "x/c.ts"]],
    [{ type: "ts,js" }, ["a.ts", "b.js", "x/c.ts"]],
    [{ path: "x", glob: "x/*.ts" }, ["x/c.ts"]],
  ])("narrows the search by %j", async (how, expected) => {
    const pawl = await appWith({ "a.ts": "needle", "b.js": "needle", "x/c.ts": "needle", "my file.txt": "needle" });
    expect(await grepped(pawl, { pattern: "needle", ...how })).toEqual(expected);
  });

  it("says plainly that nothing matches, and when no file was searched", async () => {
    const pawl = await appWith({ "a.ts": "x", "b.ts": "x" });
    expect((await grep(pawl, { pattern: "needle" })).text).toBe('No matches for "needle" in 2 files searched.');
    const none = await grep(pawl, { pattern: "x", glob: "*.py", output_mode: "content" });
    expect(none.text).toBe('No matches for "x" in 0 files searched.\n[No file passes glob]');
    expect(none.data).toMatchObject({ num_files: 0, total_files: 0, content: "", truncated: false });
  });

  it.each(["files_with_matches", "content", "count"])("joins the pages of mode %s to the whole", async (mode) => {
    const files = Object.fromEntries(Array.from({ length: 23 }, (_, index) => [`f${index}.txt`, "n\nx\n\nx\nn\nn\n"]));
    const pawl = await appWith(files);
    const ask = { pattern: "n", output_mode: mode, context: 1 };
    const whole = await grep(pawl, { ...ask, head_limit: 0 });
    const pages: SearchAnswer<GrepData>[] = [];
    for (let offset = 0; ; offset += 7) {
      const page = await grep(pawl, { ...ask, head_limit: 7, offset });
      pages.push(page);
      if (!page.data.truncated) break;
      expect(page.text).toContain(`Read on with offset: ${offset + 7}.]`);
    }
    expect(pages.length).toBeGreaterThan(3);
    if (mode !== "content") expect(pages.flatMap((page) => page.data.filenames)).toEqual(whole.data.filenames);
    expect(pages.map((page) => page.data.content).join("\n")).toBe(
      mode === "files_with_matches" ? "\n".repeat(pages.length - 1) : whole.data.content,
    );
    expect(new Set(pages.map((page) => page.data.total_files))).toEqual(new Set([23]));
  });

  it("tells an offset past the end from no match", async () => {
    const pawl = await appWith({ "a.txt": "n\nn\n" });
    expect((await grep(pawl, { pattern: "n", offset: 9 })).text).toBe("[Nothing at offset 9: there is only 1 file]");
    const content = await grep(pawl, { pattern: "n", offset: 9, output_mode: "content" });
    expect(content.text).toBe("[Nothing at offset 9: there are only 2 lines]");
    expect(content.data).toMatchObject({ num_lines: 0, total_lines: 2, applied_offset: 9, truncated: false });
  });

  it("keeps totals true beyond the lines that it keeps", async () => {
    const text = "n n\nx\n".repeat(150);
    const pawl = await appWith(
      Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${String(index).padStart(2, "0")}.txt`, text])),
    );
    const ask = { pattern: "n", output_mode: "content", head_limit: 150 };
    const { data } = await grep(pawl, ask);
    expect(data).toMatchObject({ num_lines: 150, total_lines: 9_000, num_matches: 18_000, total_files: 60 });
    expect(data.filenames).toEqual(["f00.txt"]);
    expect((await grep(pawl, { ...ask, offset: 300 })).data.filenames).toEqual(["f02.txt"]);
    expect((await grep(pawl, { ...ask, "-o": true })).data.total_lines).toBe(18_000);
    expect((await grep(pawl, { ...ask, "-A": 1 })).data.total_lines).toBe(18_000);
  });

  it("stops in each file after max_matches_per_file", async () => {
    const pawl = await appWith({ "a.txt": "n\nn\nn\n", "b.txt": "n\n" });
    expect(await greppedLines(pawl, { pattern: "n", max_matches_per_file: 2 })).toEqual([
      "a.txt:1:n",
      "a.txt:2:n",
      "b.txt:1:n",
    ]);
    expect((await grep(pawl, { pattern: "n", max_matches_per_file: 2, output_mode: "count" })).data.num_matches).toBe(
      3,
    );
  });

  it("cuts a long line around its match", async () => {
    const pawl = await appWith({
      "min.js": `${"🙂".repeat(200_000)}<needle>${"y".repeat(500_000)}\n`,
      "head.js": `needle${"z".repeat(600)}`,
    });
    const { text, data } = await grep(pawl, { pattern: "needle", output_mode: "content" });
    expect(text).toMatch(/min\.js:1:\[… 399,8\d\d characters …\](?:🙂)+<needle>y+\[… \d+,\d+ characters …\]\n/u);
    expect(text).toContain("[Long lines are cut around the match, in head.js, min.js]");
    expect(text.isWellFormed()).toBe(true);
    expect(data.content?.length).toBeLessThan(1_300);
  });

  it("shows the match of a line that is too long to be read whole", async () => {
    const pawl = await appWith({ "huge.txt": `${"x".repeat(5_000_000)}needle${"x".repeat(100)}\nneedle 2\n` });
    const result = await greppedLines(pawl, { pattern: "needle" });
    expect(result).toEqual(["huge.txt:1:[… a line of more than 4 MiB …]needle[…]", "huge.txt:2:needle 2"]);
    expect((await greppedLines(pawl, { pattern: "needle 2", "-B": 1 }))[0]).toContain("a line of more than 4 MiB");
  });

  it("cuts the right one of several lines that match together", async () => {
    const pawl = await appWith({ "a.txt": `start\n${"x".repeat(2_000)}\n` });
    const result = await greppedLines(pawl, { pattern: "start.*?x", multiline: true });
    expect(result[0]).toBe("a.txt:1:start");
    expect(result[1]).toMatch(/^a\.txt:2:x+\[… 1,500 characters …\]$/);
  });

  it("tells that a binary file matches, and does not dump it", async () => {
    const pawl = await appWith({ "a.bin": Buffer.from("x\0needle\nneedle\n"), "b.txt": "needle\n" });
    const { text, data } = await grep(pawl, { pattern: "needle", output_mode: "content" });
    expect(data.content).toBe("b.txt:1:needle");
    expect(text).toContain("[Binary files that match, not shown: a.bin]");
    expect((await grep(pawl, { pattern: "needle" })).text).toContain("a.bin (binary)\n");
    expect((await grep(pawl, { pattern: "needle", path: "a.bin", output_mode: "content" })).text).toContain(
      "not shown: a.bin",
    );
  });

  it("reads UTF-16 with a byte-order mark, and shows Latin-1 as such", async () => {
    const pawl = await appWith({
      "wide.txt": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("naïve needle\n", "utf16le")]),
      "latin.txt": Buffer.from("café needle\n", "latin1"),
    });
    const { text } = await grep(pawl, { pattern: "needle", output_mode: "content" });
    expect(text).toContain("latin.txt:1:café needle\nwide.txt:1:naïve needle\n");
    expect(text).toContain("[Not UTF-8, read as Latin-1: latin.txt]");
    expect((await grep(pawl, { pattern: "needle" })).text).not.toContain("binary");
    expect((await grep(pawl, { pattern: "é", glob: "latin.txt" })).text).toContain("[Only UTF-8, and UTF-16");
  });

  it.each([
    [{ pattern: "foo(" }, "no regular expression: unclosed group", "literal: true"],
    [{ pattern: "x{2,1}" }, "no regular expression", "literal: true"],
    [{ pattern: "(?<=a+b" }, "no regular expression: ", "literal: true"],
    [{ pattern: "a{1000}{1000}{1000}" }, "exceeds size limit", "literal: true"],
    [{ pattern: "x", glob: "{a" }, 'The glob "{a" is not valid', "backslash"],
    [{ pattern: "x", type: "zz" }, 'type is "zz"', "glob instead"],
    [{ pattern: "a\0b" }, "NUL byte", ""],
    [{ pattern: "" }, "pattern", ""],
    [{}, "pattern is missing", ""],
    [{ pattern: "x", "-A": -1 }, "-A", "at least 0"],
    [{ pattern: "x", output_mode: "lines" }, "output_mode", "files_with_matches"],
    [{ pattern: "x", outputmod: "count" }, "outputmod", "output_mode"],
    [{ pattern: "x", query: "y" }, "pattern and query", ""],
    [{ pattern: "x", glob: "*.ts", include: "*.js" }, "glob and include", ""],
    [{ pattern: "x", case_sensitive: false, "-i": false }, "case_sensitive and -i", ""],
    [{ pattern: "x", case_sensitive: "maybe" }, "case_sensitive is", "true, false"],
    [{ pattern: "x", names_only: true, output_mode: "count" }, "names_only and output_mode", ""],
  ])("refuses %j (REQ-062-125)", async (payload, says, hint) => {
    const pawl = await appWith({ "a.txt": "x\n" });
    const result = await grep(pawl, payload);
    expect(result.code).toBe("invalid_input");
    expect(result.message).toContain(says);
    expect(result.message).toContain(hint);
  });

  it("says that a path does not exist, and refuses what is neither file nor folder", async () => {
    const pawl = await appWith({ "a.txt": "x\n" });
    expect((await grep(pawl, { pattern: "x", path: "absent" })).code).toBe("not_found");
    execFileSync("mkfifo", [join(pawl.workspace, "pipe")]);
    expect((await grep(pawl, { pattern: "x", path: "pipe" })).code).toBe("invalid_input");
    expect(await grepped(pawl, { pattern: "x" })).toEqual(["a.txt"]);
  });

  it("takes a pattern literally when told so", async () => {
    const pawl = await appWith({ "a.txt": "a.b(c[\n", "b.txt": "axb\n" });
    for (const how of [{ literal: true }, { fixed_strings: true }, { literalSearch: "true" }])
      expect(await grepped(pawl, { pattern: "a.b(c[", ...how })).toEqual(["a.txt"]);
  });

  it.each([
    ["Grep", { query: "needle", include: "*.ts", limit: "5" }],
    ["grep_search", { pattern: "needle", dir_path: ".", include_pattern: "*.ts", names_only: true }],
    ["search_file_content", { regex: "needle", filePattern: "*.ts", contextLines: 5, searchType: "content" }],
    ["grep_files", { pattern: "needle", include: "*.ts", path: "", limit: 100 }],
    ["search_for_pattern", { substring_pattern: "needle", paths_include_glob: "*.ts", context_lines_before: 1 }],
    ["SearchText", { pattern: "NEEDLE", case_insensitive: true, glob: "*.ts", total_max_matches: 9 }],
    ["GrepTool", "needle"],
  ])("answers to %s with %j", async (name, payload) => {
    const pawl = await appWith({ "a.ts": "needle\n", "b.md": "other\n" });
    expect(((await pawl.call(name, payload)).data as GrepData).filenames).toEqual(["a.ts"]);
  });

  it("ends its search when its time is up or when it is cancelled", async () => {
    const pawl = await appWith({ "a.txt": "a\n".repeat(4_000_000) });
    const slow = { pattern: "a", output_mode: "content", "-o": true };
    const started = performance.now();
    const late = await grep(pawl, { ...slow, timeout_ms: 300 });
    expect(late.code).toBe("timeout");
    expect(late.text).toContain("[Ended early: this is what was found until then]");
    const controller = new AbortController();
    const running = grep(pawl, slow, { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    expect((await running).code).toBe("cancelled");
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("agrees with a plain search for text", async () => {
    const pawl = await testApp();
    const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "-", "(", "\n", "ü", " "), maxLength: 30 });
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", ".", "-", "(", "ü", " "), minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), pattern, async (texts, wanted) => {
        const root = join(pawl.workspace, "run");
        rmSync(root, { recursive: true, force: true });
        for (const [index, content] of texts.entries()) {
          const path = join(root, index % 2 ? "sub" : ".", `f${index}.txt`);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, content);
        }
        const ask = { pattern: wanted, literal: true, path: root };
        const expected = texts.flatMap((content, index) => {
          const path = `run/${index % 2 ? "sub/" : ""}f${index}.txt`;
          return content
            .split("\n")
            .flatMap((line, at) => (line.includes(wanted) ? [`${path}:${at + 1}:${line}`] : []));
        });
        const content = await greppedLines(pawl, ask);
        expect(content.toSorted()).toEqual(expected.toSorted());
        const files = new Set(expected.map((line) => line.split(":")[0]));
        expect((await grepped(pawl, ask)).toSorted()).toEqual(
          [...files].toSorted((x, y) => ((x ?? "") < (y ?? "") ? -1 : 1)),
        );
        const counts = await grep(pawl, { ...ask, output_mode: "count" });
        expect(counts.data.num_matches).toBe(expected.length);
      }),
      { numRuns: 60 },
    );
  });
});
