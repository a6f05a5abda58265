#!/usr/bin/env node
// The command line. The only place that prints and exits.
import { ERROR_CODES, ToolError } from "../core/errors.ts";
import { VERSION } from "../core/version.ts";
import { COMMANDS } from "./all-commands.ts";
import { helpText, readCommandLine } from "./command-line.ts";
import { printError, printLine } from "./print.ts";

// Not awaited at the top level: what is bundled with this file would wait for it, and it for them.
void main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});

async function main(words: readonly string[]): Promise<number> {
  try {
    const asked = readCommandLine(words, COMMANDS);
    if (asked.kind === "run") return await asked.command.run(asked.given);
    printLine(asked.kind === "version" ? VERSION : helpText(COMMANDS, asked.command));
    return 0;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    printError([`${error.code}: ${error.message}`, error.hint].filter(Boolean).join("\n"));
    return ERROR_CODES[error.code].exitStatus;
  }
}
