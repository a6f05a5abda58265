// Long texts that a tool made in one piece: the whole goes to a file, the result shows both ends.
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limitText } from "./output-limit.ts";

export interface OutputBudget {
  readonly maxCharacters: number;
  readonly maxSpillBytes: number;
  readonly spillPath: () => string;
}

/** Limits `text`; where the file cannot be written the text is limited all the same, and says so. */
export async function limitOutput(text: string, budget: OutputBudget): Promise<{ text: string; spillPath?: string }> {
  const { maxCharacters } = budget;
  try {
    const path = budget.spillPath();
    writeFileSync(path, text.slice(0, budget.maxSpillBytes), { mode: 0o600, flag: "wx" });
    return { text: limitText(text, { maxCharacters, wholeAt: path }).text, spillPath: path };
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return { text: `${limitText(text, { maxCharacters }).text}\n[The whole could not be kept in a file: ${why}]` };
  }
}

/** Removes spilled outputs that were written before `before` (milliseconds since the epoch). */
export function removeOldSpills(directory: string, before: number): void {
  for (const name of readdirSync(directory)) {
    if (!/^call_[a-z0-9]+\.txt$/.test(name)) continue;
    const path = join(directory, name);
    // Another process may have removed it first.
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (written !== undefined && written < before) rmSync(path, { force: true });
  }
}
