import { applyPatch } from "diff";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { shortDiff } from "./short-diff.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("shortDiff", () => {
  it("is empty for equal texts", async () => {
    expect(await shortDiff("a\n", "a\n")).toEqual({ text: "", added: 0, removed: 0, hunks: [], truncated: false });
  });

  it("shows a change with three lines around it", async () => {
    const before = numbers(20);
    expect(await shortDiff(before, before.replace("line 10\n", "ten\nand a half\n"))).toEqual({
      text: "@@ -7,7 +7,8 @@\n line 7\n line 8\n line 9\n-line 10\n+ten\n+and a half\n line 11\n line 12\n line 13",
      added: 2,
      removed: 1,
      hunks: [
        {
          old_start: 7,
          old_lines: 7,
          new_start: 7,
          new_lines: 8,
          lines: [
            " line 7",
            " line 8",
            " line 9",
            "-line 10",
            "+ten",
            "+and a half",
            " line 11",
            " line 12",
            " line 13",
          ],
        },
      ],
      truncated: false,
    });
  });

  it("shows changes far from each other in hunks of their own", async () => {
    const before = numbers(40);
    const { hunks } = await shortDiff(before, before.replace("line 5\n", "").replace("line 30\n", "thirty\n"));
    expect(hunks.map(({ old_start, new_start }) => [old_start, new_start])).toEqual([
      [2, 2],
      [27, 26],
    ]);
  });

  it("shows a created and an emptied file", async () => {
    expect((await shortDiff("", "a\nb\n")).text).toBe("@@ -0,0 +1,2 @@\n+a\n+b");
    expect((await shortDiff("a\nb\n", "")).text).toBe("@@ -1,2 +0,0 @@\n-a\n-b");
  });

  it("says where the last line end is missing", async () => {
    expect((await shortDiff("a", "a\n")).text).toBe("@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a");
  });

  it("makes a change of line ends seen", async () => {
    expect((await shortDiff("a\r\nb\n", "a\nb\n")).text).toBe("@@ -1,2 +1,2 @@\n-a␍\n+a\n b");
    expect((await shortDiff("a\rb\rc", "a\rB\rc")).text).toContain("-b\n+B");
  });

  it("is a patch that leads from one text to the other", async () => {
    const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "d\n");
    const text = fc.array(line, { maxLength: 25 }).map((lines) => lines.join(""));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const { text: patch, added, removed } = await shortDiff(before, after);
        if (before !== after) expect(applyPatch(before, `--- a\n+++ b\n${patch}\n`)).toBe(after);
        expect(after.split("\n").length - before.split("\n").length).toBe(added - removed);
      }),
      { numRuns: 300 },
    );
  });

  it("is cut at 80 lines and says how much there is", async () => {
    const diff = await shortDiff("", numbers(1000));
    expect(diff).toMatchObject({ added: 1000, removed: 0, truncated: true });
    expect(diff.text.split("\n")).toHaveLength(82);
    expect(diff.text.endsWith("(cut: in all 1000 lines added, 0 removed)")).toBe(true);
    expect((await shortDiff("x\n", `${"y".repeat(999)}\n`)).text.length).toBeLessThan(400);
  });

  it("is cut between hunks as well", async () => {
    const before = numbers(2000);
    const after = before.replaceAll("0\n", "zero\n");
    const { hunks, truncated, removed } = await shortDiff(before, after);
    expect({ truncated, removed, lines: hunks.flatMap(({ lines }) => lines).length }).toEqual({
      truncated: true,
      removed: 200,
      lines: 80,
    });
  });

  it("counts lines of a change too large to list", async () => {
    const diff = await shortDiff("a\n".repeat(2_000_000), "b\n".repeat(1_500_000));
    expect(diff).toMatchObject({ added: 1_500_000, removed: 2_000_000, hunks: [], truncated: true });
  });

  it("takes a moment for a small change in a huge text, and for two texts with nothing in common", async () => {
    const huge = numbers(2_000_000);
    const started = performance.now();
    const small = await shortDiff(huge, huge.replace("line 1000000\n", "changed\n"));
    expect(small.hunks[0]).toMatchObject({ old_start: 999_997, old_lines: 7 });
    await shortDiff(numbers(50_000), numbers(50_000).replaceAll("line", "row"));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
