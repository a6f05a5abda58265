// Why a text was not found: where the file has nearly the same, and what differs. Nothing here is ever written.
import { nameDifferences } from "./text-differences.ts";
import { toPlain } from "./plain-text.ts";
import { foldLine, nearestPlace, sameButForLooks } from "./nearest-place.ts";

export interface Miss {
  readonly says: string;
  readonly hint: string;
}

// More of a file is not searched for the nearest place, which keeps the answer within a second or two.
const MAX_CHARACTERS = 12 * 1024 * 1024;
const MAX_SHOWN_LINES = 10;
const MAX_SHOWN_CHARACTERS = 200;
const COPY_HINT = "Copy the text from the file exactly as it is there; FileReadTool shows it.";

/** Explains why `wanted` is not in `text`. */
export function explainMiss(text: string, wanted: string): Miss {
  const plain = toPlain(text);
  const plainWanted = toPlain(wanted);
  return numberedLines(plain, plainWanted) ?? missingLastEnd(plain, plainWanted) ?? nearest(plain, plainWanted);
}

/** Line numbers as the reader prints them were sent along. */
function numberedLines(plain: string, wanted: string): Miss | undefined {
  const numbered = /^ *\d+[\t→]/;
  const lines = wanted.split("\n");
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.length === 0 || !filled.every((line) => numbered.test(line))) return undefined;
  const bare = lines.map((line) => line.replace(numbered, "")).join("\n");
  if (!plain.includes(bare)) return undefined;
  return {
    says: "It begins its lines with line numbers, which FileReadTool prints but the file does not have.",
    hint: "Send the text without the numbers and the tab after them; then it is found.",
  };
}

function missingLastEnd(plain: string, wanted: string): Miss | undefined {
  if (!wanted.endsWith("\n") || wanted === "\n" || !plain.endsWith(wanted.slice(0, -1))) return undefined;
  return {
    says: "It is the end of the file, but the last line there has no line end.",
    hint: "Leave out the last line break of old_string.",
  };
}

function nearest(plain: string, wanted: string): Miss {
  const cut = plain.length > MAX_CHARACTERS;
  const lines = (cut ? plain.slice(0, MAX_CHARACTERS) : plain).split("\n");
  const wantedLines = wanted.split("\n");
  const folded = lines.map(foldLine);
  const alike = sameButForLooks(folded, wantedLines.map(foldLine));
  if (alike) {
    const there = lines.slice(alike.first, alike.first + alike.count);
    const differences = nameDifferences(there.join("\n"), wanted);
    return {
      says: `Nearly the same is on ${place(alike)}, but differs in ${differences}:\n${quote(there, alike.first)}`,
      hint: COPY_HINT,
    };
  }
  const near = nearestPlace(folded, wantedLines.map(foldLine));
  const only = cut ? ` in the first ${MAX_CHARACTERS} characters` : "";
  if (!near)
    return {
      says: `Nothing like it is there${only}.`,
      hint: "Look for a part of it with GrepTool, or check that this is the file.",
    };
  const there = lines.slice(near.first, near.first + near.count);
  const differs = firstDifference(there, wantedLines, near.first);
  return {
    says: `The nearest place${only} is on ${place(near)}:\n${quote(there, near.first)}${differs}`,
    hint: COPY_HINT,
  };
}

function firstDifference(there: readonly string[], wanted: readonly string[], first: number): string {
  const index = wanted.findIndex((line, index) => line !== there[index]);
  if (index === -1) return "";
  const line = wanted[index]!;
  return `\nThe first difference is on line ${first + index + 1}, where old_string has:\n${quote([line], first + index)}`;
}

function place({ first, count }: { readonly first: number; readonly count: number }): string {
  return count === 1 ? `line ${first + 1}` : `lines ${first + 1}-${first + count}`;
}

function quote(lines: readonly string[], first: number): string {
  const shown = lines.slice(0, MAX_SHOWN_LINES).map((line, index) => {
    const cut = line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…` : line;
    return `${first + index + 1}\t${cut}`;
  });
  const more = lines.length > MAX_SHOWN_LINES ? [`(and ${lines.length - MAX_SHOWN_LINES} more lines)`] : [];
  return [...shown, ...more].join("\n");
}
