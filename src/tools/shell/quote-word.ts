import { ToolError } from "../../core/errors.ts";

/** A list of arguments as one line that bash reads as exactly those arguments. */
export function joinArguments(words: readonly unknown[]): string {
  return words
    .map((word) => {
      if (typeof word === "string") return quoteWord(word);
      throw new ToolError("invalid_input", `command has the item ${JSON.stringify(word)}`, {
        hint: "Every item has to be a string.",
      });
    })
    .join(" ");
}

/** A word that bash takes as it is. */
export function quoteWord(word: string): string {
  return /^[A-Za-z0-9_./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
