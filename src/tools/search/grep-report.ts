// What a search answers: text for a model, data for programs.
import { z } from "zod";
import type { ToolOutput } from "../../core/result.ts";
import { countOf } from "../../process/output-limit.ts";
import type { GrepParams } from "./grep-input.ts";
import type { MatchingLines, ShownLine } from "./matching-lines.ts";
import { asLine } from "./show-path.ts";
import type { Tally } from "./tally.ts";
import type { UnsearchedMatches } from "./unsearched-matches.ts";

export const grepOutput = z.lazy(() =>
  z.object({
    mode: z.enum(["files_with_matches", "content", "count"]),
    num_files: z.int().describe("Files in this answer."),
    filenames: z.array(z.string()).describe("Relative to the working directory where they lie below it."),
    content: z.string().optional().describe("The lines of content mode, or path:count of count mode."),
    num_lines: z.int().optional().describe("Lines in this answer, context included."),
    num_matches: z
      .int()
      .optional()
      .describe("Matches in all files, also beyond this answer; count mode without -o counts lines."),
    total_files: z.int().describe("Files that match, also beyond this answer."),
    total_lines: z.int().optional().describe("Lines of all pages together."),
    applied_limit: z.int().optional(),
    applied_offset: z.int().optional(),
    truncated: z.boolean().describe("There is more to read on."),
    hidden_matches: z
      .object({ num_files: z.int(), is_complete: z.boolean() })
      .optional()
      .describe("Files that match but are hidden or ignored; looked for when nothing else was found."),
  }),
);

export type GrepData = z.output<typeof grepOutput>;

export interface SearchFacts {
  readonly params: GrepParams;
  readonly searchedFiles: number | undefined;
  readonly unreadable: Tally;
  readonly unsearched: UnsearchedMatches | undefined;
}

export interface FileHit {
  /** As it is shown. */
  readonly path: string;
  readonly count: number;
  readonly isBinary: boolean;
  readonly isOddName: boolean;
}

export interface FileHits {
  readonly page: readonly FileHit[];
  readonly total: number;
  readonly totalCount: number;
}

/** The answer of files_with_matches and count. */
export function reportFiles(facts: SearchFacts, hits: FileHits): ToolOutput<GrepData> {
  const { params } = facts;
  const isCount = params.output_mode === "count";
  const lines = hits.page.map((hit) => {
    const count = isCount ? `:${hit.count}` : "";
    return `${asLine(hit.path)}${count}${hit.isBinary ? " (binary)" : ""}`;
  });
  const page = pageFacts(params, { shown: hits.page.length, total: hits.total });
  const of = params["-o"] ? "match" : "matching line";
  const counted =
    params["-o"] && hits.totalCount !== 1
      ? `${hits.totalCount.toLocaleString("en-US")} matches`
      : countOf(hits.totalCount, of);
  const order = isCount ? "" : ", newest first";
  const notes = [
    isCount && hits.total > 0 ? `[${counted} in ${countOf(hits.total, "file")}]` : "",
    ...pageNotes(page, { unit: "file", order, isTotalTold: isCount }),
    hits.page.some((hit) => hit.isOddName) ? "[Names that are not UTF-8 are shown with � for their odd bytes]" : "",
    ...sharedNotes(facts, hits.total),
  ];
  const data: GrepData = {
    mode: params.output_mode,
    num_files: hits.page.length,
    filenames: hits.page.map((hit) => hit.path),
    ...(isCount && { content: lines.join("\n"), num_matches: hits.totalCount }),
    total_files: hits.total,
    ...pageData(page),
    ...hiddenData(facts),
  };
  return { text: joined(lines, notes), data };
}

/** The answer of content mode. */
export function reportLines(
  facts: SearchFacts,
  found: MatchingLines,
  showPath: (path: string) => string,
): ToolOutput<GrepData> {
  const { params } = facts;
  const limit = pageLimit(params);
  const page = found.page(params.offset, limit);
  const position = pageFacts(params, { shown: page.length, total: found.totalLines });
  const lines = formatLines(page, { params, showPath, isFirstPage: params.offset === 0 });
  const filenames = [...new Set(page.map((line) => showPath(line.path)))];
  const matches = found.totalMatches === 1 ? "1 match" : `${found.totalMatches.toLocaleString("en-US")} matches`;
  const total = found.totalFiles + found.binaryFiles.count;
  const notes = [
    ...pageNotes(position, {
      unit: "line",
      order: `, ${matches} in ${countOf(found.totalFiles, "file")}`,
      isTotalTold: false,
    }),
    found.binaryFiles.count > 0 ? `[Binary files that match, not shown: ${found.binaryFiles.named()}]` : "",
    found.cutLines.count > 0 ? `[Long lines are cut around the match, in ${found.cutLines.named()}]` : "",
    found.latinLines.count > 0 ? `[Not UTF-8, read as Latin-1: ${found.latinLines.named()}]` : "",
    ...sharedNotes(facts, total),
  ];
  const data: GrepData = {
    mode: "content",
    num_files: filenames.length,
    filenames,
    content: lines.join("\n"),
    num_lines: page.length,
    num_matches: found.totalMatches,
    total_files: found.totalFiles,
    total_lines: found.totalLines,
    ...pageData(position),
    ...hiddenData(facts),
  };
  return { text: joined(lines, notes), data };
}

/** Lines or files that one answer may have. */
export function pageLimit(params: GrepParams): number {
  return params.head_limit === 0 ? MOST_ITEMS : Math.min(params.head_limit, MOST_ITEMS);
}

/** How far pages reach. */
export function pageReach(params: GrepParams): number {
  return Math.min(params.offset + pageLimit(params), MOST_ITEMS);
}

const MOST_ITEMS = 100_000;

interface LineFormat {
  readonly params: GrepParams;
  readonly showPath: (path: string) => string;
  readonly isFirstPage: boolean;
}

/** Pages put together read like one: a gap belongs to the line behind it. */
function formatLines(page: readonly ShownLine[], { params, showPath, isFirstPage }: LineFormat): string[] {
  const hasContext = !params["-o"] && [params["-A"], params["-B"], params.context].some((count) => (count ?? 0) > 0);
  return page.flatMap((line, index) => {
    const mark = line.isMatch ? ":" : "-";
    const number = params["-n"] ? `${line.number || "?"}${mark}` : "";
    const text = `${asLine(showPath(line.path))}${mark}${number}${line.text}`;
    const isApart = hasContext && line.isAfterGap && !(isFirstPage && index === 0);
    return isApart ? ["--", text] : [text];
  });
}

interface PageFacts {
  readonly offset: number;
  readonly shown: number;
  readonly total: number;
  readonly limit: number;
}

function pageFacts(params: GrepParams, counts: { readonly shown: number; readonly total: number }): PageFacts {
  return { offset: params.offset, limit: pageLimit(params), ...counts };
}

function pageNotes(
  page: PageFacts,
  words: { readonly unit: string; readonly order: string; readonly isTotalTold: boolean },
): string[] {
  const { offset, shown, total } = page;
  if (total === 0) return [];
  if (shown === 0 && offset >= MOST_ITEMS)
    return [
      `[Pages end after ${countOf(MOST_ITEMS, words.unit)}: narrow the search to see the others of ${total.toLocaleString("en-US")}]`,
    ];
  if (shown === 0)
    return [`[Nothing at offset ${offset}: there ${total === 1 ? "is" : "are"} only ${countOf(total, words.unit)}]`];
  if (shown === total) return words.isTotalTold ? [] : [`[${countOf(total, words.unit)}${words.order}]`];
  const plural = `${words.unit[0]?.toUpperCase()}${words.unit.slice(1)}s`;
  const next = offset + shown;
  const range = `${(offset + 1).toLocaleString("en-US")} to ${next.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`;
  return [`[${plural} ${range}${words.order}.${next < total ? ` Read on with offset: ${next}.` : ""}]`];
}

function pageData(page: PageFacts): Pick<GrepData, "applied_limit" | "applied_offset" | "truncated"> {
  const truncated = page.offset + page.shown < page.total && page.shown > 0;
  return {
    ...(truncated && { applied_limit: page.limit }),
    ...(page.offset > 0 && { applied_offset: page.offset }),
    truncated,
  };
}

function sharedNotes(facts: SearchFacts, total: number): string[] {
  const { unreadable } = facts;
  return [
    ...(total === 0 ? nothingNotes(facts) : []),
    unreadable.count > 0 ? `[Could not be read: ${unreadable.named()}]` : "",
  ];
}

function nothingNotes({ params, searchedFiles, unsearched }: SearchFacts): string[] {
  const pattern = params.pattern.length > 100 ? `${params.pattern.slice(0, 100)}…` : params.pattern;
  const searched = searchedFiles === undefined ? "" : ` in ${countOf(searchedFiles, "file")} searched`;
  const narrowing = [
    params.glob === undefined ? "" : "glob",
    params.type === undefined ? "" : "type",
    params.exclude.length > 0 ? "exclude" : "",
  ];
  const why = narrowing.filter(Boolean).join(", ");
  return [
    `No matches for ${JSON.stringify(pattern)}${searched}.`,
    searchedFiles === 0 && why !== "" ? `[No file passes ${why}]` : "",
    unsearched ? unsearchedNote(unsearched) : "",
    /\P{ASCII}/u.test(params.pattern)
      ? "[Only UTF-8, and UTF-16 with a byte-order mark, are decoded; in other encodings such characters are not found]"
      : "",
  ];
}

function unsearchedNote({ files, hasHidden, hasIgnored, isPartial }: UnsearchedMatches): string {
  if (files.count === 0)
    return "[Not all hidden and ignored files could be looked at in time; none of the others match]";
  const kind =
    hasHidden && hasIgnored
      ? "hidden or ignored"
      : hasHidden
        ? "hidden (or ignored)"
        : "ignored by .gitignore or the like";
  const how =
    hasHidden && hasIgnored
      ? "hidden: true and no_ignore: true"
      : hasHidden
        ? "hidden: true (and no_ignore: true)"
        : "no_ignore: true";
  const verb = files.count === 1 ? "that is" : "that are";
  return `[${isPartial ? "At least " : ""}${countOf(files.count, "file")} ${verb} ${kind} would match: ${files.named()}. To search there, set ${how}.]`;
}

function hiddenData({ unsearched }: SearchFacts): Pick<GrepData, "hidden_matches"> {
  if (!unsearched) return {};
  return { hidden_matches: { num_files: unsearched.files.count, is_complete: !unsearched.isPartial } };
}

function joined(lines: readonly string[], notes: readonly string[]): string {
  const told = notes.filter((note) => note !== "").join("\n");
  if (lines.length === 0) return told;
  return told === "" ? lines.join("\n") : `${lines.join("\n")}\n\n${told}`;
}
