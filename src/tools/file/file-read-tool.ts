import { basename } from "node:path";

import { z } from "zod";
import { ToolError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import { BaseTool, type CallUses, type ToolContext } from "../base-tool.ts";
import { EncodingProbe } from "./detect-encoding.ts";
import { authorizedFile, PATH_SYNONYMS } from "./file-path.ts";
import { hasImageName, imageMediaType } from "./image-file.ts";
import { type OpenFile, withOpenFile } from "../../core/open-file.ts";
import { isPdf } from "./pdf-text.ts";
import {
  type DocumentRequest,
  imageData,
  notebookData,
  pdfData,
  readImageFile,
  readNotebookFile,
  readPdfFile,
} from "./read-document.ts";
import { DEFAULT_LINES, givenRange, lineRange, rangeProblem } from "./read-range.ts";
import { withRealSize } from "./real-size.ts";
import { readText, textData } from "./read-text.ts";
import { readFingerprint } from "./seen-file.ts";

const count = z.int().min(1).optional();

const input = z
  .strictObject({
    file_path: z.string().min(1).describe("The file; relative to the working directory, or absolute."),
    offset: z.int().optional().describe("First line, from 1 (0 is the same); -N: the last N lines."),
    limit: count.describe(`How many lines at most; ${DEFAULT_LINES} by default.`),
    pages: z.string().optional().describe('Of a PDF document: "3", "1-5" or "10-"; at most 20 pages.'),
    character_offset: z
      .int()
      .min(0)
      .optional()
      .describe("Reads on inside line `offset`, from this character (from 0)."),
    allow_large: z
      .boolean()
      .optional()
      .describe(
        "True: up to a million characters in `data`; a long text still is cut in the middle, the whole in a file.",
      ),
    start_line: z.int().min(0).optional().describe("First line, from 1; instead of offset."),
    end_line: z.int().min(-1).optional().describe("Last line, included; -1: to the end. Instead of limit."),
    view_range: z
      .array(z.int().min(-1))
      .length(2)
      .optional()
      .describe("[first line, last line]; -1 as last: to the end."),
    head: count.describe("The first N lines."),
    tail: count.describe("The last N lines."),
    length: count.describe("How many lines; with it, `offset` counts from 0, as some clients do."),
  })
  .superRefine((params, context) => {
    const problem = rangeProblem(params);
    if (problem) context.addIssue({ code: "custom", path: [problem.parameter], message: problem.says });
  });

const output = z.discriminatedUnion("type", [textData, imageData, pdfData, notebookData]);

type Params = z.output<typeof input>;
type Data = z.output<typeof output>;

const HEAD_BYTES = 1024;
const MAX_LARGE_CHARACTERS = 1_000_000;

/** Reads one file: text by page, images, PDF documents and notebooks. */
export class FileReadTool extends BaseTool<typeof input, Data> {
  readonly name = "FileReadTool";
  readonly description =
    "Reads a file. Text comes as numbered lines (number, tab, line), by page: the answer says how to read on. " +
    "It also says an encoding other than UTF-8, line ends other than LF, and a missing last newline; very long lines are cut, with the way to read on. " +
    "Images (PNG, JPEG, GIF, WebP) come as images, PDF documents as text by page, notebooks as cells with outputs. " +
    "Folders, pipes and devices are refused. The file of a cut output of another tool can be read too.";
  readonly input = input;
  readonly output = output;
  override readonly principalParameter = "file_path";
  override readonly pathParameters = ["file_path"];
  override readonly synonyms = { ...PATH_SYNONYMS };
  override readonly examples = [
    {
      title: "Read a file",
      payload: { file_path: "notes.txt" },
      files: { "notes.txt": "first\nsecond\n" },
      shows: "2\tsecond",
    },
    {
      title: "Read the last line",
      payload: { file_path: "notes.txt", offset: -1 },
      files: { "notes.txt": "first\nsecond\n" },
      shows: "Line 2 of 2, to the end of the file.",
    },
  ];

  override uses(params: Params): CallUses {
    return { paths: [{ parameter: "file_path", path: params.file_path, access: "read" }] };
  }

  override async execute(params: Params, context: ToolContext): Promise<ToolOutput<Data>> {
    const file = authorizedFile(params, context);
    const request: DocumentRequest = {
      file,
      range: lineRange(params),
      pages: params.pages,
      maxCharacters: params.allow_large ? MAX_LARGE_CHARACTERS : context.output.maxCharacters,
      signal: context.signal,
    };
    const { answer, fingerprint } = await withOpenFile(file, async (opened) => {
      const open = await withRealSize(opened, context.signal);
      const fingerprint = await readFingerprint(open);
      return { answer: await readAny(open, params, request), fingerprint };
    });
    await context.session.remember(file.path, fingerprint);
    return answer;
  }
}

type Kind = Data["type"];

/** What a file is, is told by its content; its name decides where that leaves a choice. */
async function readAny(open: OpenFile, params: Params, request: DocumentRequest): Promise<ToolOutput<Data>> {
  const kind = await kindOf(open, basename(request.file.path));
  if (params.pages !== undefined && kind !== "pdf") {
    throw new ToolError("invalid_input", `pages is for PDF documents; ${request.file.shown} is none (it is ${kind}).`, {
      hint: "Choose lines by offset and limit.",
    });
  }
  const unread = kind === "image" || kind === "pdf" ? givenRange(params) : [];
  const answer = await READERS[kind](open, request);
  if (unread.length === 0) return answer;
  const instead = kind === "pdf" ? "; choose by pages" : "";
  return { ...answer, text: `${answer.text}\n[Without meaning here: ${unread.join(", ")}${instead}.]` };
}

const READERS: {
  readonly [K in Kind]: (open: OpenFile, request: DocumentRequest) => Promise<ToolOutput<Data>>;
} = { text: readText, image: readImageFile, pdf: readPdfFile, notebook: readNotebookFile };

async function kindOf({ handle, stat }: OpenFile, name: string): Promise<Kind> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.subarray(0, bytesRead);
  if (head.length === 0) return "text";
  if (imageMediaType(head)) return "image";
  if (/\.ipynb$/i.test(name)) return "notebook";
  const probe = new EncodingProbe();
  probe.add(head);
  const isText = probe.result({ complete: head.length === Number(stat.size) }).kind === "text";
  // A text may speak of the marks of other formats, and a name may promise what the content is not.
  if (isPdf(head) && (head.indexOf("%PDF-") === 0 || /\.pdf$/i.test(name) || !isText)) return "pdf";
  if (isText) return "text";
  if (/\.pdf$/i.test(name)) return "pdf";
  return hasImageName(name) ? "image" : "text";
}
