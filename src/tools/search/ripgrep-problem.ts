// What ripgrep complains about, in plain words.
import { ToolError } from "../../core/errors.ts";
import type { GrepParams } from "./grep-input.ts";
import type { RipgrepRun } from "./run-ripgrep.ts";
import { Tally } from "./tally.ts";

/** The files that could not be read, of a run that went on without them; each with the reason. */
export function unreadableFiles(messages: string): Tally {
  const tally = new Tally();
  for (const line of messages.split("\n")) {
    const found = ABOUT_A_FILE.exec(line);
    if (found?.[1])
      tally.add(found[1].replace(/ \(os error \d+\)$/, "").replace(/IO error for operation on [^:]*: /, ""));
  }
  return tally;
}

/** The error of a run that did not take place because of its arguments, or was cut short; undefined for any other. */
export function ripgrepProblem(run: RipgrepRun, params: GrepParams): ToolError | undefined {
  if (run.isAborted) return undefined;
  if (run.signalName !== null) {
    return new ToolError("unavailable", `ripgrep was ended by ${run.signalName}`, {
      hint: "Call again, or search less.",
    });
  }
  const complaint = run.messages
    .split("\n")
    .filter((line) => !ABOUT_A_FILE.test(line))
    .join("\n")
    .trim();
  if (run.exitCode !== 2 || complaint === "") return undefined;
  return describe(complaint, params);
}

const ABOUT_A_FILE = /^(?:rg: )?(?:WARNING: )?\.\/(.+)$/;

function describe(complaint: string, params: GrepParams): ToolError {
  const type = /unrecognized file type: (.*)/.exec(complaint)?.[1];
  if (type !== undefined) {
    return new ToolError("invalid_input", `type is ${JSON.stringify(type)}, which ripgrep does not know`, {
      hint: `Use glob instead, such as *.${type.replaceAll(/\W/g, "") || "txt"}; types are short: ts, js, py, rust, go, java, md.`,
    });
  }
  const glob = /error parsing glob '(.*)': (.*)/.exec(complaint);
  if (glob) {
    return new ToolError("invalid_input", `The glob ${JSON.stringify(glob[1])} is not valid: ${glob[2]}`, {
      hint: "Escape a bracket or brace that is meant literally with a backslash.",
    });
  }
  const reason =
    /^error: (.+)$/m.exec(complaint)?.[1] ??
    /^(compiled regex exceeds.+)$/m.exec(complaint)?.[1] ??
    complaint.replace(/^rg: /, "").split("\n")[0];
  const other = /^PCRE2: (?:error compiling pattern at offset \d+: )?(.+)$/m.exec(complaint)?.[1];
  const isLookAround = /look-around|backreferences/.test(reason ?? "");
  const told = isLookAround && other !== undefined ? other : reason;
  return new ToolError("invalid_input", `The pattern ${quoted(params.pattern)} is no regular expression: ${told}`, {
    hint: "Set literal: true to search for it as plain text, or escape special characters with a backslash.",
  });
}

function quoted(pattern: string): string {
  return JSON.stringify(pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern);
}
