// Images, PDF documents and notebooks as a model reads them.
import { z } from "zod";
import type { ToolOutput } from "../../core/result.ts";
import { detectEncoding } from "./detect-encoding.ts";
import { readWhole } from "./file-snapshot.ts";
import { readImage, refuseLargeImage } from "./image-file.ts";
import { renderNotebook } from "./notebook-text.ts";
import type { FilePath, OpenFile } from "../../core/open-file.ts";
import { type PdfPage, readPdfText } from "./pdf-text.ts";
import type { LineRange } from "./read-range.ts";
import { decodeText } from "./text-encoding.ts";
import { notText } from "./text-file.ts";

export const imageData = z.object({
  type: z.literal("image"),
  file_path: z.string(),
  media_type: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  width: z.int().describe("Pixels."),
  height: z.int().describe("Pixels."),
  size_bytes: z.int(),
});

export const pdfData = z.object({
  type: z.literal("pdf"),
  file_path: z.string(),
  content: z.string(),
  first_page: z.int(),
  last_page: z.int(),
  total_pages: z.int(),
  next_pages: z.string().nullable().describe("The `pages` that read on; null at the end of what was asked for."),
  size_bytes: z.int(),
});

export const notebookData = z.object({
  type: z.literal("notebook"),
  file_path: z.string(),
  content: z.string().describe("Lines of the notebook as text, not of its file."),
  start_line: z.int(),
  num_lines: z.int(),
  total_lines: z.int(),
  next_offset: z.int().nullable(),
  language: z.string(),
  cells: z.array(z.object({ id: z.string(), type: z.string(), execution_count: z.number().nullable() })),
  size_bytes: z.int(),
});

export interface DocumentRequest {
  readonly file: FilePath;
  readonly range: LineRange;
  readonly pages: string | undefined;
  readonly maxCharacters: number;
  readonly signal: AbortSignal;
}

const MAX_DOCUMENT_BYTES = 100 * 1024 * 1024;
const RESERVE_CHARACTERS = 500;

export async function readImageFile(
  open: OpenFile,
  { file }: DocumentRequest,
): Promise<ToolOutput<z.output<typeof imageData>>> {
  refuseLargeImage(Number(open.stat.size), file.shown);
  const image = readImage(await readWhole(open, file.shown, MAX_DOCUMENT_BYTES), file.shown);
  const { mediaType, width, height, size } = image;
  return {
    text: `${file.shown} is an image: ${mediaType}, ${width}×${height} pixels, ${size} bytes.`,
    data: { type: "image", file_path: file.path, media_type: mediaType, width, height, size_bytes: size },
    images: [image.content],
  };
}

/** As many whole pages as fit, one at least. */
export async function readPdfFile(
  open: OpenFile,
  request: DocumentRequest,
): Promise<ToolOutput<z.output<typeof pdfData>>> {
  const { file, signal } = request;
  const bytes = await readWhole(open, file.shown, MAX_DOCUMENT_BYTES);
  const { pages, totalPages } = await readPdfText(bytes, file.shown, { pages: request.pages, signal });
  const texts = pages.map(pageText);
  const count = countFitting(texts, request.maxCharacters - RESERVE_CHARACTERS);
  const [first, last, end] = [pages[0]!.number, pages[count - 1]!.number, pages.at(-1)!.number];
  const next = last < end ? `${last + 1}-${end}` : null;
  const content = texts.slice(0, count).join("\n");
  const span = first === last ? `Page ${first}` : `Pages ${first} to ${last}`;
  const more = next === null ? "" : ` Read on with pages "${next}".`;
  return {
    text: `${content}\n[${span} of ${totalPages}.${more}]`,
    data: {
      type: "pdf",
      file_path: file.path,
      content,
      first_page: first,
      last_page: last,
      total_pages: totalPages,
      next_pages: next,
      size_bytes: bytes.length,
    },
  };
}

/** A page of the notebook's lines as text; its images come with the first page. */
export async function readNotebookFile(
  open: OpenFile,
  request: DocumentRequest,
): Promise<ToolOutput<z.output<typeof notebookData>>> {
  const { file, range } = request;
  const bytes = await readWhole(open, file.shown, MAX_DOCUMENT_BYTES);
  const detected = detectEncoding(bytes);
  if (detected.kind === "binary") throw notText(file.shown, detected.says);
  const notebook = renderNotebook(decodeText(bytes, detected.encoding), file.shown);
  const all = notebook.text.split("\n");
  const start = range.offset < 0 ? Math.max(1, all.length + range.offset + 1) : Math.max(1, range.offset);
  const wanted = all.slice(start - 1, start - 1 + range.limit);
  const lines = wanted.slice(0, countFitting(wanted, request.maxCharacters - RESERVE_CHARACTERS));
  const next = start + lines.length <= all.length ? start + lines.length : null;
  const notes = notebookNotes({ start, shown: lines.length, total: all.length, next });
  return {
    text: [...lines, ...notes].join("\n"),
    data: {
      type: "notebook",
      file_path: file.path,
      content: lines.join("\n"),
      start_line: start,
      num_lines: lines.length,
      total_lines: all.length,
      next_offset: next,
      language: notebook.language,
      cells: notebook.cells.map(({ id, type, execution_count }) => ({ id, type, execution_count })),
      size_bytes: bytes.length,
    },
    ...(start === 1 && notebook.images.length > 0 && { images: notebook.images }),
  };
}

function pageText({ number, text }: PdfPage): string {
  return `--- Page ${number} ---\n${text === "" ? "(no text; perhaps a scan)" : text}`;
}

function notebookNotes(page: { start: number; shown: number; total: number; next: number | null }): string[] {
  const { start, shown, total, next } = page;
  if (shown === 0) return [`[The notebook has ${total} lines as text; offset ${start} is past its end.]`];
  if (start === 1 && next === null) return [];
  const more = next === null ? "" : ` Read on with offset ${next}.`;
  return [`[Lines ${start} to ${start + shown - 1} of ${total} of the notebook as text.${more}]`];
}

/** How many of the first texts fit, with a line break after each; one at least, where there is one. */
function countFitting(texts: readonly string[], maxCharacters: number): number {
  let used = 0;
  const tooMany = texts.findIndex((text) => (used += text.length + 1) > maxCharacters);
  return tooMany === -1 ? texts.length : Math.max(1, tooMany);
}
