// GrepTool's parameters and the other spellings of them.
import { z } from "zod";
import { ToolError } from "../../core/errors.ts";
import { splitGlobs } from "./glob-list.ts";

const withoutNul = (text: string): boolean => !text.includes("\0");
const NUL_REFUSED = { error: "it contains a NUL byte; leave it out" };
const lines = (what: string) => z.int().min(0).max(10_000).optional().describe(what);

export const grepInput = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(20_000)
    .refine(withoutNul, NUL_REFUSED)
    .describe("Regular expression (Rust syntax; look-around and back-references work too)."),
  path: z
    .string()
    .min(1)
    .default(".")
    .describe("File or folder to search, taken literally; the working directory by default."),
  glob: z
    .string()
    .min(1)
    .max(4_096)
    .refine(withoutNul, NUL_REFUSED)
    .optional()
    .describe("Only files that match, e.g. *.ts or src/**/*.{ts,tsx}; several separated by commas or blanks."),
  exclude: z
    .array(z.string().min(1).max(4_096).refine(withoutNul, NUL_REFUSED))
    .max(100)
    .default([])
    .describe("Globs of files and folders to leave out."),
  type: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("File type of ripgrep, e.g. ts, py, rust; several separated by commas."),
  output_mode: z
    .enum(["files_with_matches", "content", "count"])
    .default("files_with_matches")
    .describe("files_with_matches: paths, newest first; content: lines; count: matching lines of each file."),
  "-A": lines("Lines to show after each match (content mode)."),
  "-B": lines("Lines to show before each match (content mode)."),
  context: lines("Lines to show before and after each match (content mode)."),
  "-n": z.boolean().default(true).describe("Show line numbers (content mode)."),
  "-i": z.boolean().default(false).describe("Ignore case."),
  "-o": z
    .boolean()
    .default(false)
    .describe("Show only what matched, a match a line (content mode); count matches (count mode)."),
  head_limit: z.int().min(0).default(250).describe("Lines or files in one answer; 0: all."),
  offset: z.int().min(0).default(0).describe("Lines or files to skip first."),
  multiline: z.boolean().default(false).describe("Matches may span lines, and . matches line ends."),
  literal: z.boolean().default(false).describe("The pattern is plain text."),
  hidden: z.boolean().default(false).describe("Search files and folders with a leading dot too (never .git)."),
  no_ignore: z.boolean().default(false).describe("Search what .gitignore and other ignore files leave out, too."),
  max_matches_per_file: z.int().min(1).optional().describe("Stop in each file after this many matching lines."),
});

export type GrepParams = z.output<typeof grepInput>;

/** Names that stand for a parameter, or for themselves where `reshapeGrep` reads them. */
export const GREP_SYNONYMS = {
  query: "pattern",
  regex: "pattern",
  substring_pattern: "pattern",
  search: "pattern",
  dir_path: "path",
  directory: "path",
  relative_path: "path",
  cwd: "path",
  include: "glob",
  include_pattern: "glob",
  filePattern: "glob",
  paths_include_glob: "glob",
  exclude_pattern: "exclude",
  excludePatterns: "exclude",
  paths_exclude_glob: "exclude",
  "-C": "context",
  contextLines: "context",
  after: "-A",
  after_context: "-A",
  context_lines_after: "-A",
  before: "-B",
  before_context: "-B",
  context_lines_before: "-B",
  line_numbers: "-n",
  ignoreCase: "-i",
  case_insensitive: "-i",
  case_sensitive: "case_sensitive",
  only_matching: "-o",
  limit: "head_limit",
  max_results: "head_limit",
  total_max_matches: "head_limit",
  names_only: "names_only",
  fixed_strings: "literal",
  literalSearch: "literal",
  includeHidden: "hidden",
  respect_git_ignore: "respect_git_ignore",
} as const;

/** Lists for one glob, and the parameters whose meaning is turned round. Throws `invalid_input` for contradictions. */
export function reshapeGrep(payload: Record<string, unknown>): Record<string, unknown> {
  const { case_sensitive: caseSensitive, names_only: namesOnly, respect_git_ignore: respectsIgnore, ...rest } = payload;
  const shaped: Record<string, unknown> = { ...rest };
  const turned = (name: string, from: string, value: boolean | string | undefined): void => {
    if (value === undefined) return;
    if (name in shaped && String(shaped[name]).toLowerCase() !== String(value)) {
      throw new ToolError("invalid_input", `${from} and ${name} contradict each other`, { hint: `Send only ${name}.` });
    }
    shaped[name] = value;
  };
  turned("-i", "case_sensitive", negated("case_sensitive", caseSensitive));
  turned("no_ignore", "respect_git_ignore", negated("respect_git_ignore", respectsIgnore));
  if (negated("names_only", namesOnly) === false) turned("output_mode", "names_only", "files_with_matches");
  const globs = listFrom(shaped.glob);
  if (globs) shaped.glob = globs.join(",") || undefined;
  if (typeof shaped.exclude === "string" && !listFrom(shaped.exclude)) shaped.exclude = splitGlobs(shaped.exclude);
  return shaped;
}

/** The opposite of a yes or no; undefined when nothing was said. */
function negated(name: string, value: unknown): boolean | undefined {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (word === true || word === "true") return false;
  if (word === false || word === "false") return true;
  if (word === undefined || word === null || word === "") return undefined;
  throw new ToolError("invalid_input", `${name} is ${JSON.stringify(value)?.slice(0, 100)}; accepted: true, false`, {
    hint: "Leave it out for the default.",
  });
}

/** A list of texts, also when it comes as JSON. */
function listFrom(value: unknown): readonly string[] | undefined {
  if (typeof value === "string" && value.trimStart().startsWith('["')) {
    try {
      return listFrom(JSON.parse(value));
    } catch {
      return undefined;
    }
  }
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}
