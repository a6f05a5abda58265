import { ToolError } from "../../core/errors.ts";

/** 1-based, both included. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

export const MAX_PAGES = 20;
/** A longer document is read only by a range. */
const MAX_PAGES_UNASKED = 10;

/**
 * Reads "3", "1-5" or "10-" (to the end) for a document of so many pages. Without a range it is the whole document.
 * A range that goes past the end is cut there. Throws `invalid_input` for what is no range or lies past the end, and
 * `limit_exceeded` for more than 20 pages, or more than 10 without a range.
 */
export function parsePageRange(range: string | undefined, totalPages: number): PageRange {
  const { first, last } = range === undefined ? { first: 1, last: totalPages } : readRange(range.trim(), totalPages);
  if (first > totalPages) {
    throw new ToolError(
      "invalid_input",
      `pages ${JSON.stringify(range)} begins past the end: the document has ${countPages(totalPages)}.`,
      {
        hint: `Ask for pages between 1 and ${totalPages}.`,
      },
    );
  }
  const end = Math.min(last, totalPages);
  const limit = range === undefined ? MAX_PAGES_UNASKED : MAX_PAGES;
  const count = end - first + 1;
  if (count <= limit) return { first, last: end };
  const when = range === undefined ? "when `pages` does not say which" : "at once";
  throw new ToolError("limit_exceeded", `That is ${count} pages; at most ${limit} are read ${when}.`, {
    hint: `The document has ${countPages(totalPages)}; ask for some of them: pages "${first}-${first + limit - 1}".`,
  });
}

function readRange(range: string, totalPages: number): PageRange {
  const [, from, dash, to] = /^(\d{1,6})\s*(?:(-)\s*(\d{1,6})?)?$/.exec(range) ?? [];
  const first = Number(from);
  const last = dash === undefined ? first : to === undefined ? Math.max(first, totalPages) : Number(to);
  if (from !== undefined && first >= 1 && last >= first) return { first, last };
  throw new ToolError("invalid_input", `pages ${JSON.stringify(range)} is no page range.`, {
    hint: 'Write "3", "1-5" or "10-"; the first page is 1.',
  });
}

function countPages(count: number): string {
  return count === 1 ? "1 page" : `${count} pages`;
}
