// How a command line reaches bash unchanged, and how bash tells where it ended.
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../../config/config-schema.ts";
import { makeDirectory } from "../../core/make-directory.ts";
import { fromSystemError } from "../../core/errors.ts";
import { markerPrologue, type ProcessMarker } from "../../process/process-marker.ts";
import { quoteWord } from "./quote-word.ts";

export interface ShellReport {
  /** Where the shell ended; undefined when it did not tell (it was killed, replaced itself, or set its own EXIT trap). */
  readonly directory: string | undefined;
  /** The simple command that ran last, as bash prints it. */
  readonly lastCommand: string | undefined;
  /** `set -e` was on: what failed last may have kept others from running. */
  readonly stopsAtFailure: boolean;
}

/** Descriptors of the shell: the first that `runProcess` hands over is 3. */
const SCRIPT = 3;
const PROLOGUE = 4;
const REPORT = 5;
const MAX_REPORT_BYTES = 65_536;

/**
 * One run of bash, with its files: open, and already without a name, so that nothing is left of them however the run ends.
 *
 * The script is the user's text and nothing else, read as a file: its line numbers are the user's, it may be of any length
 * and no process list shows it. What comes before it goes through BASH_ENV, which bash reads first: it joins the two
 * streams, marks the shell, and on EXIT reports the directory and the last command. (With `bash -c` after BASH_ENV, bash
 * 5.2 forgets BASH_COMMAND; with `eval` it names the `eval`.) Its owner calls `close`.
 */
export class ShellScript {
  readonly descriptors: readonly number[];
  readonly args: readonly string[] = [`/dev/fd/${SCRIPT}`];
  readonly environment: Readonly<Record<string, string>>;
  readonly #report: number;

  /** Throws `io_error` when the files cannot be written. */
  constructor(
    config: Config,
    run: { readonly callId: string; readonly command: string; readonly marker: ProcessMarker },
  ) {
    const opened: number[] = [];
    const base = join(config.home, "run", run.callId);
    try {
      makeDirectory(dirname(base));
      opened.push(namelessFile(`${base}.script`, `${run.command}\n`));
      opened.push(namelessFile(`${base}.prologue`, prologueOf(config, run.marker)));
      opened.push(namelessFile(`${base}.report`, ""));
    } catch (error) {
      for (const descriptor of opened) closeSync(descriptor);
      throw fromSystemError(error, base);
    }
    this.descriptors = opened;
    this.#report = opened[2] ?? -1;
    this.environment = environmentOf(config);
  }

  /** To be read once the shell has ended. */
  report(): ShellReport {
    const buffer = Buffer.alloc(MAX_REPORT_BYTES);
    const text = buffer.toString("utf8", 0, readSync(this.#report, buffer, 0, buffer.length, 0));
    const [directory = "", lastCommand = "", flags = ""] = text.split("\0");
    return {
      directory: directory.replace(/\n$/, "") || undefined,
      lastCommand: lastCommand || undefined,
      stopsAtFailure: flags.includes("e"),
    };
  }

  close(): void {
    for (const descriptor of this.descriptors) closeSync(descriptor);
  }
}

/** A private file that is open for reading and writing, and gone from its folder. */
function namelessFile(path: string, content: string): number {
  const descriptor = openSync(path, "wx+", 0o600);
  try {
    rmSync(path);
    const bytes = Buffer.from(content);
    for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done, bytes.length - done, done);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function prologueOf(config: Config, marker: ProcessMarker): string {
  const own = config.environment.BASH_ENV;
  const restore = own ? `export BASH_ENV=${quoteWord(own)}\n[ -r "$BASH_ENV" ] && . "$BASH_ENV"` : "unset BASH_ENV";
  const report =
    "builtin trap - DEBUG RETURN ERR 2>/dev/null; " +
    `{ builtin pwd -P; builtin printf "\\0%s\\0%s" "$BASH_COMMAND" "$-"; } 2>/dev/null >&${REPORT}`;
  return `${restore}\n${markerPrologue(marker)}\nexec 2>&1 ${PROLOGUE}<&-\ntrap ${quoteWord(report)} EXIT\n`;
}

function environmentOf(config: Config): Record<string, string> {
  const inherited = Object.entries(config.environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    ...Object.fromEntries(inherited),
    // Nothing may wait for a key or a password: nobody is there.
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    TERM: "dumb",
    BASH_ENV: `/dev/fd/${PROLOGUE}`,
  };
}
