import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeCommand } from "./command-analysis.ts";
import { findCatastrophe } from "./command-catastrophes.ts";
import { ShellParser } from "./shell-parser.ts";

const parser = new ShellParser();
const places = { home: "/home/ann", workspaceRoot: "/w/repo" };
const context = { cwd: "/w/repo", home: "/home/ann", environment: { HOME: "/home/ann" } };

async function kindsIn(command: string): Promise<string[]> {
  const analysis = await analyzeCommand(command, context, parser);
  findCatastrophe(analysis, places);
  return [...new Set(analysis.undecided.map(({ kind }) => kind))];
}

describe("hostile commands", () => {
  it.each([
    ["parentheses", "(".repeat(100_000)],
    ["matched parentheses", "(".repeat(100_000) + ")".repeat(100_000)],
    ["substitutions", "$(".repeat(50_000)],
    ["defaults", "${a:-".repeat(20_000)],
    ["a long list", "a && ".repeat(100_000)],
    ["a megabyte of commands", "a b c\n".repeat(160_000)],
    ["more than a megabyte", "x".repeat(1_000_001)],
    ["a chain of evals", `${"eval ".repeat(2_000)}ls`],
    ["a chain of wrappers", `${"sudo ".repeat(5_000)}ls`],
    ["code that runs itself", `x='eval "$x"'; eval "$x"`],
    ["nested loops", `${"for x in a b c d e f; do ".repeat(12)}ls${"; done".repeat(12)}`],
    ["brace expansion", `echo ${"{a,b}".repeat(40)}`],
    ["nested braces", `echo ${"{a,".repeat(2_000)}${"}".repeat(2_000)}`],
  ])("leaves %s undecided, in time", async (_, command) => {
    expect(await kindsIn(command)).not.toEqual([]);
  });

  it.each([
    ["doubling", `a=xxxxxxxxxx; ${"a=$a$a; ".repeat(60)}echo "$a"`],
    ["recursion", "f() { g; g; }; g() { f; f; }; f; f"],
    ["costly patterns", `x=${"a".repeat(3_000)}; echo \${x%${"*a".repeat(40)}} \${x//${"*a".repeat(4)}b/}`],
    ["a long here-document", `cat > f <<'E'\n${"rm -rf /\n".repeat(60_000)}E`],
    ["NUL characters", "\0".repeat(100_000)],
    ["many stars", `rm -rf ./${"*".repeat(500)}`],
  ])("is done with %s in time", async (_, command) => {
    expect(await kindsIn(command)).not.toContain("limit");
  });

  it("never throws on any text", async () => {
    const piece = fc.constantFrom(
      ..."( ) { } [ [[ ]] (( )) << <<< > >| | || & && ; ;; \\ ' \" ` $ $( ${ $(( # * ? ! ~ = += - a rm / -rf if then fi do done for in case esac while f() @( =~".split(
        " ",
      ),
      "\n",
      " ",
      "<<E\n",
      "\nE\n",
      "\u{1f600}",
      "\ud800",
      "\ue000",
      "\0",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 40 }).map((all) => all.join("")),
    );
    await fc.assert(
      fc.asyncProperty(text, async (command) => {
        const analysis = await analyzeCommand(command, context, parser);
        expect(analysis.undecided.some(({ reason }) => reason.includes("could not be judged"))).toBe(false);
        findCatastrophe(analysis, places);
      }),
      { numRuns: 500 },
    );
  });
});
