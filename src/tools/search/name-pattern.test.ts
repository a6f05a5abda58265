import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileName } from "./name-pattern.ts";

describe("a pattern for names", () => {
  it.each([
    ["*", "", true],
    ["a*b*c", "aXbYc", true],
    ["a*b*c", "aXc", false],
    ["[[:digit:]]*", "7up", true],
    ["[[:upper:][:space:]]", "a", false],
    ["[]x]", "]", true],
    ["[a", "[a", true],
    ["[!a-c]", "d", true],
    ["[^a-c]", "b", false],
    [String.raw`[\]]`, "]", true],
    [String.raw`\*`, "*", true],
    [String.raw`\*`, "a", false],
    ["a\\", "a\\", true],
    ["[a-]", "-", true],
    ["?(ab)c", "c", true],
    ["*(ab|c)d", "abcabd", true],
    ["+(ab)", "", false],
    ["!(*.js|*.ts)", "a.md", true],
    ["!(*.js|*.ts)", "a.ts", false],
    ["@(a", "@(a", true],
    ["+(a|*(b))x", "abbax", true],
    ["?", "🙂", true],
    ["(shop)", "(shop)", true],
    ["(shop)", "shop", false],
  ])("%s and %j: %s", (pattern, name, expected) => {
    expect(compileName(pattern, true).test(name)).toBe(expected);
  });

  it("knows the name that it stands for", () => {
    expect(compileName(String.raw`a\*b`, true).literal).toBe("a*b");
    expect(compileName("a*b", true).literal).toBeUndefined();
    expect(compileName("README", false).literal).toBe("readme");
  });

  it("agrees with the regular expression that means the same", () => {
    const part = fc.constantFrom(...Object.keys(MEANINGS));
    const name = fc.string({ unit: fc.constantFrom("a", "b", "c", "."), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), name, (parts, candidate) => {
        const meaning = new RegExp(`^${parts.map((written) => MEANINGS[written]).join("")}$`, "s");
        const isMatch = meaning.test(candidate) || parts.join("") === candidate;
        expect(compileName(parts.join(""), true).test(candidate)).toBe(isMatch);
      }),
      { numRuns: 3_000 },
    );
  });
});

const MEANINGS: Readonly<Record<string, string>> = {
  "*": ".*",
  "?": ".",
  a: "a",
  b: "b",
  ".": String.raw`\.`,
  "[ab]": "[ab]",
  "[!a]": "[^a]",
  "@(a|b)": "(?:a|b)",
  "*(ab)": "(?:ab)*",
  "+(b|ba)": "(?:b|ba)+",
  "?(a)": "a?",
};
