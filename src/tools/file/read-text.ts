// Lines of a text file as a model reads them, with what it needs to know to read on and to edit.
import { z } from "zod";
import type { ToolOutput } from "../../core/result.ts";
import type { LineEnding } from "./line-source.ts";
import { type LinePage, readPage } from "./line-pages.ts";
import type { PageLine } from "./line-window.ts";
import type { FilePath, OpenFile } from "../../core/open-file.ts";
import type { LineRange } from "./read-range.ts";
import { encodingLabel } from "./text-encoding.ts";

export const textData = z.object({
  type: z.literal("text"),
  file_path: z.string().describe("Absolute, without symbolic links."),
  content: z.string().describe("The lines as they are in the file, with their line ends; long lines are cut."),
  start_line: z.int().nullable().describe("Number of the first line; null when the file is too large to count."),
  num_lines: z.int(),
  total_lines: z.int().nullable().describe("Null when the file is too large to count."),
  next_offset: z.int().nullable().describe("The `offset` that reads on; null at the end of the file."),
  encoding: z.enum(["utf-8", "utf-16le", "utf-16be", "windows-1252"]),
  has_bom: z.boolean(),
  line_endings: z.enum(["lf", "crlf", "cr", "mixed", "none"]),
  final_newline: z.boolean().nullable().describe("Null when the page does not reach the end of the file."),
  cut_lines: z
    .array(z.object({ offset: z.int(), characters: z.int(), next_character_offset: z.int() }))
    .describe("Lines that are longer than shown, and how to read on in them."),
  size_bytes: z.int(),
});
export type TextData = z.output<typeof textData>;

export interface TextRequest {
  readonly file: FilePath;
  readonly range: LineRange;
  /** Of the whole answer, line numbers and all. */
  readonly maxCharacters: number;
  readonly signal: AbortSignal;
}

const MAX_LINE_CHARACTERS = 2000;
/** Room for what is said beside the lines. */
const RESERVE_CHARACTERS = 1000;

/** Reads a page that fits into `maxCharacters` by itself. Throws `invalid_input` when the file is no text. */
export async function readText(open: OpenFile, request: TextRequest): Promise<ToolOutput<TextData>> {
  const { file, range, signal } = request;
  const room = Math.max(Math.floor(request.maxCharacters / 2), request.maxCharacters - RESERVE_CHARACTERS);
  // A character can take two places of a JavaScript string.
  const longest = Math.floor(room / 2);
  const page = await readPage(open, file.shown, {
    offset: range.offset,
    limit: range.limit,
    ...(range.characterOffset !== undefined && { characterOffset: range.characterOffset }),
    maxLineCharacters: range.characterOffset === undefined ? Math.min(MAX_LINE_CHARACTERS, longest) : longest,
    maxCharacters: room,
    signal,
  });
  const shown = fit(page, range, room);
  const notes = [placeNote(shown, request), ...textNotes(shown)].filter((note) => note !== "");
  const text = [...shown.lines.map(({ text }) => text), ...notes.map((note) => `[${note}]`)].join("\n");
  return { text, data: dataOf(shown, file) };
}

interface ShownLine {
  /** The `offset` that this line can be read by. */
  readonly offset: number;
  readonly line: PageLine;
  readonly text: string;
}

interface ShownPage {
  readonly page: LinePage;
  readonly lines: readonly ShownLine[];
  readonly nextOffset: number | undefined;
  readonly atEnd: boolean;
}

/** The first lines of the page that fit, one at least. */
function fit(page: LinePage, range: LineRange, room: number): ShownPage {
  const first = page.startLine ?? firstFromEnd(page, range);
  const lines: ShownLine[] = [];
  let used = 0;
  for (const [index, line] of page.lines.entries()) {
    const text = render(line, first + index);
    used += text.length + 1;
    if (used > room && lines.length > 0) return { page, lines, nextOffset: first + index, atEnd: false };
    lines.push({ offset: first + index, line, text });
  }
  return { page, lines, nextOffset: page.nextOffset, atEnd: page.nextOffset === undefined };
}

/** In a file too large to count, lines that were found from its end are numbered from there: -1 is the last. */
function firstFromEnd(page: LinePage, range: LineRange): number {
  return page.nextOffset === undefined ? -page.lines.length : range.offset;
}

function render(line: PageLine, offset: number): string {
  const before = line.from === 0 ? "" : `[from character ${line.from} on] `;
  const { continuesAt } = line;
  if (continuesAt === undefined) return `${offset}\t${before}${line.text}`;
  const rest = `${line.characters - continuesAt} more characters: read on with offset ${offset}, character_offset ${continuesAt}`;
  return `${offset}\t${before}${line.text} [… ${rest}]`;
}

/** What page this is; empty when it is the whole file. */
function placeNote({ page, lines, nextOffset, atEnd }: ShownPage, { file, range }: TextRequest): string {
  if (lines.length === 0) return nothingNote(page, file, range);
  const [first, last] = [lines[0]!.offset, lines.at(-1)!.offset];
  const past = range.characterOffset !== undefined && lines[0]!.line.from >= lines[0]!.line.characters;
  const beyond = past
    ? `Line ${first} has ${lines[0]!.line.characters} characters, none at ${range.characterOffset}. `
    : "";
  if (first === 1 && atEnd) return beyond.trimEnd();
  const span = first === last ? `Line ${first}` : `Lines ${first} to ${last}`;
  const total = first < 0 ? ", counted from the end" : page.totalLines === undefined ? "" : ` of ${page.totalLines}`;
  if (atEnd) return `${beyond}${span}${total}, to the end of the file.`;
  const size = page.totalLines === undefined ? ` The file has ${page.size} bytes.` : "";
  return `${beyond}${span}${total}.${size} Read on with offset ${nextOffset}.`;
}

function nothingNote(page: LinePage, file: FilePath, range: LineRange): string {
  if (page.size === 0) return `${file.shown} is empty.`;
  if (page.totalLines === 0) return `${file.shown} is empty but for a byte order mark.`;
  const count = page.totalLines === 1 ? "1 line" : `${page.totalLines} lines`;
  return `${file.shown} has ${count}; offset ${range.offset} is past its end.`;
}

function textNotes({ page, lines }: ShownPage): string[] {
  const { encoding, lineEndings } = page;
  const plain = encoding.name === "utf-8" && !encoding.bom;
  const endings = {
    crlf: "Lines end with CRLF.",
    cr: "Lines end with CR.",
    mixed: "Some lines end with CRLF, some with LF.",
  };
  const open = lines.at(-1)?.line.ending === "";
  return [
    plain ? "" : `The encoding is ${encodingLabel(encoding)}.`,
    lineEndings === "lf" || lineEndings === "none" ? "" : endings[lineEndings],
    open ? "The last line has no newline at its end." : "",
  ];
}

function dataOf({ page, lines, nextOffset, atEnd }: ShownPage, file: FilePath): TextData {
  const ending = lines.at(-1)?.line.ending;
  return {
    type: "text",
    file_path: file.path,
    content: lines.map(({ line }) => line.text + line.ending).join(""),
    start_line: page.startLine ?? null,
    num_lines: lines.length,
    total_lines: page.totalLines ?? null,
    next_offset: nextOffset ?? null,
    encoding: page.encoding.name,
    has_bom: page.encoding.bom,
    line_endings: page.lineEndings,
    final_newline: atEnd && ending !== undefined ? endsLine(ending) : null,
    cut_lines: lines.flatMap(({ line, offset }) => {
      const { continuesAt, characters } = line;
      return continuesAt === undefined ? [] : [{ offset, characters, next_character_offset: continuesAt }];
    }),
    size_bytes: page.size,
  };
}

function endsLine(ending: LineEnding | ""): boolean {
  return ending !== "";
}
