import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeCommand, analyzeWith } from "./command-analysis.ts";
import { ShellParser } from "./shell-parser.ts";
import { parsePlainCommand } from "./shell-words.ts";

const parser = new ShellParser();
const context = { cwd: "/w", home: "/home/ann", environment: { HOME: "/home/ann" } };

describe("parsePlainCommand", () => {
  it.each(["ls", "git status -s", " ls  -la ", "rm -rf /tmp/x", "dd --bs=1M a:b,c"])("takes %s", (command) => {
    expect(parsePlainCommand(command)).toBeDefined();
  });

  it.each([
    "",
    " ",
    "a=1",
    "a b=1",
    "ls *",
    "ls ?",
    "~/x",
    "ls ~",
    "echo 'a'",
    'echo "a"',
    "a;b",
    "a\nb",
    "a&b",
    "a|b",
    "a>b",
    "a #b",
    "if a",
    "time ls",
    "coproc ls",
    "{ ls",
    "! ls",
    "[ a",
    "export A",
    "unset A",
    "a\\b",
    "é",
    "a".repeat(5_000),
    "echo for",
  ])("leaves %s to the parser", (command) => {
    expect(parsePlainCommand(command)).toBeUndefined();
  });

  it("is enough for a plain command: the parser is not loaded", async () => {
    const unloadable = { load: () => Promise.reject(new Error("not needed")) } as unknown as ShellParser;
    const { programs } = await analyzeCommand("sudo rm -rf build", context, unloadable);
    expect(programs.map(({ name }) => name)).toEqual(["sudo", "rm"]);
    await expect(analyzeCommand("ls | wc", context, unloadable)).rejects.toThrow("not needed");
  });

  it("gives the same analysis as the parser (REQ-062-122)", async () => {
    const parse = await parser.load();
    const known = fc.constantFrom(
      "ls",
      "cd",
      "sudo",
      "env",
      "sh",
      "-c",
      "xargs",
      "echo",
      "eval",
      "rm",
      "-rf",
      "/",
      "in",
      "then",
      "timeout",
      "5",
      "--a=b",
    );
    const word = fc.oneof(known, fc.stringMatching(/^[\w./:,-]{1,6}$/));
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(" ", "  "),
        async (words, gap) => {
          const text = words.join(gap);
          fc.pre(parsePlainCommand(text) !== undefined);
          expect(await analyzeCommand(text, context, parser)).toEqual(analyzeWith(parse, text, context));
        },
      ),
      { numRuns: 400 },
    );
  });
});
