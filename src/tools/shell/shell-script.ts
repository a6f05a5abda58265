// How a command line reaches bash unchanged, and how bash tells where it ended.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config-schema.ts";
import { fromSystemError } from "../../core/errors.ts";
import { markerPrologue, type ProcessMarker } from "../../process/process-marker.ts";
import { quoteWord } from "./quote-word.ts";

/** Linux takes no argument of 128 KiB or more (MAX_ARG_STRLEN); a longer script goes through a file. */
const MAX_ARGUMENT_BYTES = 100_000;

export interface ShellReport {
  /** Where the shell ended; undefined when it did not tell (it was killed, replaced itself, or set its own EXIT trap). */
  readonly directory: string | undefined;
  /** The simple command that ran last, as bash prints it. */
  readonly lastCommand: string | undefined;
}

/**
 * The files of one run of bash. The prologue comes through BASH_ENV, which bash reads before its script, so that the
 * script is the user's text alone: line numbers in messages are the user's. It joins the two streams, puts the marker on
 * the shell, and reports the directory and the last command on EXIT. Its owner calls `remove`.
 */
export class ShellScript {
  readonly #config: Config;
  readonly #command: string;
  readonly #base: string;

  constructor(config: Config, script: { readonly callId: string; readonly command: string }) {
    this.#config = config;
    this.#command = script.command;
    this.#base = join(config.home, "run", script.callId);
  }

  get args(): readonly string[] {
    return this.#isLong ? [`${this.#base}.sh`] : ["-c", this.#command];
  }

  /** Writes the files; returns the environment for bash. Throws `io_error`. */
  write(marker: ProcessMarker): Record<string, string> {
    try {
      mkdirSync(join(this.#base, ".."), { recursive: true, mode: 0o700 });
      writeFileSync(`${this.#base}.env`, this.#prologue(marker), { mode: 0o600, flag: "wx" });
      if (this.#isLong) writeFileSync(`${this.#base}.sh`, this.#command, { mode: 0o600, flag: "wx" });
    } catch (error) {
      throw fromSystemError(error, this.#base);
    }
    const inherited = Object.entries(this.#config.environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return {
      ...Object.fromEntries(inherited),
      // Nothing may wait for a key or a password: nobody is there.
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      TERM: "dumb",
      BASH_ENV: `${this.#base}.env`,
    };
  }

  report(): ShellReport {
    try {
      const text = readFileSync(`${this.#base}.end`, "utf8");
      const end = text.indexOf("\0");
      return {
        directory: text.slice(0, end).replace(/\n$/, "") || undefined,
        lastCommand: text.slice(end + 1) || undefined,
      };
    } catch {
      return { directory: undefined, lastCommand: undefined };
    }
  }

  remove(): void {
    for (const ending of ["env", "sh", "end"]) rmSync(`${this.#base}.${ending}`, { force: true });
  }

  get #isLong(): boolean {
    return Buffer.byteLength(this.#command) > MAX_ARGUMENT_BYTES;
  }

  #prologue(marker: ProcessMarker): string {
    const own = this.#config.environment.BASH_ENV;
    const restore = own ? `export BASH_ENV=${quoteWord(own)}\n[ -r "$BASH_ENV" ] && . "$BASH_ENV"` : "unset BASH_ENV";
    const end = quoteWord(`${this.#base}.end`);
    const report = `{ builtin pwd -P; builtin printf "\\0%s" "$BASH_COMMAND"; } 2>/dev/null >|${end}`;
    return `${restore}\n${markerPrologue(marker)}\nexec 2>&1\ntrap ${quoteWord(report)} EXIT\n`;
  }
}
