// What a search for files answers: text for a model, data for programs.
import { z } from "zod";
import type { ToolOutput } from "../../core/result.ts";
import { countOf } from "../../process/output-limit.ts";
import type { PassedOver } from "./find-files.ts";
import type { FoundFile } from "./leading-items.ts";
import { asLine } from "./show-path.ts";

export const globOutput = z.lazy(() =>
  z.object({
    num_files: z.int().describe("Files in this answer."),
    filenames: z.array(z.string()).describe("Relative to the working directory where they lie below it."),
    total_matches: z.int().describe("Files that match, also beyond this answer."),
    count_is_complete: z.boolean().describe("False when the time limit ended the search."),
    truncated: z.boolean().describe("There is more to read on."),
    applied_limit: z.int().optional(),
    applied_offset: z.int().optional(),
    timed_out: z.boolean(),
    left_out: z
      .object({
        folders: z.int().describe("Folders such as .git and node_modules that the pattern does not name."),
        linked_folders: z.int(),
        links_outside: z.int(),
        broken_links: z.int(),
        other_kinds: z.int().describe("Sockets, pipes and devices."),
        unreadable: z.int(),
        excluded: z.int(),
        ignored: z.int().describe("Only with respect_git_ignore."),
      })
      .describe("What was passed over, counted."),
  }),
);

export type GlobData = z.output<typeof globOutput>;

export interface GlobFindings {
  readonly pattern: string;
  readonly page: readonly FoundFile[];
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly ignored: number;
  readonly passedOver: PassedOver;
  readonly isCutShort: boolean;
  /** Shows a path of the walk as the result does. */
  readonly showPath: (path: string) => string;
  /** What another look found when this one found nothing. */
  readonly elsewhere: readonly string[];
}

export function reportGlob(found: GlobFindings): ToolOutput<GlobData> {
  const { page, total, offset, limit, passedOver, isCutShort } = found;
  const filenames = page.map((file) => found.showPath(file.path));
  const truncated = page.length > 0 && offset + page.length < total;
  const data: GlobData = {
    num_files: page.length,
    filenames,
    total_matches: total,
    count_is_complete: !isCutShort,
    truncated,
    ...(truncated && { applied_limit: limit }),
    ...(offset > 0 && { applied_offset: offset }),
    timed_out: isCutShort,
    left_out: {
      folders: passedOver.leftOutFolders.count,
      linked_folders: passedOver.linkedFolders.count,
      links_outside: passedOver.outsideLinks.count,
      broken_links: passedOver.brokenLinks.count,
      other_kinds: passedOver.otherKinds.count,
      unreadable: passedOver.unreadable.count,
      excluded: passedOver.excluded.count,
      ignored: found.ignored,
    },
  };
  const notes = [pageNote(found), ...found.elsewhere, ...leftOutNotes(found)].filter((note) => note !== "").join("\n");
  return { text: filenames.length === 0 ? notes : `${filenames.map(asLine).join("\n")}\n\n${notes}`, data };
}

function pageNote({ pattern, page, total, offset, isCutShort }: GlobFindings): string {
  const early = isCutShort ? " (ended early: there may be more)" : "";
  if (total === 0) return `No file matches ${JSON.stringify(pattern)}${early}.`;
  const all = countOf(total, "file");
  if (page.length === 0)
    return `[Nothing at offset ${offset}: there ${total === 1 ? "is" : "are"} only ${all}${early}]`;
  if (page.length === total) return `[${all}, newest first${early}]`;
  const next = offset + page.length;
  const range = `${(offset + 1).toLocaleString("en-US")} to ${next.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`;
  return `[Files ${range}, newest first${early}.${next < total ? ` Read on with offset: ${next}.` : ""}]`;
}

function leftOutNotes({ passedOver, total, ignored }: GlobFindings): string[] {
  const { leftOutFolders, linkedFolders, outsideLinks, brokenLinks, otherKinds, unreadable, oddNames } = passedOver;
  const { matchingFolders, excluded } = passedOver;
  const parts = [
    leftOutFolders.count > 0
      ? `${leftOutFolders.named()} (name the folder in the pattern or as path to look inside)`
      : "",
    linkedFolders.count > 0 ? `links to folders, not followed: ${linkedFolders.named()}` : "",
    outsideLinks.count > 0 ? `links that lead outside the workspace: ${outsideLinks.named()}` : "",
    brokenLinks.count > 0 ? `links that lead nowhere: ${brokenLinks.named()}` : "",
    otherKinds.count > 0 ? `neither files nor folders: ${otherKinds.named()}` : "",
    excluded.count > 0 ? `excluded: ${excluded.named()}` : "",
    ignored > 0 ? `ignored by .gitignore or the like: ${countOf(ignored, "file")}` : "",
  ].filter((part) => part !== "");
  const folders = matchingFolders.count;
  return [
    folders > 0 && total === 0
      ? `[${countOf(folders, "folder")} would match: ${matchingFolders.named()}. Add /** for the files inside, or set directories: true.]`
      : "",
    parts.length > 0 ? `[Left out: ${parts.join("; ")}]` : "",
    unreadable.count > 0 ? `[Could not be read: ${unreadable.named()}]` : "",
    oddNames.count > 0 ? "[Names that are not UTF-8 are shown with � for their odd bytes]" : "",
  ];
}
