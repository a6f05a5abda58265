import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appWith, grep, grepped, greppedLines } from "../../../test/support/search-calls.ts";
import { testApp } from "../../../test/support/test-app.ts";
import type { GrepData } from "./grep-report.ts";

describe("the files that GrepTool searches", () => {
  it.each(["--release", "-77", "->", "-e", "--", "-", "--pre=touch x", "-f/etc/passwd"])(
    "takes the pattern %s as a pattern",
    async (pattern) => {
      const pawl = await appWith({ "a.txt": `x ${pattern} y\nother\n` });
      expect(await greppedLines(pawl, { pattern })).toEqual([`a.txt:1:x ${pattern} y`]);
    },
  );

  it.each(["-rf", "--files", "a [b] (c)", "a\nb", "ü中🙂", "!x", "#x", "*", "a:b", "\\d"])(
    "searches the file and the folder named %j literally",
    async (name) => {
      const pawl = await appWith({ [`${name}.d/${name}`]: "needle\n", "other.d/other": "needle\n" });
      const folder = await grep(pawl, {
        pattern: "needle",
        path: `${pawl.workspace}/${name}.d`,
        output_mode: "content",
      });
      expect(folder.data.filenames).toEqual([`${name}.d/${name}`]);
      const file = await grep(pawl, { pattern: "needle", path: `./${name}.d/${name}` });
      expect(file.data.filenames).toEqual([`${name}.d/${name}`]);
      expect(file.text.split("\n")[0]).toBe(
        name.includes("\n") ? JSON.stringify(`${name}.d/${name}`) : `${name}.d/${name}`,
      );
    },
  );

  it("lists names that are not UTF-8, and says so", async () => {
    const pawl = await testApp();
    writeFileSync(Buffer.concat([Buffer.from(`${pawl.workspace}/b`), Buffer.from([0xff])]), "needle\n");
    utimesSync(pawl.file("old", "needle\n"), 1_000, 1_000);
    const { data, text } = await grep(pawl, { pattern: "needle" });
    expect(data.filenames).toEqual(["b\uFFFD", "old"]);
    expect(text).toContain("[Names that are not UTF-8");
    expect(await greppedLines(pawl, { pattern: "needle" })).toEqual(["b\uFFFD:1:needle", "old:1:needle"]);
    expect((await grep(pawl, { pattern: "needle", output_mode: "count" })).data.num_matches).toBe(2);
  });

  it("takes an absolute glob, and names that begin like an option or a comment", async () => {
    const pawl = await appWith({ "-a.ts": "needle", "#b.ts": "needle", "x/-a.ts": "needle" });
    expect(await grepped(pawl, { pattern: "needle", glob: `${pawl.workspace}/*.ts` })).toEqual(["#b.ts", "-a.ts"]);
    expect(await grepped(pawl, { pattern: "needle", glob: "-a.ts" })).toEqual(["-a.ts", "x/-a.ts"]);
    expect(await grepped(pawl, { pattern: "needle", glob: "#b.ts" })).toEqual(["#b.ts"]);
  });

  it("searches a hidden folder that is named as path or in the glob", async () => {
    const pawl = await appWith({
      ".config/app.ini": "k=needle",
      "r/.github/workflows/ci.yml": "needle",
      ".git/x.yml": "needle",
    });
    expect(await greppedLines(pawl, { pattern: "needle", path: ".config" })).toEqual([".config/app.ini:1:k=needle"]);
    expect(await grepped(pawl, { pattern: "needle", glob: "**/.github/workflows/*.yml" })).toEqual([
      "r/.github/workflows/ci.yml",
    ]);
    expect(await grepped(pawl, { pattern: "needle", hidden: true })).toEqual([
      ".config/app.ini",
      "r/.github/workflows/ci.yml",
    ]);
    expect(await grepped(pawl, { pattern: "needle", path: ".git" })).toEqual([".git/x.yml"]);
  });

  it("heeds ignore files inside and outside a repository", async () => {
    for (const folder of [".git", "no-repository"]) {
      const pawl = await appWith({ ".gitignore": "dist/\n", "dist/a.js": "needle", "b.js": "needle" });
      mkdirSync(join(pawl.workspace, folder));
      expect(await grepped(pawl, { pattern: "needle" })).toEqual(["b.js"]);
      expect(await grepped(pawl, { pattern: "needle", no_ignore: true })).toEqual(["b.js", "dist/a.js"]);
      expect(await grepped(pawl, { pattern: "needle", respect_git_ignore: false })).toEqual(["b.js", "dist/a.js"]);
      expect(await grepped(pawl, { pattern: "needle", path: "dist" })).toEqual(["dist/a.js"]);
      expect(await grepped(pawl, { pattern: "needle", path: "dist/a.js" })).toEqual(["dist/a.js"]);
    }
  });

  it("does not heed ignore files above a workspace that is no repository", async () => {
    const pawl = await appWith({ "a.js": "needle" });
    const above = join(pawl.workspace, "../.gitignore");
    writeFileSync(above, "*\n");
    expect(await grepped(pawl, { pattern: "needle" })).toEqual(["a.js"]);
  });

  it.each(["files_with_matches", "content", "count"])(
    "says in mode %s when only ignored or hidden files match",
    async (mode) => {
      const pawl = await appWith({
        ".gitignore": "dist/\n",
        "dist/a.js": "needle",
        ".env": "needle",
        "b.js": "x",
        ".git/y": "needle",
      });
      const { success, text, data } = await grep(pawl, { pattern: "needle", output_mode: mode });
      expect(success).toBe(true);
      expect(text).toContain(
        'No matches for "needle" in 1 file searched.\n[2 files that are hidden or ignored would match: ',
      );
      expect(text).toContain("To search there, set hidden: true and no_ignore: true.]");
      expect(data.hidden_matches).toEqual({ num_files: 2, is_complete: true });
      expect((await grepped(pawl, { pattern: "needle", hidden: true, no_ignore: true })).length).toBe(2);
    },
  );

  it("names the one parameter that is needed for what is ignored, or hidden", async () => {
    const ignored = await appWith({ ".ignore": "a.js\n", "a.js": "needle" });
    expect((await grep(ignored, { pattern: "needle" })).text).toContain("set no_ignore: true.]");
    const hidden = await appWith({ ".env": "needle", "a.js": "" });
    expect((await grep(hidden, { pattern: "needle" })).text).toContain("set hidden: true (and no_ignore: true).]");
  });

  it("ends in spite of links that lead in circles, and finds each file once", async () => {
    const pawl = await appWith({ "a/x.txt": "needle\n" });
    symlinkSync("..", join(pawl.workspace, "a/up"));
    symlinkSync("self", join(pawl.workspace, "self"));
    expect(await grepped(pawl, { pattern: "needle" })).toEqual(["a/x.txt"]);
  });

  it("reads nothing outside the workspace, by link or by path (REQ-062-123)", async () => {
    const pawl = await appWith({ "a.txt": "needle\n" });
    const outside = join(pawl.workspace, "../outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.txt"), "needle\n");
    symlinkSync(outside, join(pawl.workspace, "out"));
    symlinkSync(join(outside, "secret.txt"), join(pawl.workspace, "secret.txt"));
    expect(await grepped(pawl, { pattern: "needle", hidden: true, no_ignore: true })).toEqual(["a.txt"]);
    for (const path of [
      "..",
      "/etc",
      "~",
      "out",
      "secret.txt",
      "../outside/secret.txt",
      "absent/../../outside",
      "a\0b",
    ])
      expect((await grep(pawl, { pattern: "needle", path })).code).toBe("denied");
    expect(await grepped(pawl, { pattern: "needle", glob: "../outside/*" })).toEqual([]);
  });

  it("never looks into Pawl's own folder", async () => {
    const pawl = await appWith({ "state [x]/secret.ts": "needle", "a.ts": "needle" });
    const inner = await testApp();
    const home = join(pawl.workspace, "state [x]");
    const other = await testApp({ config: { ...inner.config, home, configPath: join(home, "config.json") } });
    const result = await other.call("Grep", { pattern: "needle", hidden: true }, { cwd: pawl.workspace });
    expect((result.data as GrepData).filenames).toEqual(["a.ts"]);
  });

  it("does not read the user's settings of ripgrep", async () => {
    const settings = await appWith({ rc: "--invert-match\n" });
    const pawl = await testApp({ environment: { RIPGREP_CONFIG_PATH: join(settings.workspace, "rc") } });
    pawl.file("a.txt", "needle\n");
    pawl.file("b.txt", "other\n");
    expect(await grepped(pawl, { pattern: "needle" })).toEqual(["a.txt"]);
  });

  it("names what it could not read, and goes on", async () => {
    const pawl = await appWith({ "a.txt": "needle\n" });
    const deep = `cd ${JSON.stringify(pawl.workspace)} && for i in $(seq 1 22); do mkdir ${"d".repeat(200)} && cd ${"d".repeat(200)}; done`;
    execFileSync("bash", ["-c", deep]);
    try {
      const { text, data, success } = await grep(pawl, { pattern: "needle" });
      expect(success).toBe(true);
      expect(data.filenames).toEqual(["a.txt"]);
      expect(text).toMatch(/\[Could not be read: d+.*File ?name too long/is);
    } finally {
      execFileSync("rm", ["-rf", join(pawl.workspace, "d".repeat(200))]);
    }
  });

  it("shows paths relative to where the session is, and absolute above it", async () => {
    const pawl = await appWith({ "x/a.ts": "needle\n", "y/b.ts": "needle\n" });
    await pawl.call("Bash", { command: "cd x" });
    expect(await grepped(pawl, { pattern: "needle" })).toEqual(["a.ts"]);
    expect(await grepped(pawl, { pattern: "needle", path: "../y" })).toEqual([join(pawl.workspace, "y/b.ts")]);
  });
});
