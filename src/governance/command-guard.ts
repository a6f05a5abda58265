// Judges the command line of a shell call, before anything of it runs.
import type { CommandAnalysis } from "./command-analysis.ts";
import { ShellParser } from "./shell-parser.ts";

export interface CommandPlace {
  readonly cwd: string;
  readonly home: string;
  readonly workspaceRoot: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Why a command line is refused whoever asks; undefined when nothing speaks against it. */
export interface CommandGuard {
  judge(command: string, place: CommandPlace): Promise<string | undefined>;
}

/** Refuses what would destroy the machine or the person's files (SPEC §4), by the syntax tree of the line. */
export class CatastropheGuard implements CommandGuard {
  readonly #parser = new ShellParser();

  async judge(command: string, place: CommandPlace): Promise<string | undefined> {
    const { analyzeCommand } = await import("./command-analysis.ts");
    const { findCatastrophe } = await import("./command-catastrophes.ts");
    const analysis: CommandAnalysis = await analyzeCommand(command, place, this.#parser);
    const found = findCatastrophe(analysis, place);
    return found && `${found.program} ${found.reason}`;
  }
}
