// What an answer about a changed file says beside the change itself.
import { z } from "zod";
import type { WriteOutcome } from "./atomic-write.ts";
import type { DiffHunk, ShortDiff } from "./short-diff.ts";
import { type LineEndings, nameLineEndings } from "./text-file.ts";

export const hunk = z.object({
  old_start: z.int(),
  old_lines: z.int(),
  new_start: z.int(),
  new_lines: z.int(),
  lines: z.array(z.string()).describe("Each begins with a blank, - or +."),
});

/** In the answer of every tool that changes a file. */
export const changeFields = {
  changed_since_read: z.boolean().describe("True when the file was not as this session had last seen it."),
  encoding: z.enum(["utf-8", "utf-16le", "utf-16be", "windows-1252"]),
  lines_added: z.int(),
  lines_removed: z.int(),
  structured_patch: z.array(hunk).describe("The parts that changed, with three lines around; line numbers from 1."),
  patch_truncated: z.boolean().describe("True when structured_patch has only the first changes."),
};

export interface DiffData {
  lines_added: number;
  lines_removed: number;
  structured_patch: z.output<typeof hunk>[];
  patch_truncated: boolean;
}

export function diffData(diff: ShortDiff): DiffData {
  return {
    lines_added: diff.added,
    lines_removed: diff.removed,
    structured_patch: diff.hunks.map(copyHunk),
    patch_truncated: diff.truncated,
  };
}

export const CHANGED_NOTE =
  "The file had changed since this session last read it; only the change asked for was made. Read it again before you replace it as a whole.";

/** What could not be kept of the file that was replaced. */
export function outcomeNotes({ splitLinks, ownerKept }: WriteOutcome): string[] {
  const names =
    splitLinks === 1
      ? "Another name (hard link) of the file keeps"
      : `${splitLinks} other names (hard links) of the file keep`;
  return [
    splitLinks > 0 ? `${names} the old content.` : "",
    ownerKept ? "" : "The owner of the file could not be kept.",
  ].filter((note) => note !== "");
}

/** The name for what ends the lines of a text. */
export function lineEndingsOf(text: string): LineEndings {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return nameLineEndings({ lf: count(/(?<!\r)\n/g), crlf: count(/\r\n/g), cr: count(/\r(?!\n)/g) });
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function copyHunk({ lines, ...numbers }: DiffHunk): z.output<typeof hunk> {
  return { ...numbers, lines: [...lines] };
}
