#!/usr/bin/env node
// The command line. The only place that exits.
import { ERROR_CODES, fromSystemError, type ToolError } from "../core/errors.ts";
import { asToolError } from "../core/result.ts";
import { VERSION } from "../core/version.ts";
import { COMMANDS } from "./all-commands.ts";
import { helpText, readCommandLine } from "./command-line.ts";
import { printError, printLine } from "./print.ts";

// Not awaited at the top level: what is bundled with this file would wait for it, and it for them.
void main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});

/** Resolves to the exit status, whatever happens. */
async function main(words: readonly string[]): Promise<number> {
  try {
    const asked = readCommandLine(words, COMMANDS);
    if (asked.kind === "run") return await asked.command.run(asked.given);
    printLine(asked.kind === "version" ? VERSION : helpText(asked.family ?? COMMANDS, asked.command));
    return 0;
  } catch (error) {
    return tell(asToolError(fromSystemError(error, "Something that the command needs")));
  }
}

/** A sentence and a hint: a stack helps nobody at the command line. */
function tell(error: ToolError): number {
  const detail =
    error.code === "internal" && error.cause instanceof Error ? ` (${error.cause.message.slice(0, 200)})` : "";
  printError([`${error.code}: ${error.message}${detail}`, error.hint].filter(Boolean).join("\n"));
  return ERROR_CODES[error.code].exitStatus;
}
