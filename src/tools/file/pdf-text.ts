import { ToolError } from "../../core/errors.ts";
import { type PageRange, parsePageRange } from "./page-range.ts";

export interface PdfPage {
  /** 1-based. */
  readonly number: number;
  /** Empty for a page without text, such as a scan. */
  readonly text: string;
}

export interface PdfText {
  readonly pages: readonly PdfPage[];
  readonly totalPages: number;
}

export interface PdfRequest {
  /** As `parsePageRange` reads it; the whole document without. */
  readonly pages?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** True for bytes that begin like a PDF document; some have a little before the mark. */
export function isPdf(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 1024)).includes("%PDF-");
}

/**
 * The text of a PDF document, by page. Throws `invalid_input` for a damaged document, one that needs a password, or a bad
 * page range, `limit_exceeded` for too many pages.
 */
export async function readPdfText(bytes: Uint8Array, shown: string, request: PdfRequest = {}): Promise<PdfText> {
  if (!isPdf(bytes))
    throw new ToolError("invalid_input", `${shown} is not a PDF document, whatever its name says.`, { hint: HINT });
  const { getDocumentProxy } = await import("unpdf");
  // The parser takes the memory it is given as its own, so it gets a copy.
  const document = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 }).catch((error: unknown) => {
    throw cannotRead(error, shown);
  });
  try {
    const { numPages: totalPages } = document;
    const pages = await readPages(document, parsePageRange(request.pages, totalPages), request.signal);
    return { pages, totalPages };
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw error instanceof ToolError ? error : cannotRead(error, shown);
  } finally {
    await document.loadingTask.destroy();
  }
}

const HINT = "Find out what it is with `file` through BashTool.";

interface PdfDocument {
  getPage(number: number): Promise<{ getTextContent(): Promise<{ items: readonly object[] }> }>;
}

async function readPages(document: PdfDocument, range: PageRange, signal: AbortSignal | undefined): Promise<PdfPage[]> {
  const pages: PdfPage[] = [];
  for (let number = range.first; number <= range.last; number++) {
    signal?.throwIfAborted();
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pages.push({ number, text: items.map(itemText).join("").trim() });
  }
  return pages;
}

function itemText(item: object): string {
  if (!("str" in item) || typeof item.str !== "string") return "";
  return "hasEOL" in item && item.hasEOL === true ? `${item.str}\n` : item.str;
}

function cannotRead(error: unknown, shown: string): ToolError {
  if (error instanceof Error && error.name === "PasswordException") {
    return new ToolError("invalid_input", `${shown} is encrypted: it opens only with a password.`, {
      hint: "Make an open copy first, for instance with `qpdf --decrypt --password=… IN OUT`.",
      cause: error,
    });
  }
  const says = error instanceof Error ? error.message : String(error);
  return new ToolError("invalid_input", `${shown} is a damaged PDF document: ${says}`, { hint: HINT, cause: error });
}
