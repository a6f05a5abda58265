import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appWith, glob } from "../../../test/support/search-calls.ts";
import { testApp, type TestApp } from "../../../test/support/test-app.ts";
import type { GlobData } from "./glob-report.ts";

/** An app whose workspace holds these empty files. */
function appWithEmpty(...names: string[]): Promise<TestApp> {
  return appWith(Object.fromEntries(names.map((name) => [name, ""])));
}

async function found(pawl: TestApp, payload: unknown): Promise<string[]> {
  return [...(await glob(pawl, payload)).data.filenames].sort();
}

describe("GlobTool", () => {
  it("finds the newest file first", async () => {
    const pawl = await testApp();
    for (const [name, seconds] of [
      ["old.ts", 1_000],
      ["new.ts", 3_000],
      ["mid.ts", 2_000],
    ] as const)
      utimesSync(pawl.file(name, ""), seconds, seconds);
    const { text, data } = await glob(pawl, { pattern: "*.ts" });
    expect(text).toBe("new.ts\nmid.ts\nold.ts\n\n[3 files, newest first]");
    expect(data).toMatchObject({ num_files: 3, total_matches: 3, truncated: false, count_is_complete: true });
  });

  it("orders files of the same time by path", async () => {
    const pawl = await testApp();
    for (const name of ["b.ts", "c.ts", "a.ts"]) utimesSync(pawl.file(name, ""), 1_000, 1_000);
    expect((await glob(pawl, { pattern: "*.ts" })).data.filenames).toEqual(["a.ts", "b.ts", "c.ts"]);
  });

  it("keeps * within a folder and lets ** cross them", async () => {
    const pawl = await appWithEmpty("a.ts", "x/b.ts", "x/y/c.ts");
    expect(await found(pawl, { pattern: "*.ts" })).toEqual(["a.ts"]);
    expect(await found(pawl, { pattern: "*/*.ts" })).toEqual(["x/b.ts"]);
    expect(await found(pawl, { pattern: "**/*.ts" })).toEqual(["a.ts", "x/b.ts", "x/y/c.ts"]);
    expect(await found(pawl, { pattern: "x/**" })).toEqual(["x/b.ts", "x/y/c.ts"]);
    expect(await found(pawl, { pattern: "**/y/**/c.ts" })).toEqual(["x/y/c.ts"]);
  });

  it.each([
    ["*.{ts,tsx}", ["a.ts", "b.tsx"]],
    ["{a,src/c}.ts", ["a.ts", "src/c.ts"]],
    ["{a,{b,z}}.ts*", ["a.ts", "b.tsx"]],
    ["?.ts", ["a.ts"]],
    ["[a-b].ts*", ["a.ts", "b.tsx"]],
    ["[!a]*.tsx", ["b.tsx"]],
    ["@(a|b).+(ts|tsx)", ["a.ts", "b.tsx"]],
    ["!(a).tsx", ["b.tsx"]],
    ["./src//c.ts", ["src/c.ts"]],
  ])("understands %s", async (pattern, expected) => {
    const pawl = await appWithEmpty("a.ts", "b.tsx", "src/c.ts", "note.md");
    expect(await found(pawl, { pattern })).toEqual(expected);
  });

  it("finds files and folders with a leading dot", async () => {
    const pawl = await appWithEmpty(".env", ".github/workflows/ci.yml", "a.yml");
    expect(await found(pawl, { pattern: "*" })).toEqual([".env", "a.yml"]);
    expect(await found(pawl, { pattern: "**/*.yml" })).toEqual([".github/workflows/ci.yml", "a.yml"]);
    expect(await found(pawl, { pattern: ".github/**" })).toEqual([".github/workflows/ci.yml"]);
  });

  it("says that it left out .git and node_modules, and looks into them when they are named", async () => {
    const pawl = await appWithEmpty("a.js", ".git/config.js", "node_modules/p/b.js", "x/node_modules/c.js");
    const { text, data } = await glob(pawl, { pattern: "**/*.js" });
    expect(data.filenames).toEqual(["a.js"]);
    expect(data.left_out.folders).toBe(3);
    expect(text).toMatch(/\[Left out: .*\.git.*node_modules.* \(name the folder in the pattern/);
    expect(await found(pawl, { pattern: "**/node_modules/**/*.js" })).toEqual([
      "node_modules/p/b.js",
      "x/node_modules/c.js",
    ]);
    expect(await found(pawl, { pattern: "**/*.js", path: "node_modules" })).toEqual(["node_modules/p/b.js"]);
    expect(await found(pawl, { pattern: ".git/*" })).toEqual([".git/config.js"]);
  });

  it("says how many files match inside what was left out when nothing else does", async () => {
    const pawl = await appWithEmpty("node_modules/p/b.js");
    const { success, text } = await glob(pawl, { pattern: "**/*.js" });
    expect(success).toBe(true);
    expect(text).toContain('No file matches "**/*.js".\n[1 file matches inside the folders left out]');
  });

  it("says that a pattern without a slash would match further down", async () => {
    const pawl = await appWithEmpty("x/b.ts", "x/y/c.ts");
    expect((await glob(pawl, { pattern: "*.ts" })).text).toContain("[2 files match further down: use **/*.ts]");
  });

  it("says that folders match where only files are found", async () => {
    const pawl = await appWithEmpty("src/a.ts");
    expect((await glob(pawl, { pattern: "src" })).text).toContain("[1 folder would match: src. Add /** for");
    expect(await found(pawl, { pattern: "**", directories: true })).toEqual(["src", "src/a.ts"]);
  });

  it("takes a base path with brackets, blanks and parentheses literally", async () => {
    const pawl = await appWithEmpty("app/(shop) x/[id]/page.tsx", "app/i/page.tsx");
    expect(await found(pawl, { pattern: "*.tsx", path: join(pawl.workspace, "app/(shop) x/[id]") })).toEqual([
      "app/(shop) x/[id]/page.tsx",
    ]);
  });

  it("finds a path that is written like a pattern", async () => {
    const names = ["app/[id]/page.tsx", "a{b,c}.ts", "(x)/*.ts", "!(a).md"];
    const pawl = await appWithEmpty(...names);
    for (const name of names) expect(await found(pawl, { pattern: name })).toContain(name);
    expect(await found(pawl, { pattern: String.raw`app/\[id\]/*` })).toEqual(["app/[id]/page.tsx"]);
  });

  it.each(["-rf.ts", "a\nb.ts", "a b.ts", " .ts", "ü中🙂.ts", "'quoted\".ts", `${"n".repeat(240)}.ts`, "$HOME.ts"])(
    "finds the file named %j",
    async (name) => {
      const pawl = await appWithEmpty(name);
      const { text, data } = await glob(pawl, { pattern: "*.ts" });
      expect(data.filenames).toEqual([name]);
      expect(text.split("\n").slice(0, -2)).toEqual([name.includes("\n") ? JSON.stringify(name) : name]);
    },
  );

  it("lists a name that is not UTF-8, with its time, and says so", async () => {
    const pawl = await testApp();
    const raw = Buffer.concat([Buffer.from(`${pawl.workspace}/b`), Buffer.from([0xff]), Buffer.from(".ts")]);
    writeFileSync(raw, "");
    utimesSync(pawl.file("old.ts", ""), 1_000, 1_000);
    mkdirSync(Buffer.concat([Buffer.from(`${pawl.workspace}/d`), Buffer.from([0xff])]));
    const { text, data } = await glob(pawl, { pattern: "**/*.ts" });
    expect(data.filenames).toEqual(["b\uFFFD.ts", "old.ts"]);
    expect(text).toContain("[Names that are not UTF-8");
    expect(text).toContain("(its name is not UTF-8)]");
  });

  it("ends in spite of links that lead in circles, and follows no link to a folder", async () => {
    const pawl = await appWithEmpty("a/x.ts");
    symlinkSync("..", join(pawl.workspace, "a/up"));
    symlinkSync("self", join(pawl.workspace, "self"));
    const { text, data } = await glob(pawl, { pattern: "**/*" });
    expect(data.filenames).toEqual(["a/x.ts"]);
    expect(data.left_out).toMatchObject({ linked_folders: 1, broken_links: 1 });
    expect(text).toContain("links to folders, not followed: a/up");
    expect(await found(pawl, { pattern: "**/up/**/*.ts" })).toEqual(["a/up/a/x.ts"]);
  });

  it("lists links to files and, when asked for, to folders", async () => {
    const pawl = await appWithEmpty("real/a.ts");
    symlinkSync("real/a.ts", join(pawl.workspace, "file.ts"));
    symlinkSync("real", join(pawl.workspace, "folder"));
    expect(await found(pawl, { pattern: "*" })).toEqual(["file.ts"]);
    expect(await found(pawl, { pattern: "*", directories: true })).toEqual(["file.ts", "folder", "real"]);
    expect(await found(pawl, { pattern: "folder/*.ts" })).toEqual(["folder/a.ts"]);
  });

  it("lists nothing that a link brings in from outside (REQ-062-123)", async () => {
    const pawl = await appWithEmpty("a.ts");
    const outside = join(pawl.workspace, "../outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.ts"), "");
    symlinkSync(outside, join(pawl.workspace, "out"));
    symlinkSync(join(outside, "secret.ts"), join(pawl.workspace, "secret.ts"));
    const { data, text } = await glob(pawl, { pattern: "**/*.ts" });
    expect(data.filenames).toEqual(["a.ts"]);
    expect(text).toContain("links that lead outside the workspace");
    expect(await found(pawl, { pattern: "out/*.ts" })).toEqual([]);
  });

  it.each(["../*", "../../**/*.ts", "/etc/*", "/etc/passwd", "~/*", "x/../../*", "/*"])(
    "is denied the pattern %s, which leaves the workspace (REQ-062-123)",
    async (pattern) => {
      const pawl = await appWithEmpty("a.ts");
      expect((await glob(pawl, { pattern })).code).toBe("denied");
    },
  );

  it("takes absolute patterns and leading .. inside the workspace", async () => {
    const pawl = await appWithEmpty("a [1].ts", "x/b.ts", "y/c.ts");
    expect(await found(pawl, { pattern: `${pawl.workspace}/*.ts` })).toEqual(["a [1].ts"]);
    expect(await found(pawl, { pattern: `${pawl.workspace}/x/*.ts`, path: "y" })).toEqual(["x/b.ts"]);
    expect(await found(pawl, { pattern: `${pawl.workspace}/x/b.ts`, path: "y" })).toEqual(["x/b.ts"]);
    expect(await found(pawl, { pattern: "../x/*.ts", path: "y" })).toEqual(["x/b.ts"]);
  });

  it("shows paths relative to where the session is, and absolute above it", async () => {
    const pawl = await appWithEmpty("x/b.ts", "y/c.ts");
    await pawl.call("Bash", { command: "cd x" });
    expect(await found(pawl, { pattern: "*.ts" })).toEqual(["b.ts"]);
    expect(await found(pawl, { pattern: "*.ts", path: "../y" })).toEqual([join(pawl.workspace, "y/c.ts")]);
  });

  it("answers page by page, and the pages together are the whole", async () => {
    const names = Array.from({ length: 230 }, (_, index) => `f${index}.ts`);
    const pawl = await appWithEmpty(...names);
    const first = await glob(pawl, { pattern: "*.ts", limit: 1_000 });
    expect(first.data).toMatchObject({ num_files: 100, total_matches: 230, truncated: true, applied_limit: 100 });
    expect(first.text).toContain("[Files 1 to 100 of 230, newest first. Read on with offset: 100.]");
    const second = await glob(pawl, { pattern: "*.ts", offset: 100 });
    const third = await glob(pawl, { pattern: "*.ts", offset: 200 });
    expect(third.text).toContain("[Files 201 to 230 of 230, newest first.]");
    expect(third.data.truncated).toBe(false);
    const all = [first, second, third].flatMap((page) => page.data.filenames);
    expect(all.length).toBe(230);
    expect(all.toSorted()).toEqual(names.toSorted());
    expect((await glob(pawl, { pattern: "*.ts", offset: 230 })).text).toBe(
      "[Nothing at offset 230: there are only 230 files]",
    );
  });

  it("leaves out what exclude names, with or without a slash", async () => {
    const pawl = await appWithEmpty("a.ts", "a.test.ts", "gen/b.ts", "x/gen/c.ts", "x/d.ts");
    const all = { pattern: "**/*.ts" };
    expect(await found(pawl, { ...all, exclude: ["gen", "*.test.ts"] })).toEqual(["a.ts", "x/d.ts"]);
    expect(await found(pawl, { ...all, exclude: "x/gen/**" })).toEqual(["a.test.ts", "a.ts", "gen/b.ts", "x/d.ts"]);
    const { data, text } = await glob(pawl, { ...all, exclude: ["!gen/"] });
    expect(data.left_out.excluded).toBe(2);
    expect(text).toContain("excluded: gen, x/gen");
  });

  it("ignores ignore files unless it is asked to respect them", async () => {
    const pawl = await appWithEmpty("a.ts", "dist/b.ts", "x/c.gen.ts");
    pawl.file(".gitignore", "dist/\n*.gen.ts\n");
    expect(await found(pawl, { pattern: "**/*.ts" })).toEqual(["a.ts", "dist/b.ts", "x/c.gen.ts"]);
    const { data, text } = await glob(pawl, { pattern: "**/*.ts", respect_git_ignore: true });
    expect(data.filenames).toEqual(["a.ts"]);
    expect(data.left_out.ignored).toBe(2);
    expect(text).toContain("ignored by .gitignore or the like: 2 files");
    pawl.file("x/y/d.md", "");
    expect(
      await found(pawl, { pattern: "**", directories: true, respect_git_ignore: true, exclude: [".gitignore"] }),
    ).toEqual(["a.ts", "x", "x/y", "x/y/d.md"]);
  });

  it("heeds case unless told otherwise", async () => {
    const pawl = await appWithEmpty("README.md", "Src/A.TS");
    expect(await found(pawl, { pattern: "readme.*" })).toEqual([]);
    expect(await found(pawl, { pattern: "readme.[L-N]d", case_sensitive: false })).toEqual(["README.md"]);
    expect(await found(pawl, { pattern: "src/*.ts", case_sensitive: "false" })).toEqual(["Src/A.TS"]);
  });

  it("goes on past folders that cannot be read, and names them", async () => {
    const pawl = await appWithEmpty("a.ts");
    // Too long a path for the system, whoever asks.
    const deep = `cd ${JSON.stringify(pawl.workspace)} && for i in $(seq 1 22); do mkdir ${"d".repeat(200)} && cd ${"d".repeat(200)}; done`;
    execFileSync("bash", ["-c", deep]);
    try {
      const { success, text, data } = await glob(pawl, { pattern: "**/*.ts" });
      expect(success).toBe(true);
      expect(data.filenames).toEqual(["a.ts"]);
      expect(data.left_out.unreadable).toBe(1);
      expect(text).toContain("(ENAMETOOLONG)]");
    } finally {
      execFileSync("rm", ["-rf", join(pawl.workspace, "d".repeat(200))]);
    }
  });

  it("passes over pipes, and says so", async () => {
    const pawl = await appWithEmpty("a.ts");
    execFileSync("mkfifo", [join(pawl.workspace, "pipe.ts")]);
    const { data, text } = await glob(pawl, { pattern: "*.ts" });
    expect(data.filenames).toEqual(["a.ts"]);
    expect(text).toContain("[Left out: neither files nor folders: pipe.ts]");
  });

  it("never looks into Pawl's own folder", async () => {
    const pawl = await testApp({ config: {} });
    const inner = await testApp();
    const home = join(pawl.workspace, "state");
    pawl.file("state/secret.ts", "");
    pawl.file("a.ts", "");
    const other = await testApp({ config: { ...inner.config, home, configPath: join(home, "config.json") } });
    const result = await other.call("Glob", { pattern: "**/*.ts" }, { cwd: pawl.workspace });
    expect((result.data as GlobData).filenames).toEqual(["a.ts"]);
  });

  it.each([
    [{ pattern: "a\0b" }, "invalid_input", "NUL"],
    [{ pattern: "" }, "invalid_input", "pattern"],
    [{}, "invalid_input", "pattern is missing"],
    [{ pattern: "*", pth: "x" }, "invalid_input", "path"],
    [{ pattern: "*", limit: 0 }, "invalid_input", "limit"],
    [{ pattern: "*", offset: -1 }, "invalid_input", "offset"],
    [{ pattern: "*/../x" }, "invalid_input", ".. after a wildcard"],
    [{ pattern: "@(a/b|c)" }, "invalid_input", "{a/b,c}"],
    [{ pattern: "{a,b}".repeat(12) }, "invalid_input", "1000 patterns"],
    [{ pattern: "*", path: "absent" }, "not_found", "absent"],
    [{ pattern: "*", path: "file.txt" }, "invalid_input", "not a folder"],
    [{ pattern: "*", glob: "x" }, "invalid_input", "pattern and glob"],
    [{ pattern: "*", file_mask: "x" }, "invalid_input", "file_mask"],
    [{ pattern: "*".repeat(5_000) }, "invalid_input", "4096"],
  ])("refuses %j (REQ-062-125)", async (payload, code, says) => {
    const pawl = await appWithEmpty("file.txt");
    const result = await glob(pawl, payload);
    expect(result.code).toBe(code);
    expect(result.message).toContain(says);
  });

  it.each([
    ["Glob", { glob: "*.ts" }],
    ["FindFiles", { pattern: "*.ts", dir_path: "." }],
    ["glob_search", { pattern: "*.ts", directory: "" }],
    ["find", { pattern: "*.ts", limit: "1000", path: null }],
    ["search_files", { pattern: "*.ts", excludePatterns: '["*.md"]' }],
    ["find_file", { file_mask: "*.ts", relative_path: "." }],
    ["GlobTool", "*.ts"],
  ])("answers to %s with %j", async (name, payload) => {
    const pawl = await appWithEmpty("a.ts", "b.md");
    expect(((await pawl.call(name, payload)).data as GlobData).filenames).toEqual(["a.ts"]);
  });

  it("hands over what it has when its time is up", async () => {
    const pawl = await testApp();
    for (let folder = 0; folder < 40; folder++) {
      mkdirSync(join(pawl.workspace, `d${folder}`));
      for (let index = 0; index < 400; index++) writeFileSync(join(pawl.workspace, `d${folder}/f${index}`), "");
    }
    const result = await glob(pawl, { pattern: "**/*", timeout_ms: 4 });
    expect(result.code).toBe("timeout");
    expect(result.text).toContain("ended early");
    expect(result.data).toMatchObject({ timed_out: true, count_is_complete: false });
    expect(result.data.total_matches).toBeLessThan(16_000);
  });

  it("stops when it is cancelled", async () => {
    const pawl = await appWithEmpty("a.ts");
    const controller = new AbortController();
    controller.abort();
    expect((await glob(pawl, { pattern: "**" }, { signal: controller.signal })).code).toBe("cancelled");
  });

  it("is quick with a pattern that would take a backtracking matcher for ever", async () => {
    const pawl = await appWithEmpty("a".repeat(200));
    const started = performance.now();
    expect(await found(pawl, { pattern: `${"*a".repeat(30)}b` })).toEqual([]);
    expect(await found(pawl, { pattern: `+(${"a|aa|".repeat(5)}a)b` })).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
