import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ToolError } from "../../core/errors.ts";
import { applyEdits, type TextEdit } from "./edit-text.ts";
import { decodeText, encodeText, type TextEncoding } from "./text-encoding.ts";

const edit = (content: string | Uint8Array, ...edits: TextEdit[]) =>
  applyEdits(Buffer.from(content as string), edits, "f.txt");
const change = (old_string: string, new_string: string, more: Partial<TextEdit> = {}): TextEdit => ({
  old_string,
  new_string,
  ...more,
});
const text = (content: string | Uint8Array, ...edits: TextEdit[]) => edit(content, ...edits).bytes.toString("utf8");

function failure(content: string | Uint8Array, ...edits: TextEdit[]): ToolError {
  try {
    edit(content, ...edits);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("the edit was applied");
}

describe("applyEdits", () => {
  it("changes the one place and nothing else", () => {
    expect(text("alpha\r\nbeta\r\ngamma\n", change("beta", "BETA"))).toBe("alpha\r\nBETA\r\ngamma\n");
  });

  it("writes dollar signs as they are", () => {
    const literal = "$& $$ $' $1 $` ${x}";
    expect(text("a b a", change("a", literal, { replace_all: true }))).toBe(`${literal} b ${literal}`);
  });

  it("keeps a byte order mark once, and finds text on the first line", () => {
    expect(edit("\ufefftitle: x\n*: v\n", change("title: x", "title: y")).bytes).toEqual(
      Buffer.from("\ufefftitle: y\n*: v\n"),
    );
  });

  it("keeps bytes that are no UTF-8", () => {
    const { bytes, encoding } = edit(Buffer.from("caf\xe9=1\nport=80\n", "latin1"), change("port=80", "port=81"));
    expect(bytes.toString("latin1")).toBe("caf\xe9=1\nport=81\n");
    expect(encoding.name).toBe("windows-1252");
  });

  it("finds UTF-8 letters in a file that is not all UTF-8, and writes UTF-8 there", () => {
    const bytes = Buffer.concat([Buffer.from("caf\xe9\n", "latin1"), Buffer.from("naïve 日本\n")]);
    const edited = edit(bytes, change("naïve 日本", "naïf 日"));
    expect(edited.bytes).toEqual(Buffer.concat([Buffer.from("caf\xe9\n", "latin1"), Buffer.from("naïf 日\n")]));
  });

  it("refuses a character that the file's encoding has no place for", () => {
    expect(failure(Buffer.from("caf\xe9\n", "latin1"), change("caf", "日"))).toMatchObject({ code: "invalid_input" });
  });

  it("edits UTF-16", () => {
    const encoding: TextEncoding = { name: "utf-16le", bom: true };
    const edited = edit(encodeText("eins\r\nzwei\r\n", encoding), change("eins\nzwei", "eins\nzwei\ndrei"));
    expect(decodeText(edited.bytes, encoding)).toBe("eins\r\nzwei\r\ndrei\r\n");
  });

  it("refuses a binary file", () => {
    expect(failure(Buffer.from("PK\x03\x04\0\0"), change("PK", "KP"))).toMatchObject({ code: "invalid_input" });
  });

  describe("with line ends", () => {
    it("lets LF stand for CRLF, and writes CRLF for the new lines", () => {
      expect(text("alpha\r\nbeta\r\ngamma\r\n", change("alpha\nbeta", "one\ntwo\nthree"))).toBe(
        "one\r\ntwo\r\nthree\r\ngamma\r\n",
      );
    });

    it("never leaves half a CRLF behind", () => {
      expect(text("alpha\r\nbeta\r\ngamma\r\n", change("\nbeta", ""))).toBe("alpha\r\ngamma\r\n");
      expect(text("a\r\nb\r\n", change("\n", "", { replace_all: true }))).toBe("ab");
      expect(text("a\r\nb\r\n", change("a\n", ""))).toBe("b\r\n");
    });

    it("writes new lines as the lines around the place end, in a mixed file too", () => {
      expect(text("a\r\nb\r\nc\nd\n", change("b", "b1\nb2"))).toBe("a\r\nb1\r\nb2\r\nc\nd\n");
      expect(text("a\r\nb\r\nc\nd\n", change("d", "d1\nd2"))).toBe("a\r\nb\r\nc\nd1\nd2\n");
      expect(text("a\r\nb", change("b", "b1\nb2"))).toBe("a\r\nb1\r\nb2");
      expect(text("x\r\ny\nx\n", change("x", "1\n2", { replace_all: true }))).toBe("1\r\n2\r\ny\n1\n2\n");
    });

    it("keeps each line end of a mixed place where the number of lines stays", () => {
      expect(text("a\r\nb\nc\r\n", change("a\nb\nc", "A\nB\nC"))).toBe("A\r\nB\nC\r\n");
    });

    it("edits files whose lines end with CR", () => {
      expect(text("a\rb\rc", change("a\nb", "1\n2\n3"))).toBe("1\r2\r3\rc");
    });

    it("takes an edit that writes CR at its word", () => {
      expect(text("a\nb\n", change("a\nb", "a\r\nb"))).toBe("a\r\nb\n");
      expect(text("a\r\nb\r\n", change("a\r\nb", "a\nb"))).toBe("a\nb\r\n");
    });

    it("finds CRLF in a file with LF, and writes LF", () => {
      expect(text("a\nb\nc\n", change("a\r\nb", "1\r\n2"))).toBe("1\n2\nc\n");
    });

    it("sees two places that differ only in line ends as two", () => {
      expect(failure("a\nb\nx\na\r\nb\n", change("a\nb", "c"))).toMatchObject({
        code: "conflict",
        message: "old_string is not unique: it is there 2 times in f.txt, on lines 1, 4.",
      });
    });
  });

  it("keeps everything outside the replaced places, for any text and encoding", () => {
    const part = fc.constantFrom("a", "b", "é", " ", "\n", "\r\n", "\r", "xyz", "$&", "\t");
    const some = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
    const encodings: readonly TextEncoding[] = [
      { name: "utf-8", bom: false },
      { name: "utf-8", bom: true },
      { name: "utf-16be", bom: true },
    ];
    const file = fc.record({ head: some, tail: some, old: some, fresh: some, encoding: fc.constantFrom(...encodings) });
    fc.assert(
      fc.property(file, ({ head, tail, old, fresh, encoding }) => {
        const [marked, wanted] = [`<<${old}>>`, `[[${fresh}]]`];
        const { bytes } = applyEdits(encodeText(head + marked + tail, encoding), [change(marked, wanted)], "f");
        const after = decodeText(bytes, encoding);
        expect(after.startsWith(`${head}[[`)).toBe(true);
        expect(after.endsWith(`]]${tail}`)).toBe(true);
        expect(after.slice(head.length, after.length - tail.length).replaceAll(/\r\n?/g, "\n")).toBe(
          wanted.replaceAll(/\r\n?/g, "\n"),
        );
      }),
      { numRuns: 300 },
    );
  });

  describe("with several edits", () => {
    it("applies them in order", () => {
      const edited = edit("one two\n", change("one", "1"), change("1 two", "1 2"));
      expect(edited).toMatchObject({ before: "one two\n", after: "1 2\n", replacements: [1, 1] });
    });

    it("names the one that fails", () => {
      expect(failure("one two\n", change("one", "1"), change("absent", "2")).message).toBe(
        "edits[1]: old_string was not found in f.txt. Nothing like it is there.",
      );
    });

    it("refuses edits that cancel each other", () => {
      expect(failure("a", change("a", "b"), change("b", "a"))).toMatchObject({ code: "invalid_input" });
    });
  });

  it("refuses an edit whose old and new text are the same, for that reason", () => {
    expect(failure("x", change("absent", "absent"))).toMatchObject({
      code: "invalid_input",
      message: "old_string and new_string are the same, so there is nothing to change.",
    });
  });

  it("fills an empty file for an empty old_string, and refuses it where there is content", () => {
    expect(text("", change("", "new\n"))).toBe("new\n");
    expect(text("\ufeff", change("", "new\n"))).toBe("\ufeffnew\n");
    expect(failure("abc\n", change("", "X", { replace_all: true }))).toMatchObject({ code: "invalid_input" });
  });

  it("replaces every place, and counts them", () => {
    expect(edit("x x x", change("x", "y", { replace_all: true }))).toMatchObject({ after: "y y y", replacements: [3] });
  });

  it("refuses a number of places other than the expected one", () => {
    expect(text("x x", change("x", "y", { expected: 2 }))).toBe("y y");
    expect(failure("x\nx\n", change("x", "y", { expected: 3 }))).toMatchObject({
      code: "conflict",
      message: "old_string is there 2 times in f.txt, not 3: lines 1, 2.",
    });
  });

  it("refuses a text that is not unique, with its lines", () => {
    expect(failure("x = 1\ny\nx = 1\n", change("x = 1", "x = 2")).message).toContain(
      "there 2 times in f.txt, on lines 1, 3.",
    );
    expect(failure("x\n".repeat(30), change("x", "y")).message).toMatch(/19, 20 and 10 more\.$/);
    expect(failure("aaa", change("aa", "b")).message).toContain("overlaps itself");
  });

  it("refuses to grow a file without bounds", () => {
    const huge = change("a", "b".repeat(3_000_000), { replace_all: true });
    expect(failure("a".repeat(100), huge)).toMatchObject({ code: "limit_exceeded" });
  });

  it("replaces a million places in one line within seconds", () => {
    const started = performance.now();
    edit(`${"a,".repeat(1_000_000)}\n`, change(",", ",\n", { replace_all: true }));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("a text that is not found", () => {
  const says = (content: string, old: string) => failure(content, change(old, "new")).message;

  it.each([
    [
      "indentation",
      "if x:\n\treturn 1\n",
      "if x:\n    return 1",
      "indentation (the file has 1 tab, old_string 4 spaces)",
    ],
    ["blanks at line ends", "one  \ntwo\n", "one\ntwo", "blanks at line ends"],
    ["blanks between words", "a  =  1\n", "a = 1", "the number or kind of blanks between words"],
    ["quotes", "say \u201chi\u201d\n", 'say "hi"', "quotes (straight or curly)"],
    ["dashes", "1\u20132\n", "1-2", "dashes (hyphen or long)"],
    ["special blanks", "a\u00a0b\n", "a b", "blanks (no-break or other special ones)"],
    ["invisible characters", "a\u200bb\n", "ab", "invisible characters"],
    ["Unicode form", "cafe\u0301\n", "caf\u00e9", "the Unicode form of letters (composed or decomposed)"],
    ["case", "Hello World\n", "hello world", "upper and lower case"],
    [
      "two things",
      "\tSay \u2018x\u2019\n",
      "  Say 'x'",
      "quotes (straight or curly) and indentation (the file has 1 tab, old_string 2 spaces)",
    ],
  ])("is explained by its %s", (...[, content, old, difference]) => {
    expect(says(`first\n${content}`, old)).toContain(`but differs in ${difference}:\n2\t`);
  });

  it("is explained by line numbers sent along", () => {
    expect(says("one\ntwo\n", "     1\tone\n     2\ttwo")).toBe(
      "old_string was not found in f.txt. It begins its lines with line numbers, which FileReadTool prints but the file does not have.",
    );
  });

  it("is explained by a missing last line end", () => {
    expect(says("one\ntwo", "two\n")).toContain("the last line there has no line end");
  });

  it("comes with the place that has most of its lines, and the first difference", () => {
    const content = "function a() {\n  const x = compute(1);\n  return x;\n}\n";
    expect(says(content, "function a() {\n  const x = compute(2);\n  return x;\n}")).toBe(
      [
        "old_string was not found in f.txt. The nearest place is on lines 1-4:",
        "1\tfunction a() {",
        "2\t  const x = compute(1);",
        "3\t  return x;",
        "4\t}",
        "The first difference is on line 2, where old_string has:",
        "2\t  const x = compute(2);",
      ].join("\n"),
    );
  });

  it("comes with the line that shares most words", () => {
    expect(says("import a\nconst total = price * count + tax;\n", "const total = price * amount + tax;")).toContain(
      "The nearest place is on line 2:\n2\tconst total = price * count + tax;",
    );
  });

  it("shows at most ten lines, cut at 200 characters", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index} ${"x".repeat(300)}`);
    const message = says(lines.join("\n"), [...lines.slice(0, 29), "other"].join("\n"));
    expect(message).toContain("(and 20 more lines)");
    expect(message.length).toBeLessThan(3000);
  });

  it("is explained within seconds for 10 MB", () => {
    const started = performance.now();
    const line = "    const value = compute(first, second); // and a remark\n";
    expect(says(line.repeat(180_000), "\tconst valeu = compute(first, third);\n\treturn valeu;")).toContain(
      "nearest place",
    );
    expect(says("}\n".repeat(2_000_000), `${"}\n".repeat(500)}{`)).toContain("was not found");
    expect(says("a".repeat(10_000_000), "b")).toContain("Nothing like it");
    expect(performance.now() - started).toBeLessThan(25_000);
  }, 60_000);
});
