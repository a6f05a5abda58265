import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analyzeCommand } from "./command-analysis.ts";
import { findCatastrophe } from "./command-catastrophes.ts";
import { ShellParser } from "./shell-parser.ts";

const parser = new ShellParser();
let workspaceRoot = "";

async function reasonFor(command: string): Promise<string | undefined> {
  const context = { cwd: workspaceRoot, home: "/home/ann", environment: { HOME: "/home/ann" } };
  const analysis = await analyzeCommand(command, context, parser);
  return findCatastrophe(analysis, { home: "/home/ann", workspaceRoot })?.reason;
}

beforeAll(() => {
  workspaceRoot = realpathSync(mkdtempSync(join(tmpdir(), "pawl-links-")));
  symlinkSync("/", join(workspaceRoot, "root"));
  symlinkSync("..", join(workspaceRoot, "up"));
  symlinkSync("/dev/sda", join(workspaceRoot, "disk"));
});

afterAll(() => rmSync(workspaceRoot, { recursive: true }));

describe("findCatastrophe with links on disk (REQ-062-122)", () => {
  it.each([
    "rm -rf root/usr",
    "rm -rf root/*",
    "rm -rf root/",
    "rm -rf root/.",
    "rm -rf ro?t/*",
    "rm -rf root/usr/../etc",
    "cd root; rm -rf *",
    "cd ro*; rm -rf *",
    "cd up && rm -rf *",
    "cd root && rm -rf ..",
    "find root -delete",
    "chmod -R 777 root",
    "chown -R ann root/",
    "mv root/usr gone",
    'rm -rf "$(realpath up)"',
    'rm -rf "$(readlink -f root)"/*',
    'cd root; rm -rf "$(pwd -P)"',
    "rsync -a --delete empty/ root/",
  ])("refuses %s", async (command) => {
    expect(await reasonFor(command)).toBeDefined();
  });

  it.each(["rm -rf root", "rm -rf root up", "mv root other", "rm -rf root/nothing-there/x", "rm -rf ./*", "rm -rf *"])(
    "lets pass %s",
    async (command) => {
      expect(await reasonFor(command)).toBeUndefined();
    },
  );
});
