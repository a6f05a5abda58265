import { createHash } from "node:crypto";

import { z } from "zod";
import { ToolError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import { BaseTool, type CallUses, type ToolContext } from "../base-tool.ts";
import type { ToolServices } from "../tool-services.ts";
import { writeAtomically, type WriteOutcome } from "./atomic-write.ts";
import { CHANGED_NOTE, changeFields, counted, diffData, outcomeNotes } from "./change-notes.ts";
import { type ExistingFile, readExisting } from "./existing-file.ts";
import { authorizedFile, PATH_SYNONYMS } from "./file-path.ts";
import { countLines } from "./line-diff.ts";
import type { FilePath } from "../../core/open-file.ts";
import { changedSinceSeen, fingerprintOf } from "./seen-file.ts";
import { shortDiff, type ShortDiff } from "./short-diff.ts";
import { Turns } from "./turns.ts";
import { MAX_APPEND_BYTES, planAppend, planRewrite, type WritePlan } from "./write-plan.ts";

const input = z.strictObject({
  file_path: z.string().min(1).describe("The file; relative to the working directory, or absolute. Folders are made."),
  content: z
    .string()
    .describe("The whole text of the file, or with mode append what is added; line ends are kept as given."),
  mode: z.enum(["rewrite", "append"]).default("rewrite").describe("append: add to the end of the file."),
});

const output = z.lazy(() =>
  z.object({
    type: z.enum(["create", "update", "append", "unchanged"]),
    file_path: z.string().describe("Absolute, without symbolic links."),
    bytes: z.int().describe("Size of the file now."),
    lines: z.int().describe("Lines of the file now."),
    ...changeFields,
  }),
);

type Params = z.output<typeof input>;
type Data = z.output<typeof output>;

/** A larger file is replaced without reading it, so without a diff. */
const MAX_DIFF_BYTES = 16 * 1024 * 1024;

/** Creates a file, replaces it as a whole, or adds to its end. */
export class FileWriteTool extends BaseTool<typeof input, Data> {
  readonly name = "FileWriteTool";
  readonly description =
    "Writes a file as a whole: creates it, with its folders, or replaces it. The answer says which, and shows what changed. " +
    "At any moment the file has the old or the new content, never half. Mode, owner and links are kept, also UTF-16 and a byte order mark; else the text is written as UTF-8. " +
    "A file that somebody has changed since this session read it is a `conflict`: nothing is written. For a small change in a file use FileEditTool.";
  readonly input = input;
  readonly output = output;
  override readonly pathParameters = ["file_path"];
  override readonly emptyIsData = ["content"];
  override readonly synonyms = {
    ...PATH_SYNONYMS,
    contents: "content",
    text: "content",
    file_text: "content",
    data: "content",
  };
  override readonly examples = [
    { title: "Create a file", payload: { file_path: "src/a.txt", content: "one\n" }, shows: "Created src/a.txt" },
    {
      title: "Add to a file",
      payload: { file_path: "log.txt", content: "second\n", mode: "append" },
      files: { "log.txt": "first\n" },
      shows: "Appended 1 line",
    },
  ];
  readonly #services: ToolServices;
  readonly #turns = new Turns();

  constructor(services: ToolServices) {
    super();
    this.#services = services;
  }

  override uses(params: Params): CallUses {
    return { paths: [{ parameter: "file_path", path: params.file_path, access: "write" }] };
  }

  override async execute(params: Params, context: ToolContext): Promise<ToolOutput<Data>> {
    const file = authorizedFile(params, context);
    return this.#turns.take(file.path, async () => {
      context.signal.throwIfAborted();
      const appends = params.mode === "append";
      const maxBytes = appends ? MAX_APPEND_BYTES : MAX_DIFF_BYTES;
      const old = await readExisting(file, maxBytes);
      const changed = old !== undefined && (await changedSinceSeen(context.session, file, old.stamp));
      const plan = appends && old ? planAppend(file, old, params.content) : planRewrite(old, params.content);
      return this.#carryOut({ file, old, changed, plan }, context);
    });
  }

  async #carryOut(write: Write, context: ToolContext): Promise<ToolOutput<Data>> {
    const { file, old, changed, plan } = write;
    if (old && old.stamp.sha256 === createHash("sha256").update(plan.bytes).digest("hex")) {
      if (!changed || plan.type === "update") await context.session.remember(file.path, fingerprintOf(old.stamp));
      return answer({ ...write, plan: { ...plan, type: "unchanged" } });
    }
    if (changed && plan.type === "update") throw changedByOthers(file);
    const outcome = await writeAtomically(file, plan.bytes, {
      expected: old?.stamp,
      withFileLock: (_path, work) => this.#services.withFileLock(work),
      signal: context.signal,
    });
    // What others added before an append was never shown to this session: the file stays one that it has yet to read.
    if (!changed) await context.session.remember(file.path, fingerprintOf(outcome.stamp));
    return answer(write, outcome);
  }
}

interface Write {
  readonly file: FilePath;
  readonly old: ExistingFile | undefined;
  readonly changed: boolean;
  readonly plan: WritePlan;
}

function changedByOthers({ shown }: FilePath): ToolError {
  return new ToolError("conflict", `${shown} has changed since this session last read it. Nothing was written.`, {
    hint: "Read it again with FileReadTool, then write what it should become.",
  });
}

async function answer(write: Write, outcome?: WriteOutcome): Promise<ToolOutput<Data>> {
  const { file, plan, changed } = write;
  const diff = await diffOf(plan);
  const notes = [
    ...(plan.type === "unchanged" ? [] : plan.notes),
    ...(outcome ? outcomeNotes(outcome) : []),
    changed && plan.type === "append" ? CHANGED_NOTE : "",
  ].filter((note) => note !== "");
  const shows = plan.type === "update" ? diff.text : "";
  return {
    text: [sentence(write), ...notes, shows].filter((part) => part !== "").join("\n"),
    data: {
      type: plan.type,
      file_path: file.path,
      bytes: plan.bytes.length,
      lines: countLines(plan.after),
      encoding: plan.encoding.name,
      changed_since_read: changed,
      ...diffData(diff),
    },
  };
}

async function diffOf({ type, before, after }: WritePlan): Promise<ShortDiff> {
  if (type !== "unchanged" && before !== undefined) return shortDiff(before, after);
  const added = type === "unchanged" ? 0 : countLines(after);
  return { text: "", added, removed: 0, hunks: [], truncated: type !== "unchanged" };
}

function sentence({ file, old, plan }: Write): string {
  const size = (text: string, bytes: number) => `${counted(countLines(text), "line")}, ${counted(bytes, "byte")}`;
  const now = size(plan.after, plan.bytes.length);
  const oldBytes = Number(old?.stamp.size ?? 0);
  if (plan.type === "create") return `Created ${file.shown}: ${now}.`;
  if (plan.type === "unchanged") return `${file.shown} has exactly this content already: ${now}. Nothing was written.`;
  if (plan.type === "update") {
    const was = plan.before === undefined ? counted(oldBytes, "byte") : size(plan.before, oldBytes);
    return `Replaced ${file.shown}: ${now} (before: ${was}).`;
  }
  const added = size(plan.after.slice(plan.before?.length), plan.bytes.length - oldBytes);
  return `Appended ${added} to ${file.shown}. It has ${now} now.`;
}
