import { describe, expect, it } from "vitest";
import { analyzeCommand } from "./command-analysis.ts";
import { findCatastrophe } from "./command-catastrophes.ts";
import corpus from "./command-corpus.json" with { type: "json" };
import { ShellParser } from "./shell-parser.ts";

const parser = new ShellParser();
const home = "/home/ann";
const workspaceRoot = "/data/projects/repo";
const context = { cwd: workspaceRoot, home, environment: { HOME: home, USER: "ann", PATH: "/usr/bin:/bin" } };

async function isCatastrophic(command: string): Promise<boolean> {
  const analysis = await analyzeCommand(command, context, parser);
  return findCatastrophe(analysis, { home, workspaceRoot }) !== undefined;
}

describe("findCatastrophe on the corpus (REQ-062-122)", () => {
  for (const { command, catastrophic, note } of corpus) {
    it(`${catastrophic ? "refuses" : "lets pass"} ${note}: ${JSON.stringify(command)}`, async () => {
      expect(await isCatastrophic(command)).toBe(catastrophic);
    });
  }

  it("holds at least 150 commands of either kind, none twice", () => {
    const commands = corpus.map(({ command }) => command);
    expect(new Set(commands).size).toBe(commands.length);
    expect(corpus.filter(({ catastrophic }) => catastrophic).length).toBeGreaterThan(150);
    expect(corpus.filter(({ catastrophic }) => !catastrophic).length).toBeGreaterThan(150);
  });
});
