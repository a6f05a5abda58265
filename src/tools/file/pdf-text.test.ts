import { describe, expect, it } from "vitest";

import { pdf } from "../../../test/support/sample-files.ts";
import { parsePageRange } from "./page-range.ts";
import { readPdfText } from "./pdf-text.ts";

const hex = (length: number) => `<${"5a".repeat(length)}>`;
const ENCRYPTED = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex(32)} /U ${hex(32)} /P -4 >> /ID [${hex(16)} ${hex(16)}]`;

describe("readPdfText", () => {
  it("gives the text of every page, and an empty text for a page that has none", async () => {
    expect(await readPdfText(pdf(["Hello page one", "", "The third"]), "a.pdf")).toEqual({
      pages: [
        { number: 1, text: "Hello page one" },
        { number: 2, text: "" },
        { number: 3, text: "The third" },
      ],
      totalPages: 3,
    });
  });

  it("gives the pages asked for", async () => {
    expect(await readPdfText(pdf(["one", "two", "three"]), "a.pdf", { pages: "2-" })).toEqual({
      pages: [
        { number: 2, text: "two" },
        { number: 3, text: "three" },
      ],
      totalPages: 3,
    });
  });

  it("leaves the bytes it was given as they are", async () => {
    const bytes = pdf(["one"]);
    await readPdfText(bytes, "a.pdf");
    expect(bytes).toEqual(pdf(["one"]));
  });

  it("refuses a document of more than 10 pages without a range", async () => {
    const large = pdf(Array.from({ length: 11 }, (_, index) => `page ${index + 1}`));
    await expect(readPdfText(large, "a.pdf")).rejects.toMatchObject({
      code: "limit_exceeded",
      hint: 'The document has 11 pages; ask for some of them: pages "1-10".',
    });
  });

  it("says that a document needs a password", async () => {
    await expect(readPdfText(pdf(["secret"], ENCRYPTED), "a.pdf")).rejects.toMatchObject({
      code: "invalid_input",
      message: "a.pdf is encrypted: it opens only with a password.",
    });
  });

  it("says that a document is damaged, or none", async () => {
    await expect(readPdfText(Buffer.from("%PDF-1.4\nrubbish"), "a.pdf")).rejects.toMatchObject({
      code: "invalid_input",
      message: "a.pdf is a damaged PDF document: Invalid PDF structure.",
    });
    await expect(readPdfText(Buffer.from("hello"), "a.pdf")).rejects.toMatchObject({
      message: "a.pdf is not a PDF document, whatever its name says.",
    });
    const whole = pdf(["one", "two"]);
    for (let length = 20; length < whole.length; length += 97) {
      const outcome = await readPdfText(whole.subarray(0, length), "a.pdf").catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "invalid_input" });
    }
  });

  it("stops when its caller cancels", async () => {
    const reason = new Error("enough");
    await expect(readPdfText(pdf(["one"]), "a.pdf", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("parsePageRange", () => {
  it.each([
    ["1-", { first: 1, last: 12 }],
    ["3", { first: 3, last: 3 }],
    ["1-5", { first: 1, last: 5 }],
    [" 2 - 4 ", { first: 2, last: 4 }],
    ["10-", { first: 10, last: 12 }],
    ["10-99", { first: 10, last: 12 }],
  ])("reads %j", (range, pages) => {
    expect(parsePageRange(range, 12)).toEqual(pages);
  });

  it.each(["", "0", "5-3", "-3", "a", "1,2", "1-2-3", "13", "13-"])("refuses %j", (range) => {
    expect(() => parsePageRange(range, 12)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("takes a document of up to 10 pages whole", () => {
    expect(parsePageRange(undefined, 10)).toEqual({ first: 1, last: 10 });
  });

  it("refuses more than 20 pages", () => {
    expect(() => parsePageRange("1-21", 500)).toThrow(expect.objectContaining({ code: "limit_exceeded" }));
    expect(parsePageRange("481-", 500)).toEqual({ first: 481, last: 500 });
  });
});
