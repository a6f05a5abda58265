import { truncateSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { pdf, png } from "../../../test/support/sample-files.ts";
import { testApp } from "../../../test/support/test-app.ts";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

async function withFile(content: string | Uint8Array, name: string) {
  const pawl = await testApp();
  pawl.file(name, content);
  const read = (payload: Record<string, unknown> = {}) => pawl.call("FileReadTool", { file_path: name, ...payload });
  return { pawl, read };
}

describe("FileReadTool reads other files", () => {
  it("an image, as an image with its size", async () => {
    const bytes = png(30, 20);
    const { read } = await withFile(bytes, "a.png");
    const result = await read();
    expect(result).toMatchObject({
      success: true,
      text: `a.png is an image: image/png, 30×20 pixels, ${bytes.length} bytes.`,
      data: { type: "image", media_type: "image/png", width: 30, height: 20, size_bytes: bytes.length },
      images: [{ type: "image", media_type: "image/png", data: bytes.toString("base64") }],
    });
  });

  it("an image whatever its name is, and a text that is named like one", async () => {
    const image = await withFile(png(1, 1), "a.txt");
    expect((await image.read()).images).toHaveLength(1);
    const text = await withFile("a pointer to an image\n", "a.png");
    expect((await text.read()).text).toBe("1\ta pointer to an image");
  });

  it("an image, and says that lines have no meaning there", async () => {
    const { read } = await withFile(png(1, 1), "a.png");
    expect((await read({ offset: 5, limit: 3 })).text).toMatch(/\n\[Without meaning here: offset, limit\.\]$/);
  });

  it("a PDF document, by page", async () => {
    const { read } = await withFile(pdf(["Hello", "", "The third"]), "a.pdf");
    expect(await read()).toMatchObject({
      success: true,
      text: "--- Page 1 ---\nHello\n--- Page 2 ---\n(no text; perhaps a scan)\n--- Page 3 ---\nThe third\n[Pages 1 to 3 of 3.]",
      data: { type: "pdf", first_page: 1, last_page: 3, total_pages: 3, next_pages: null },
    });
    expect((await read({ pages: "2-3" })).text).toMatch(/^--- Page 2 ---[^]*\[Pages 2 to 3 of 3\.\]$/);
    expect((await read({ pages: 3 })).text).toBe("--- Page 3 ---\nThe third\n[Page 3 of 3.]");
  });

  it("as many pages of a PDF document as fit, and says how to read on (P-012)", async () => {
    const output = { max_characters: 1000, max_spill_bytes: 10_000, keep_days: 1 };
    const pawl = await testApp({ config: { output } });
    pawl.file("a.pdf", pdf(Array.from({ length: 10 }, () => "x".repeat(80))));
    const { text, meta } = await pawl.call("Read", { file_path: "a.pdf" });
    expect(text).toMatch(/x\n\[Pages 1 to 5 of 10\. Read on with pages "6-10"\.\]$/);
    expect(meta.truncated).toBeUndefined();
  });

  it("a PDF document of more than 10 pages only by pages", async () => {
    const { read } = await withFile(pdf(Array.from({ length: 12 }, (_, index) => `p${index + 1}`)), "a.pdf");
    expect((await read()).error).toMatchObject({
      code: "limit_exceeded",
      hint: 'The document has 12 pages; ask for some of them: pages "1-10".',
    });
    expect((await read({ pages: "1-12" })).success).toBe(true);
    expect((await read({ pages: "13" })).error?.code).toBe("invalid_input");
  });

  it("a text that speaks of PDF as text", async () => {
    const { read } = await withFile("// %PDF-1.4 is how a document begins\n", "a.ts");
    expect((await read()).text).toContain("1\t// %PDF-1.4");
  });

  const notebook = (cells: readonly object[]) =>
    JSON.stringify({ metadata: { language_info: { name: "python" } }, nbformat: 4, cells });
  const cell = (source: string, data: object) => ({
    id: "c1",
    cell_type: "code",
    execution_count: 2,
    source,
    outputs: [{ output_type: "display_data", data }],
  });

  it("a notebook, with outputs and images", async () => {
    const image = png(2, 2).toString("base64");
    const { read } = await withFile(
      notebook([cell("plot()", { "image/png": image, "text/plain": "<Figure>" })]),
      "n.ipynb",
    );
    expect(await read()).toMatchObject({
      success: true,
      text: "Notebook with 1 cell, language python.\n\n[c1] code, run 2:\nplot()\nOutput:\n(image 1: image/png, 2×2)\n<Figure>",
      data: {
        type: "notebook",
        language: "python",
        cells: [{ id: "c1", type: "code", execution_count: 2 }],
        next_offset: null,
      },
      images: [{ type: "image", media_type: "image/png", data: image }],
    });
  });

  it("a long notebook by page", async () => {
    const { read } = await withFile(notebook([cell(lines(5000), { "text/plain": "done" })]), "n.ipynb");
    const first = await read();
    const { next_offset } = first.data as { next_offset: number };
    expect(first.text).toMatch(/\[Lines 1 to \d+ of 5006 of the notebook as text\. Read on with offset \d+\.\]$/);
    expect((await read({ offset: next_offset, limit: 1 })).text).toContain(`line ${next_offset - 3}\n[Lines`);
    expect((await read({ tail: 1 })).text).toMatch(/^done\n/);
    expect((await read({ offset: 9999 })).text).toContain("offset 9999 is past its end");
  });

  it("an empty notebook as an empty file, and refuses a damaged one", async () => {
    const empty = await withFile("", "n.ipynb");
    expect((await empty.read()).text).toBe("[n.ipynb is empty.]");
    const damaged = await withFile("{", "n.ipynb");
    expect((await damaged.read()).error?.code).toBe("invalid_input");
    const binary = await withFile("PK\x03\x04\0\0\0", "n.ipynb");
    expect((await binary.read()).error?.message).toContain("a ZIP archive");
  });
});

describe("FileReadTool refuses", () => {
  it.each([
    ["an archive", { content: "PK\x03\x04\0\0\0\0", name: "a.ods", says: "a ZIP archive" }],
    ["a program", { content: "\x7fELF\0\0\0\0", name: "a.out", says: "an ELF program" }],
    [
      "an image that is none",
      { content: "\0\0\0\0\x01\0", name: "a.png", says: "not an image, whatever its name says" },
    ],
    [
      "a PDF document that is none",
      { content: "\0\0\0\0\x01\0", name: "a.pdf", says: "not a PDF document, whatever its name says" },
    ],
    ["a damaged image", { content: "\x89PNG\r\n\x1a\n\0\0", name: "a.png", says: "damaged or cut off" }],
  ])("%s, and says what it is", async (_what, { content, name, says }) => {
    const { read } = await withFile(Buffer.from(content, "latin1"), name);
    expect((await read()).error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(says) });
  });

  it("an image that is too large, unread", async () => {
    const { pawl, read } = await withFile(png(1, 1), "a.png");
    truncateSync(join(pawl.workspace, "a.png"), 5_000_000_000);
    expect((await read()).error).toMatchObject({
      code: "limit_exceeded",
      message: expect.stringContaining("5000000000"),
    });
  });
});
