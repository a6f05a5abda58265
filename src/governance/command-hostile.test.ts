import fc from "fast-check";
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
    ["parentheses", "(".repeat(100_000), "syntax"],
    ["matched parentheses", "(".repeat(100_000) + ")".repeat(100_000), "limit"],
    ["substitutions", "$(".repeat(50_000), "syntax"],
    ["defaults", "${a:-".repeat(20_000), "syntax"],
    ["a long list", "a && ".repeat(100_000), "limit"],
    ["a megabyte of commands", "a b c\n".repeat(160_000), "limit"],
    ["more than a megabyte", "x".repeat(1_000_001), "limit"],
    ["a chain of evals", `${"eval ".repeat(2_000)}ls`, "limit"],
    ["a chain of wrappers", `${"sudo ".repeat(5_000)}ls`, "limit"],
    ["code that runs itself", `x='eval "$x"'; eval "$x"`, "limit"],
    ["nested loops", `${"for x in a b c d e f; do ".repeat(12)}ls${"; done".repeat(12)}`, "limit"],
    ["brace expansion", `echo ${"{a,b}".repeat(40)}`, "value"],
    ["nested braces", `echo ${"{a,".repeat(2_000)}${"}".repeat(2_000)}`, "value"],
    ["NUL characters", "\0".repeat(100_000), undefined],
  ])("leaves %s undecided, in time", async (_, command, kind) => {
    expect(await kindsIn(command)).toEqual(kind === undefined ? [] : [kind]);
  });

  it.each([
    ["doubling", `a=xxxxxxxxxx; ${"a=$a$a; ".repeat(60)}echo "$a"`],
    ["recursion", "f() { g; g; }; g() { f; f; }; f; f"],
    ["costly patterns", `x=${"a".repeat(3_000)}; echo \${x%${"*a".repeat(40)}} \${x//${"*a".repeat(4)}b/}`],
    ["a long here-document", `cat > f <<'E'\n${"rm -rf /\n".repeat(60_000)}E`],
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
      { numRuns: 1_500 },
    );
  });
});
