import { lstat } from "node:fs/promises";

import { z } from "zod";
import { ToolError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import { BaseTool, type CallUses, type ToolContext } from "../base-tool.ts";
import type { ToolServices } from "../tool-services.ts";
import { writeAtomically, type WriteOutcome } from "./atomic-write.ts";
import { CHANGED_NOTE, changeFields, counted, diffData, outcomeNotes } from "./change-notes.ts";
import { EDIT_SYNONYMS, EDIT_TEXTS, editFields, editProblem, editsOf, reshapeEdits } from "./edit-parameters.ts";
import { applyEdits, type EditedText, type TextEdit } from "./edit-text.ts";
import { authorizedFile, PATH_SYNONYMS } from "./file-path.ts";
import { type FileStamp, readSnapshot } from "./file-snapshot.ts";
import type { FilePath } from "../../core/open-file.ts";
import { changedSinceSeen, fingerprintOf } from "./seen-file.ts";
import { shortDiff } from "./short-diff.ts";
import { Turns } from "./turns.ts";

const input = z
  .strictObject({
    file_path: z.string().min(1).describe("The file; relative to the working directory, or absolute."),
    ...editFields,
    dry_run: z.boolean().optional().describe("True: only show what would change."),
    mode: z.literal("literal").optional().describe("Only literal: old_string is no pattern."),
  })
  .superRefine((params, context) => {
    const problem = editProblem(params);
    if (problem) context.addIssue({ code: "custom", path: [problem.parameter], message: problem.says });
  });

const output = z.lazy(() =>
  z.object({
    file_path: z.string().describe("Absolute, without symbolic links."),
    replacements: z.int().describe("Of all edits together."),
    edits: z
      .array(z.object({ replacements: z.int(), lines: z.array(z.int()) }))
      .describe(
        "For each edit, how many places it replaced, and the lines (from 1) where the first 20 began before it.",
      ),
    created: z.boolean(),
    dry_run: z.boolean().describe("True when nothing was written."),
    ...changeFields,
  }),
);

type Params = z.output<typeof input>;
type Data = z.output<typeof output>;

const MAX_BYTES = 100 * 1024 * 1024;

/** Replaces text in a file, and leaves every byte outside the replaced places as it is. */
export class FileEditTool extends BaseTool<typeof input, Data> {
  readonly name = "FileEditTool";
  readonly description =
    "Replaces text in a file. old_string must be there exactly once, unless replace_all or expected_replacements says otherwise; " +
    "a text that is not found is answered with the nearest place and what differs, one that is not unique with its lines. " +
    "Several edits go into `edits`: in order, all or none. Line ends, encoding and every byte outside the replaced places stay. " +
    "The answer says which lines changed and shows a short diff.";
  readonly input = input;
  readonly output = output;
  override readonly pathParameters = ["file_path"];
  override readonly emptyIsData = EDIT_TEXTS;
  override readonly synonyms = { ...PATH_SYNONYMS, ...EDIT_SYNONYMS, preview: "dry_run" };
  override readonly examples = [
    {
      title: "Change one place",
      payload: { file_path: "a.txt", old_string: "two", new_string: "2" },
      files: { "a.txt": "one\ntwo\n" },
      shows: "1 replacement on line 2",
    },
    {
      title: "Several changes, all or none",
      payload: {
        file_path: "a.txt",
        edits: [
          { old_string: "one", new_string: "1" },
          { old_string: "two", new_string: "2" },
        ],
      },
      files: { "a.txt": "one\ntwo\n" },
      shows: "2 edits, 2 replacements",
    },
  ];
  readonly #services: ToolServices;
  readonly #turns = new Turns();

  constructor(services: ToolServices) {
    super();
    this.#services = services;
  }

  override reshape(payload: Record<string, unknown>): Record<string, unknown> {
    return payload.edits === undefined ? payload : { ...payload, edits: reshapeEdits(payload.edits) };
  }

  override uses(params: Params): CallUses {
    return { paths: [{ parameter: "file_path", path: params.file_path, access: "write" }] };
  }

  override async execute(params: Params, context: ToolContext): Promise<ToolOutput<Data>> {
    const file = authorizedFile(params, context);
    return this.#turns.take(file.path, async () => {
      context.signal.throwIfAborted();
      const edits = editsOf(params);
      const old = await readOld(file, edits);
      const changed = old.stamp !== undefined && (await changedSinceSeen(context.session, file, old.stamp));
      const edited = apply(old.bytes, edits, { file, changed });
      const edit = { file, edited, changed, created: old.stamp === undefined, dryRun: params.dry_run === true };
      return edit.dryRun ? answer(edit) : this.#write(edit, old.stamp, context);
    });
  }

  async #write(edit: Edit, expected: FileStamp | undefined, context: ToolContext): Promise<ToolOutput<Data>> {
    const { file, edited, changed } = edit;
    const outcome = await writeAtomically(file, edited.bytes, {
      expected,
      withFileLock: (_path, work) => this.#services.withFileLock(work),
      signal: context.signal,
    });
    // What others changed was never shown to this session: the file stays one that it has yet to read.
    if (!changed) await context.session.remember(file.path, fingerprintOf(outcome.stamp));
    return answer(edit, outcome);
  }
}

interface Edit {
  readonly file: FilePath;
  readonly edited: EditedText;
  readonly changed: boolean;
  readonly created: boolean;
  readonly dryRun: boolean;
}

interface OldFile {
  readonly bytes: Buffer;
  /** Undefined when there is no file yet. */
  readonly stamp: FileStamp | undefined;
}

/** A first edit with an empty old text is the way of some clients to make a new file. */
async function readOld(file: FilePath, edits: readonly TextEdit[]): Promise<OldFile> {
  const exists = await lstat(file.path).then(
    () => true,
    () => false,
  );
  if (!exists && edits[0]?.old_string === "") return { bytes: Buffer.alloc(0), stamp: undefined };
  return readSnapshot(file, MAX_BYTES);
}

function apply(
  bytes: Buffer,
  edits: readonly TextEdit[],
  { file, changed }: { readonly file: FilePath; readonly changed: boolean },
): EditedText {
  try {
    return applyEdits(bytes, edits, file.shown);
  } catch (error) {
    const stale = changed && error instanceof ToolError && (error.code === "not_found" || error.code === "conflict");
    if (!stale) throw error;
    const hint = `The file has changed since this session last read it: read it again. ${error.hint}`;
    throw new ToolError(error.code, error.message, { hint: hint.trim(), cause: error });
  }
}

async function answer(edit: Edit, outcome?: WriteOutcome): Promise<ToolOutput<Data>> {
  const { file, edited, changed, created, dryRun } = edit;
  const diff = await shortDiff(edited.before, edited.after);
  const notes = [
    ...(outcome ? outcomeNotes(outcome) : []),
    changed && !dryRun ? CHANGED_NOTE : "",
    changed && dryRun ? "The file has changed since this session last read it." : "",
  ];
  return {
    text: [sentence(edit), ...notes, diff.text].filter((part) => part !== "").join("\n"),
    data: {
      file_path: file.path,
      replacements: totalOf(edited),
      edits: edited.replacements.map((replacements, index) => ({ replacements, lines: [...edited.lines[index]!] })),
      created,
      dry_run: dryRun,
      changed_since_read: changed,
      encoding: edited.encoding.name,
      ...diffData(diff),
    },
  };
}

function sentence({ file, edited, created, dryRun }: Edit): string {
  const verb = created ? (dryRun ? "Would create" : "Created") : dryRun ? "Would edit" : "Edited";
  const places = edited.replacements.map((count, index) => placesOf(count, edited.lines[index]!));
  const ending = dryRun ? " Nothing was written." : "";
  if (places.length === 1) return `${verb} ${file.shown}: ${places[0]}.${ending}`;
  const total = `${places.length} edits, ${counted(totalOf(edited), "replacement")}`;
  const each = places.map((place, index) => `edits[${index}]: ${place}`).slice(0, 20);
  return `${verb} ${file.shown}: ${total}.${ending}\n${each.join("\n")}`;
}

function placesOf(count: number, lines: readonly number[]): string {
  const distinct = [...new Set(lines)];
  const more = count > lines.length ? " …" : "";
  const where = distinct.length === 1 && more === "" ? `line ${distinct[0]}` : `lines ${distinct.join(", ")}${more}`;
  return `${counted(count, "replacement")} on ${where}`;
}

function totalOf(edited: EditedText): number {
  return edited.replacements.reduce((sum, count) => sum + count, 0);
}
