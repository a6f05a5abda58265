import { dirname, relative, sep } from "node:path";
import { excludeGlobs, globOfPath, includeGlobs, namesDotFiles, splitGlobs } from "./glob-list.ts";
import type { GrepParams } from "./grep-input.ts";

export interface SearchPlace {
  /** Canonical: the file or folder to search. */
  readonly target: string;
  readonly isFile: boolean;
  readonly workingDirectory: string;
  readonly workspaceRoot: string;
  readonly isRepository: boolean;
  /** Pawl's own folder, which no search looks into. */
  readonly forbidden: string;
}

/** The folder that ripgrep runs in, or that the file handed to it lies in: what it prints, and what globs mean, is relative to it. */
export function directoryOf(place: SearchPlace): string {
  return place.isFile ? dirname(place.target) : place.target;
}

/** How to search, by output mode. User text stands only behind `=` and `--`, where it cannot be an option. */
export function searchArguments(params: GrepParams, place: SearchPlace): string[] {
  const { hidden, globs } = selection(params, place);
  return [
    ...modeArguments(params),
    ...patternArguments(params),
    ...fileArguments(params, place),
    ...(hidden ? ["--hidden"] : []),
    ...(params.no_ignore ? ["--no-ignore"] : []),
    ...globs,
    "--",
    targetOf(place),
  ];
}

/** Whether anything matches in what the search above leaves out by a leading dot or by ignore rules. */
export function unrestrictedSearchArguments(params: GrepParams, place: SearchPlace): string[] {
  const everywhere = [...fileArguments(params, place), "--hidden", "--no-ignore", ...unrestrictedGlobs(params, place)];
  return ["--files-with-matches", "--null", "--max-count=1", ...patternArguments(params), ...everywhere, "--", "./"];
}

/** All files there are for such a search. */
export function unrestrictedFilesArguments(params: GrepParams, place: SearchPlace): string[] {
  const everywhere = [...fileArguments(params, place), "--hidden", "--no-ignore", ...unrestrictedGlobs(params, place)];
  return ["--files", "--null", ...everywhere, "--", "./"];
}

/** All files that ignore rules leave, also those with a leading dot. */
export function unignoredFilesArguments(): string[] {
  return ["--no-config", "--files", "--null", "--hidden", "--no-require-git", "--path-separator=/", "--", "./"];
}

function modeArguments(params: GrepParams): string[] {
  const maxCount = params.max_matches_per_file;
  const limit = maxCount === undefined ? [] : [`--max-count=${maxCount}`];
  if (params.output_mode === "content") return ["--json", ...limit, ...contextArguments(params)];
  if (params.output_mode === "files_with_matches")
    return ["--files-with-matches", "--null", "--max-count=1", "--stats"];
  return [params["-o"] ? "--count-matches" : "--count", "--null", "--with-filename", "--stats", ...limit];
}

/** Asked for, or the pattern has a line end in it, which can be meant in one way only. */
export function spansLines({ multiline, literal, pattern }: GrepParams): boolean {
  if (multiline || pattern.includes("\n")) return true;
  const withoutClasses = pattern.replaceAll(/\[(?:\\.|[^\]\\])*\]/g, "");
  return !literal && /(?:^|[^\\])(?:\\\\)*\\(?:n|x0[aA])/.test(withoutClasses);
}

function contextArguments(params: GrepParams): string[] {
  if (params["-o"]) return [];
  const after = params["-A"] ?? params.context ?? 0;
  const before = params["-B"] ?? params.context ?? 0;
  return [`--after-context=${after}`, `--before-context=${before}`];
}

function patternArguments(params: GrepParams): string[] {
  const multiline = spansLines(params);
  return [
    params["-i"] ? "--ignore-case" : "--case-sensitive",
    ...(params.literal ? ["--fixed-strings"] : ["--engine=auto"]),
    ...(multiline ? ["--multiline", ...(params.multiline ? ["--multiline-dotall"] : [])] : []),
    // So that $ stands before \r\n, too; it forbids \r in a pattern that cannot span lines.
    ...(/\r|\\r/.test(params.pattern) ? [] : ["--crlf"]),
    `--regexp=${params.pattern}`,
  ];
}

function fileArguments(params: GrepParams, place: SearchPlace): string[] {
  const types = params.type?.split(/[\s,]+/).filter(Boolean) ?? [];
  return [
    "--no-config",
    "--color=never",
    "--path-separator=/",
    "--no-require-git",
    "--no-mmap",
    "--binary",
    // Outside a repository, ignore files above the workspace are none of its business.
    ...(!place.isRepository && directoryOf(place) === place.workspaceRoot ? ["--no-ignore-parent"] : []),
    ...types.map((type) => `--type=${type}`),
  ];
}

interface Selection {
  readonly hidden: boolean;
  readonly globs: readonly string[];
}

function selection(params: GrepParams, place: SearchPlace): Selection {
  const written = params.glob === undefined ? [] : splitGlobs(params.glob);
  const hidden = params.hidden || written.some((glob) => !glob.startsWith("!") && namesDotFiles(glob));
  return { hidden, globs: globArguments({ params, place, written, hidden }) };
}

function unrestrictedGlobs(params: GrepParams, place: SearchPlace): readonly string[] {
  const written = params.glob === undefined ? [] : splitGlobs(params.glob);
  return globArguments({ params, place, written, hidden: true });
}

interface GlobRequest {
  readonly params: GrepParams;
  readonly place: SearchPlace;
  readonly written: readonly string[];
  readonly hidden: boolean;
}

/** The last glob that matches decides. */
function globArguments({ params, place, written, hidden }: GlobRequest): readonly string[] {
  const directory = directoryOf(place);
  const base = { directory, workingDirectory: place.workingDirectory };
  const way = relative(directory, place.forbidden).replaceAll(sep, "/");
  const isInGit = directory.split(sep).includes(".git");
  return [
    ...includeGlobs(written, base),
    ...excludeGlobs(params.exclude, base),
    ...(hidden && !isInGit ? ["!.git"] : []),
    ...(way !== "" && !way.startsWith("..") ? [globOfPath(way)] : []),
  ].map((glob) => `--glob=${glob}`);
}

function targetOf(place: SearchPlace): string {
  return place.isFile ? "-" : "./";
}
