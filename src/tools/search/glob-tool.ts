import { statSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { fromSystemError, ToolError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import { BaseTool, type CallUses, type ToolContext } from "../base-tool.ts";
import type { ToolServices } from "../tool-services.ts";
import { excludedBy } from "./excluded-by.ts";
import { findFiles, type FindFilesOptions, type Found, type PassedOver } from "./find-files.ts";
import { GlobMatcher } from "./glob-matcher.ts";
import { type GlobData, globOutput, reportGlob } from "./glob-report.ts";
import { type FoundFile, LeadingItems, newestFirst } from "./leading-items.ts";
import { type PlacedPattern, placePattern } from "./place-pattern.ts";
import { openSearchFolder } from "./search-root.ts";
import { pathShower } from "./show-path.ts";
import { unignoredPaths } from "./unignored-paths.ts";

const MOST_FILES = 100;
/** Rarely meant and mostly large: entered only when the pattern or the path names them. */
const LEFT_OUT = [".git", "node_modules"];

const withoutNul = (text: string): boolean => !text.includes("\0");
const NUL_REFUSED = { error: "it contains a NUL byte; leave it out" };

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(4_096)
    .refine(withoutNul, NUL_REFUSED)
    .describe("Glob over paths, e.g. **/*.ts, src/*.{js,jsx}; * stays within a folder, ** does not."),
  path: z
    .string()
    .min(1)
    .default(".")
    .describe("Folder to look in, taken literally; the working directory by default."),
  limit: z.int().min(1).default(MOST_FILES).describe("Files in one answer; above 100 is read as 100."),
  offset: z.int().min(0).default(0).describe("Files to skip first."),
  exclude: z
    .array(z.string().min(1).max(4_096).refine(withoutNul, NUL_REFUSED))
    .max(100)
    .default([])
    .describe("Globs of files and folders to leave out; without a slash, anywhere."),
  respect_git_ignore: z.boolean().default(false).describe("Leave out what .gitignore and other ignore files name."),
  case_sensitive: z.boolean().default(true).describe("Whether case matters."),
  directories: z.boolean().default(false).describe("Find folders too."),
});

type Params = z.output<typeof input>;

/** Finds files by a pattern over their paths. */
export class GlobTool extends BaseTool<typeof input, GlobData> {
  readonly name = "GlobTool";
  readonly description =
    "Finds files whose path matches a glob, newest first, up to 100 in one answer; says how many there are in all and " +
    "how to read on. Files with a leading dot and ignored files are found, too. Folders named .git and node_modules are " +
    "looked into only when the pattern or the path names them. Brackets in a real name match themselves. Links to files " +
    "are found; links to folders are followed only where the pattern names them. What was left out is said.";
  readonly input = input;
  readonly output = globOutput;
  override readonly principalParameter = "pattern";
  override readonly pathParameters = ["path"];
  override readonly synonyms = {
    glob: "pattern",
    file_mask: "file_mask",
    dir_path: "path",
    directory: "path",
    cwd: "path",
    relative_path: "path",
    maxResults: "limit",
    max_results: "limit",
    head_limit: "limit",
    excludePatterns: "exclude",
    ignore: "exclude",
    exclude_pattern: "exclude",
  };
  override readonly ignoredParameters = ["searchType", "respect_gemini_ignore"];
  override readonly examples = [
    {
      title: "Sources anywhere",
      payload: { pattern: "**/*.{ts,tsx}" },
      files: { "src/a.ts": "", "src/ui/b.tsx": "", "README.md": "" },
      shows: "src/ui/b.tsx",
    },
    {
      title: "A folder with a leading dot",
      payload: { pattern: ".github/workflows/*.yml" },
      files: { ".github/workflows/ci.yml": "on: push\n" },
      shows: ".github/workflows/ci.yml",
    },
  ];
  readonly #services: ToolServices;

  constructor(services: ToolServices) {
    super();
    this.#services = services;
  }

  /** A file mask is about names, wherever they are. */
  override reshape(payload: Record<string, unknown>): Record<string, unknown> {
    const { file_mask: mask, ...rest } = payload;
    const shaped: Record<string, unknown> = { ...rest };
    if (typeof mask === "string" && mask !== "") {
      const pattern = mask.includes("/") ? mask : `**/${mask}`;
      if (typeof rest.pattern === "string" && ![mask, pattern].includes(rest.pattern)) {
        throw new ToolError("invalid_input", "pattern and file_mask are the same parameter with different values", {
          hint: "Send only pattern.",
        });
      }
      shaped.pattern = pattern;
    }
    if (typeof shaped.exclude === "string" && !shaped.exclude.trimStart().startsWith('["'))
      shaped.exclude = [shaped.exclude];
    return shaped;
  }

  override uses(params: Params): CallUses {
    const { root } = this.#place(params);
    return { paths: [{ parameter: root === params.path ? "path" : "pattern", path: root, access: "read" }] };
  }

  override async execute(params: Params, context: ToolContext): Promise<ToolOutput<GlobData>> {
    const placed = this.#place(params);
    const { canonical, display } = context.authorizedPath(placed.root);
    checkFolder(canonical, display);
    await using root = await openSearchFolder({ path: canonical, shown: display });
    const search: Search = {
      params,
      context,
      placed,
      root: canonical,
      matcher: new GlobMatcher([placed.pattern], params.case_sensitive),
      leftOut: leftOutFor(canonical, placed.pattern, params.case_sensitive),
    };
    const unignored = params.respect_git_ignore
      ? await unignoredPaths(this.#services.config, root.directory, context.signal)
      : undefined;
    const limit = Math.min(params.limit, MOST_FILES);
    const files = new LeadingItems<FoundFile>(params.offset + limit, newestFirst);
    let ignored = 0;
    const passedOver = await this.#walk(search, (found) => {
      if (unignored && !found.isLinked && !unignored.has(found.path)) ignored += 1;
      else files.add(found);
    });
    const isCutShort = context.signal.aborted;
    const report = reportGlob({
      pattern: params.pattern,
      page: files.list().slice(params.offset, params.offset + limit),
      total: files.total,
      offset: params.offset,
      limit,
      ignored,
      passedOver,
      isCutShort,
      showPath: pathShower(placed.root, context.workingDirectory),
      elsewhere: files.total === 0 && !isCutShort ? await this.#lookElsewhere(search, passedOver) : [],
    });
    return told(report, context);
  }

  #place(params: Params): PlacedPattern {
    return placePattern(params.pattern, params.path, this.#services.config.userHome);
  }

  #walk(search: Search, onFound: (found: Found) => void): Promise<PassedOver> {
    const { params, context, root } = search;
    const options: FindFilesOptions = {
      root,
      matcher: search.matcher,
      isExcluded: excludedBy(params.exclude, params.case_sensitive),
      leftOutNames: search.leftOut,
      directories: params.directories,
      mayTouch: (path) => context.mayTouch(path, "read"),
      forbidden: this.#services.config.home,
      signal: context.signal,
      onFound,
    };
    return findFiles(options);
  }

  /** Nothing was found: where it would have been. */
  async #lookElsewhere(search: Search, passedOver: PassedOver): Promise<string[]> {
    const notes: string[] = [];
    const { pattern } = search.placed;
    if (passedOver.leftOutFolders.count > 0) {
      const inside = await this.#count({ ...search, leftOut: new Set() });
      if (inside > 0) notes.push(`[${files(inside)} inside the folders left out]`);
    }
    if (!pattern.includes("/")) {
      const deeper = `**/${pattern}`;
      const below = await this.#count({ ...search, matcher: new GlobMatcher([deeper], search.params.case_sensitive) });
      if (below > 0) notes.push(`[${files(below)} further down: use ${deeper}]`);
    }
    return notes;
  }

  async #count(search: Search): Promise<number> {
    let count = 0;
    await this.#walk(search, () => {
      count += 1;
    });
    return count;
  }
}

interface Search {
  readonly params: Params;
  readonly context: ToolContext;
  readonly placed: PlacedPattern;
  readonly root: string;
  readonly matcher: GlobMatcher;
  readonly leftOut: ReadonlySet<string>;
}

function files(count: number): string {
  return count === 1 ? "1 file matches" : `${count.toLocaleString("en-US")} files match`;
}

/** Those that neither the pattern spells nor the folder lies in. */
function leftOutFor(root: string, pattern: string, caseSensitive: boolean): ReadonlySet<string> {
  const { spelledNames } = new GlobMatcher([pattern], caseSensitive);
  const above = root.split("/");
  return new Set(LEFT_OUT.filter((name) => !spelledNames.has(name) && !above.includes(name)));
}

function checkFolder(path: string, display: string): void {
  let isFolder: boolean;
  try {
    isFolder = statSync(path).isDirectory();
  } catch (error) {
    throw fromSystemError(error, display);
  }
  if (isFolder) return;
  throw new ToolError("invalid_input", `${display} is not a folder`, { hint: `Use path: ${dirname(display)}.` });
}

/** The answer, or when the walk was ended early, the error that carries what it had. */
function told(output: ToolOutput<GlobData>, { signal }: ToolContext): ToolOutput<GlobData> {
  if (!signal.aborted) return output;
  const reason: unknown = signal.reason;
  const { code, message, hint } =
    reason instanceof ToolError ? reason : new ToolError("cancelled", "The search was cancelled");
  throw new ToolError(code, message, { hint, partial: output });
}
