import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { fromSystemError, ToolError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import { BaseTool, type CallUses, type ToolContext } from "../base-tool.ts";
import type { ToolServices } from "../tool-services.ts";
import { GREP_SYNONYMS, grepInput, type GrepParams, reshapeGrep } from "./grep-input.ts";
import {
  type GrepData,
  grepOutput,
  pageLimit,
  pageReach,
  reportFiles,
  reportLines,
  type SearchFacts,
} from "./grep-report.ts";
import { MatchingLines } from "./matching-lines.ts";
import { RecordSplitter } from "./record-splitter.ts";
import { directoryOf, searchArguments, type SearchPlace, spansLines } from "./ripgrep-arguments.ts";
import { ripgrepProblem, unreadableFiles } from "./ripgrep-problem.ts";
import { type RipgrepRun, runRipgrep } from "./run-ripgrep.ts";
import { countSink, type FileSink, isBinaryFile, pathSink, searchedFilesIn, SNIFFED_BYTES } from "./search-files.ts";
import { openSearchFile, openSearchFolder, type SearchRoot } from "./search-root.ts";
import { pathShower } from "./show-path.ts";
import { findUnsearched } from "./unsearched-matches.ts";

/** Searches the contents of files with ripgrep. */
export class GrepTool extends BaseTool<typeof grepInput, GrepData> {
  readonly name = "GrepTool";
  readonly description =
    "Searches the contents of files for a regular expression, with ripgrep. Answers with the files that match (newest " +
    "first), their matching lines, or counts; says how many there are in all and how to read on. Files with a leading " +
    "dot and files that .gitignore leaves out are not searched unless asked for; when only they match, the answer says " +
    "so. A file or folder given as path is searched whatever it is called. Links are not followed. Lines above 500 " +
    "characters are cut around the match.";
  readonly input = grepInput;
  readonly output = grepOutput;
  override readonly principalParameter = "pattern";
  override readonly pathParameters = ["path"];
  override readonly synonyms = GREP_SYNONYMS;
  override readonly ignoredParameters = ["searchType", "respect_gemini_ignore", "max_answer_chars"];
  override readonly examples = [
    {
      title: "Files that mention a name",
      payload: { pattern: "parseDate", glob: "*.ts" },
      files: { "src/date.ts": "export function parseDate() {}\n", "notes.md": "parseDate\n" },
      shows: "src/date.ts",
    },
    {
      title: "Lines with their surroundings",
      payload: { pattern: "TODO", output_mode: "content", context: 1 },
      files: { "a.txt": "one\nTODO two\nthree\n" },
      shows: "a.txt:2:TODO two",
    },
  ];
  readonly #services: ToolServices;

  constructor(services: ToolServices) {
    super();
    this.#services = services;
  }

  override reshape(payload: Record<string, unknown>): Record<string, unknown> {
    return reshapeGrep(payload);
  }

  override uses(params: GrepParams): CallUses {
    return { paths: [{ parameter: "path", path: params.path, access: "read" }] };
  }

  override async execute(params: GrepParams, context: ToolContext): Promise<ToolOutput<GrepData>> {
    const place = placeOf(params, context, this.#services.config.home);
    const opened = { path: place.target, shown: context.authorizedPath(params.path).display };
    await using root = await (place.isFile ? openSearchFile(opened) : openSearchFolder(opened));
    const search = { params, context, place, root };
    return await (params.output_mode === "content" ? this.#searchLines(search) : this.#searchFiles(search));
  }

  async #searchLines(search: Search): Promise<ToolOutput<GrepData>> {
    const { params, context, place } = search;
    const found = new MatchingLines({
      keep: pageReach(params),
      onlyMatching: params["-o"],
      multiline: spansLines(params),
      inputName: inputName(place),
    });
    const splitter = new RecordSplitter(10, (record, cutEnd) => found.push(record, cutEnd));
    const run = await this.#run(search, (chunk) => splitter.push(chunk));
    const showPath = pathShower(directoryOf(place), context.workingDirectory);
    const isEmpty = found.totalFiles + found.binaryFiles.count === 0;
    const facts = await this.#facts(search, { run, isEmpty, searchedFiles: found.searchedFiles });
    return told(reportLines(facts, found, showPath), run, context);
  }

  async #searchFiles(search: Search): Promise<ToolOutput<GrepData>> {
    const { params, context, place } = search;
    const { directory } = search.root;
    const kept = { keep: pageReach(params), inputName: inputName(place) };
    const sink = params.output_mode === "count" ? countSink(kept) : pathSink(directory, kept);
    const run = await this.#run(search, sink.onChunk);
    const isEmpty = sink.files.total === 0;
    const facts = await this.#facts(search, { run, isEmpty, searchedFiles: searchedFilesIn(sink.statistics()) });
    const showPath = pathShower(directoryOf(place), context.workingDirectory);
    const page = pageOf(sink, params, { directory, showPath });
    const hits = { page, total: sink.files.total, totalCount: sink.totalCount() };
    return told(reportFiles(facts, hits), run, context);
  }

  async #run(search: Search, onChunk: FileSink["onChunk"]): Promise<RipgrepRun> {
    const { params, place, context, root } = search;
    const run = await runRipgrep({
      config: this.#services.config,
      args: searchArguments(params, place),
      cwd: root.directory,
      input: root.input,
      signal: context.signal,
      onChunk,
    });
    const problem = ripgrepProblem(run, params);
    if (problem) throw problem;
    return run;
  }

  async #facts(search: Search, result: SearchResult): Promise<SearchFacts> {
    const { params, place, context, root } = search;
    const { run, isEmpty, searchedFiles } = result;
    const looksFurther = isEmpty && !run.isAborted;
    const { directory } = root;
    const further = { config: this.#services.config, params, place, directory, signal: context.signal, searchedFiles };
    return {
      params,
      searchedFiles,
      unreadable: unreadableFiles(run.messages),
      unsearched: looksFurther ? await findUnsearched(further) : undefined,
    };
  }
}

interface Search {
  readonly params: GrepParams;
  readonly context: ToolContext;
  readonly place: SearchPlace;
  readonly root: SearchRoot;
}

interface SearchResult {
  readonly run: RipgrepRun;
  readonly isEmpty: boolean;
  readonly searchedFiles: number | undefined;
}

function placeOf(params: GrepParams, context: ToolContext, home: string): SearchPlace {
  const { canonical, display } = context.authorizedPath(params.path);
  const kind = kindOf(canonical, display);
  return {
    target: canonical,
    isFile: kind === "file",
    workingDirectory: context.workingDirectory,
    workspaceRoot: context.workspaceRoot,
    isRepository: context.repository() !== undefined,
    forbidden: home,
  };
}

function inputName({ isFile, target }: SearchPlace): string | undefined {
  return isFile ? basename(target) : undefined;
}

/** A device or a pipe could be read for ever. */
function kindOf(path: string, display: string): "file" | "folder" {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return "file";
    if (stats.isDirectory()) return "folder";
  } catch (error) {
    throw fromSystemError(error, display);
  }
  throw new ToolError("invalid_input", `${display} is neither a file nor a folder`, { hint: "Name one of the two." });
}

function pageOf(
  sink: FileSink,
  params: GrepParams,
  place: { readonly directory: string; readonly showPath: (path: string) => string },
) {
  const page = sink.files.list().slice(params.offset, params.offset + pageLimit(params));
  const buffer = Buffer.allocUnsafe(SNIFFED_BYTES);
  return page.map(({ path, count, isOddName }, index) => {
    const isBinary = index < MOST_SNIFFED && isBinaryFile(join(place.directory, path), buffer);
    return { path: place.showPath(path), count, isOddName, isBinary };
  });
}

const MOST_SNIFFED = 250;

/** The answer, or when the search was ended early, the error that carries what it had. */
function told(output: ToolOutput<GrepData>, run: RipgrepRun, { signal }: ToolContext): ToolOutput<GrepData> {
  if (!run.isAborted && !signal.aborted) return output;
  const reason: unknown = signal.reason;
  const { code, message, hint } =
    reason instanceof ToolError ? reason : new ToolError("cancelled", "The search was cancelled");
  const text = `${output.text}\n[Ended early: this is what was found until then]`;
  throw new ToolError(code, message, { hint, partial: { ...output, text } });
}
