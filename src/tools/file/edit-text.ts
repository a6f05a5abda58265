import { ToolError } from "../../core/errors.ts";
import { detectEncoding } from "./detect-encoding.ts";
import { explainMiss } from "./explain-miss.ts";
import { findText, type Match, type Matches } from "./find-text.ts";
import { LineEndingFinder } from "./line-ending-finder.ts";
import { lineNumberAt } from "./plain-text.ts";
import { decodeText, decodeUnits, encodeText, type TextEncoding } from "./text-encoding.ts";
import { notText } from "./text-file.ts";

export interface TextEdit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
  /** Replaces all places, and fails unless there are exactly so many. */
  readonly expected?: number | undefined;
}

export interface EditedText {
  readonly bytes: Buffer;
  readonly encoding: TextEncoding;
  readonly before: string;
  readonly after: string;
  /** How many places each edit replaced. */
  readonly replacements: readonly number[];
  /** For each edit the numbers of the lines where its places began, as it found them; the first 20. */
  readonly lines: readonly (readonly number[])[];
}

interface Step {
  readonly edit: TextEdit;
  /** "" for an only edit, else "edits[2]: ". */
  readonly label: string;
  readonly shown: string;
  readonly encoding: TextEncoding;
}

const MAX_CHARACTERS = 256 * 1024 * 1024;
const MAX_LISTED_LINES = 20;

/**
 * Applies edits in order, all or none, to the bytes of a file. Every byte outside the replaced places stays. New lines are
 * written with the line end of their place, unless the edit itself speaks of CR. An empty `old_string` fills an empty file.
 * Throws `invalid_input` (nothing to do, no text), `not_found` (with the nearest place), `conflict` (not as many places as
 * expected, with their lines) or `limit_exceeded`.
 */
export function applyEdits(bytes: Uint8Array, edits: readonly TextEdit[], shown: string): EditedText {
  const detection = detectEncoding(bytes);
  if (detection.kind === "binary") throw notText(shown, detection.says);
  const { encoding } = detection;
  const before = decodeText(bytes, encoding);
  const replacements: number[] = [];
  const lines: number[][] = [];
  let after = before;
  for (const [index, edit] of edits.entries()) {
    const step = { edit, label: edits.length > 1 ? `edits[${index}]: ` : "", shown, encoding };
    const edited = applyEdit(after, step);
    replacements.push(edited.count);
    lines.push(edited.lines);
    after = edited.text;
  }
  if (after === before) {
    throw new ToolError("invalid_input", `The edits would leave ${shown} as it is.`, {
      hint: "Send what should become different.",
    });
  }
  return { bytes: encodeText(after, encoding), encoding, before, after, replacements, lines };
}

interface Edited {
  readonly text: string;
  readonly count: number;
  readonly lines: number[];
}

function applyEdit(text: string, step: Step): Edited {
  const { edit, label, shown } = step;
  if (edit.old_string === edit.new_string) {
    throw new ToolError(
      "invalid_input",
      `${label}old_string and new_string are the same, so there is nothing to change.`,
      {
        hint: "Send the text as it should become as new_string.",
      },
    );
  }
  if (edit.old_string === "") return { text: fillEmpty(text, step), count: 1, lines: [1] };
  const { found, newText } = findPlaces(text, step);
  checkCount(text, found, step);
  const wanted = { ...edit, new_string: newText };
  const result = replacePlaces(text, found, wanted);
  if (result === undefined) {
    throw new ToolError("limit_exceeded", `${label}${shown} would grow over ${MAX_CHARACTERS} characters.`, {
      hint: "Replace with less, or fewer places.",
    });
  }
  return { text: result, count: found.places.length, lines: lineNumbers(text, found.places) };
}

function fillEmpty(text: string, { edit, label, shown }: Step): string {
  if (text === "") return edit.new_string;
  throw new ToolError("invalid_input", `${label}old_string is empty, but ${shown} has content.`, {
    hint: "Send some text that is there as old_string, or replace the whole file with FileWriteTool.",
  });
}

function findPlaces(text: string, { edit, label, shown, encoding }: Step): { found: Matches; newText: string } {
  const found = findText(text, edit.old_string);
  if (found.places.length > 0) return { found, newText: edit.new_string };
  // A file that is not all UTF-8 may still have lines that are, and the reader of a large file shows them as such.
  if (encoding.name === "windows-1252" && !isAscii(edit.old_string)) {
    const asBytes = (part: string) => decodeUnits(Buffer.from(part, "utf8"), "windows-1252");
    const again = findText(text, asBytes(edit.old_string));
    if (again.places.length > 0) return { found: again, newText: asBytes(edit.new_string) };
  }
  const { says, hint } = explainMiss(text, edit.old_string);
  throw new ToolError("not_found", `${label}old_string was not found in ${shown}. ${says}`.trimEnd(), { hint });
}

function checkCount(text: string, { places, overlapping }: Matches, { edit, label, shown }: Step): void {
  const count = places.length;
  if (edit.expected !== undefined) {
    if (count === edit.expected) return;
    throw new ToolError(
      "conflict",
      `${label}old_string is ${times(count)} in ${shown}, not ${edit.expected}: ${listLines(text, places)}.`,
      {
        hint: "Check the number of places, or send more text around the one you mean.",
      },
    );
  }
  if (edit.replace_all || (count === 1 && !overlapping)) return;
  const overlap = count === 1 ? " and overlaps itself" : "";
  throw new ToolError(
    "conflict",
    `${label}old_string is not unique: it is ${times(count)}${overlap} in ${shown}, on ${listLines(text, places)}.`,
    {
      hint: "Send more of the text around the place you mean, or set replace_all to change every place.",
    },
  );
}

/** Undefined when the result would be too large. */
function replacePlaces(text: string, { places, literal }: Matches, edit: TextEdit): string | undefined {
  const finder = keepsItsLineEnds(edit, literal) ? undefined : new LineEndingFinder(text);
  const newText = finder ? edit.new_string.replaceAll("\r\n", "\n") : edit.new_string;
  const removed = places.reduce((sum, { start, end }) => sum + end - start, 0);
  if (text.length - removed + places.length * newText.length > MAX_CHARACTERS) return undefined;
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(text.slice(from, place.start), finder ? finder.fit(newText, place) : newText);
    from = place.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** An edit that writes CR itself means its line ends as they are, unless its old text was found only with others. */
function keepsItsLineEnds(edit: TextEdit, literal: boolean): boolean {
  if (edit.old_string.includes("\r")) return literal;
  return edit.new_string.includes("\r");
}

function listLines(text: string, places: readonly Match[]): string {
  const lines = lineNumbers(text, places);
  const more = places.length > MAX_LISTED_LINES ? ` and ${places.length - MAX_LISTED_LINES} more` : "";
  return `line${places.length === 1 ? "" : "s"} ${lines.join(", ")}${more}`;
}

function lineNumbers(text: string, places: readonly Match[]): number[] {
  return places.slice(0, MAX_LISTED_LINES).map(({ start }) => lineNumberAt(text, start));
}

function times(count: number): string {
  return count === 1 ? "there once" : `there ${count} times`;
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}
