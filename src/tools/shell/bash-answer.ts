// What is said of a command that has run: text for a reader, data for a program, an error when it failed.
import { z } from "zod";
import { ToolError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import type { NamedProcess } from "../../process/end-tree.ts";
import type { RunProcessResult } from "../../process/run-process.ts";
import type { ToolContext } from "../base-tool.ts";
import { interpretExit } from "./exit-meaning.ts";
import type { ShellReport } from "./shell-script.ts";

/** What a program learns of a run. */
export const bashOutput = z.lazy(() =>
  z.object({
    stdout: z.string().describe("Both streams, in the order written, cut in the middle when long."),
    exit_code: z.int().nullable().describe("Null when a signal ended the command."),
    signal: z.string().nullable(),
    exit_meaning: z.string().nullable().describe("Set when the exit code is not 0 and yet no failure."),
    interrupted: z.boolean(),
    working_directory: z.string().describe("Where the next call starts."),
    left_behind: z
      .array(z.object({ pid: z.int(), command: z.string() }))
      .describe("Processes that the command left running; they were ended."),
    total_bytes: z.int(),
    duration_ms: z.number(),
  }),
);

export type BashData = z.output<typeof bashOutput>;

export interface FinishedRun {
  readonly params: { readonly cwd?: string | undefined; readonly timeout?: number | undefined };
  readonly context: ToolContext;
  /** Where it ran. */
  readonly directory: string;
  readonly report: ShellReport;
}

/** The answer to a run that went well. Throws `command_failed`, `timeout` or `cancelled`, each with what was reached. */
export async function answerOf(ran: RunProcessResult, run: FinishedRun): Promise<ToolOutput<BashData>> {
  const { lastCommand, stopsAtFailure } = run.report;
  const meaning = stopsAtFailure ? undefined : interpretExit(ran.exitCode, lastCommand);
  const moved = ran.aborted ? undefined : await keepDirectory(run);
  const notes = notesOf(ran, { meaning, moved, run });
  const shown = {
    text: [ran.output.text.replace(/\n$/, ""), ...notes].filter((part) => part !== "").join("\n"),
    data: {
      stdout: ran.output.text,
      exit_code: ran.exitCode,
      signal: ran.signal,
      exit_meaning: meaning ?? null,
      interrupted: ran.aborted,
      working_directory: moved?.directory ?? run.context.workingDirectory,
      left_behind: ran.leftBehind.map(({ pid, command }) => ({ pid, command })),
      total_bytes: ran.output.totalBytes,
      duration_ms: Math.round(ran.durationMs),
    },
    truncated: ran.output.truncated,
    ...(ran.output.spillPath !== undefined && { spillPath: ran.output.spillPath }),
  };
  if (ran.aborted) throw abortedError(run.context, shown);
  if (ran.exitCode === 0 || meaning !== undefined) return shown;
  const how = ran.exitCode === null ? `was ended by ${ran.signal}` : `ended with exit code ${ran.exitCode}`;
  const hint = hintFor(ran.exitCode, ran.output.text);
  throw new ToolError("command_failed", `The command ${how}`, { hint, partial: shown });
}

/** The session's next call starts in the workspace again. */
export async function restart(context: ToolContext): Promise<ToolOutput<BashData>> {
  await context.session.changeDirectory(context.workspaceRoot);
  const data: BashData = {
    stdout: "",
    exit_code: 0,
    signal: null,
    exit_meaning: null,
    interrupted: false,
    working_directory: context.workspaceRoot,
    left_behind: [],
    total_bytes: 0,
    duration_ms: 0,
  };
  return { text: `The next command starts in ${context.workspaceRoot}.`, data };
}

interface Move {
  readonly directory: string;
  readonly refused?: string;
}

/** Keeps where the command ended, when it may be kept. */
async function keepDirectory({ params, context, directory, report }: FinishedRun): Promise<Move | undefined> {
  const end = report.directory;
  if (end === undefined || params.cwd !== undefined || end === directory) return undefined;
  if (!context.mayTouch(end, "read")) return { directory, refused: end };
  await context.session.changeDirectory(end);
  return { directory: end };
}

interface Answered {
  readonly meaning: string | undefined;
  readonly moved: Move | undefined;
  readonly run: FinishedRun;
}

function notesOf(ran: RunProcessResult, { meaning, moved, run }: Answered): string[] {
  return [exitNote(ran, meaning), ...directoryNotes(run, moved), ...processNotes(ran), timeoutNote(run)];
}

function exitNote(ran: RunProcessResult, meaning: string | undefined): string {
  if (ran.exitCode === 0 && ran.output.text !== "") return "";
  const exit = ran.exitCode === null ? `ended by ${ran.signal ?? "the time limit"}` : `exit code ${ran.exitCode}`;
  const empty = ran.output.text === "" ? "no output, " : "";
  return `[${empty}${exit}${meaning === undefined ? "" : `: ${meaning}, not a failure`}]`;
}

function directoryNotes(run: FinishedRun, moved: Move | undefined): string[] {
  const { lostDirectory } = run.context.session;
  const lost = lostDirectory !== undefined && run.params.cwd === undefined;
  return [
    moved?.refused
      ? `[The next call starts in ${moved.directory} again: ${moved.refused} is outside the workspace]`
      : "",
    lost ? `[${lostDirectory} is gone; this call started in ${run.directory}]` : "",
  ];
}

function processNotes(ran: RunProcessResult): string[] {
  const named = (processes: readonly NamedProcess[]): string =>
    processes.map((process) => `${process.pid} ${process.command}`).join("; ");
  return [
    ran.leftBehind.length > 0 ? `[Left running and ended: ${named(ran.leftBehind)}]` : "",
    ran.unkillable.length > 0 ? `[Could not be ended: ${named(ran.unkillable)}]` : "",
    ran.treeProblem === undefined ? "" : `[Processes could not be looked for: ${ran.treeProblem}]`,
  ];
}

/** Some clients count in seconds, and some ask for more than may be had: what holds is said. */
function timeoutNote({ params: { timeout }, context }: FinishedRun): string {
  if (timeout === undefined) return "";
  if (timeout > context.timeoutMs) return `[timeout was cut to ${context.timeoutMs} milliseconds, the most there is]`;
  return timeout < 1_000 ? `[timeout is ${timeout} milliseconds]` : "";
}

function abortedError(context: ToolContext, shown: ToolOutput<BashData>): ToolError {
  const reason: unknown = context.signal.reason;
  if (reason instanceof ToolError)
    return new ToolError(reason.code, reason.message, { hint: reason.hint, partial: shown });
  return new ToolError("cancelled", "The command was cancelled", { partial: shown });
}

function hintFor(exitCode: number | null, output: string): string {
  if (exitCode === 127) return "A program in it was not found: check its name and PATH.";
  if (exitCode === 126) return "A program in it cannot be executed: check its mode.";
  return output === "" ? "It said nothing." : "";
}
