import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_MAX_CHARACTERS, limitText } from "./output-limit.ts";

const MARKER = /\n?\[\.\.\. left out: ([\d,]+) lines?, ([\d,]+) characters?[^\n]*\.\.\.\]\n/;

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 60 }).map((lines) => lines.join("\n")),
);

describe("limitText", () => {
  it("leaves a text alone that fits", () => {
    const text = "x".repeat(DEFAULT_MAX_CHARACTERS);
    expect(limitText(text)).toEqual({ text, truncated: false, omittedLines: 0, omittedCharacters: 0 });
  });

  it("keeps whole lines of both ends and says what is missing and where it is", () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join("");
    expect(limitText(text, { maxCharacters: 50, wholeAt: "/tmp/whole" })).toEqual({
      text: "line 0\nline 1\nline 2\nline 3\n[... left out: 94 lines, 746 characters; the whole is in /tmp/whole, read it by page with FileReadTool ...]\nline 98\nline 99\n",
      truncated: true,
      omittedLines: 94,
      omittedCharacters: 746,
    });
  });

  it("cuts a giant line inside, never a surrogate pair", () => {
    const { text, omittedLines } = limitText("💖".repeat(1000), { maxCharacters: 25 });
    expect(text).toMatch(/^💖{7}\n\[[^\n]*\]\n💖{5}$/u);
    expect(omittedLines).toBe(1);
  });

  it("does not give up the budget for a short line in front of a giant one", () => {
    const { text } = limitText(`a\n${"x".repeat(1000)}\nb`, { maxCharacters: 100 });
    expect(text.length).toBeGreaterThan(140);
    expect(text.startsWith(`a\n${"x".repeat(58)}\n[`)).toBe(true);
  });

  it("keeps a beginning and an end of the input, within the budget", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 200 }), (text, maxCharacters) => {
        fc.pre(!text.includes("left out"));
        const limited = limitText(text, { maxCharacters });
        if (!limited.truncated) {
          expect(limited.text).toBe(text);
          return;
        }
        const marker = MARKER.exec(limited.text);
        const tail = limited.text.slice((marker?.index ?? 0) + (marker?.[0].length ?? 0));
        const omitted = text.length - tail.length - limited.omittedCharacters;
        const head = text.slice(0, omitted);
        expect(limited.text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(head.length + tail.length).toBeLessThanOrEqual(maxCharacters);
        if (text.isWellFormed()) expect(limited.text.isWellFormed()).toBe(true);
        const middle = text.slice(head.length, text.length - tail.length);
        expect(limited.omittedLines).toBe(middle.split("\n").length - (middle.endsWith("\n") ? 1 : 0));
      }),
    );
  });
});
