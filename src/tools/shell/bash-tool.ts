import { z } from "zod";
import { ToolError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import { findBinary } from "../../process/find-binary.ts";
import { createMarker, type ProcessMarker } from "../../process/process-marker.ts";
import { runProcess, type RunProcessResult } from "../../process/run-process.ts";
import { BaseTool, type CallUses, type ToolContext } from "../base-tool.ts";
import type { ToolServices } from "../tool-services.ts";
import { interpretExit } from "./exit-meaning.ts";
import { joinArguments } from "./quote-word.ts";
import { type ShellReport, ShellScript } from "./shell-script.ts";

const MAX_COMMAND_CHARACTERS = 1_000_000;

const input = z.strictObject({
  command: z
    .string()
    .max(MAX_COMMAND_CHARACTERS)
    .optional()
    .describe("The bash command line; may have many lines. Its standard input is empty."),
  timeout: z
    .int()
    .min(1)
    .optional()
    .describe("Milliseconds until everything is ended; 120000 by default, at most 600000."),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe("Directory to run in, for this call only; by default where the last call's `cd` led."),
  run_in_background: z.literal(false).optional().describe("Only false: the command runs in the foreground."),
  restart: z.boolean().optional().describe("True: forget the working directory of earlier calls first."),
});

const namedProcess = z.object({ pid: z.int(), command: z.string() });
const output = z.object({
  stdout: z.string().describe("Both streams, in the order written, cut in the middle when long."),
  exit_code: z.int().nullable().describe("Null when a signal ended the command."),
  signal: z.string().nullable(),
  exit_meaning: z.string().nullable().describe("Set when the exit code is not 0 and yet no failure."),
  interrupted: z.boolean(),
  working_directory: z.string().describe("Where the next call starts."),
  left_behind: z.array(namedProcess).describe("Processes that the command left running; they were ended."),
  total_bytes: z.int(),
  duration_ms: z.number(),
});

type Params = z.output<typeof input>;
type Data = z.output<typeof output>;

/** Runs a bash command line to its end, and ends everything that it started. */
export class BashTool extends BaseTool<typeof input, Data> {
  readonly name = "BashTool";
  readonly description =
    "Runs a bash command line and answers when it ends, with both output streams in order and the exit code. " +
    "Standard input is empty. A `cd` holds for the next call; variables and functions do not. " +
    "At the timeout the whole process tree is ended and the output so far is returned. " +
    "Processes left in the background are ended and named. Long output is cut in the middle; the whole is in a file.";
  readonly input = input;
  readonly output = output;
  override readonly principalParameter = "command";
  override readonly pathParameters = ["cwd"];
  override readonly synonyms = {
    cmd: "command",
    script: "command",
    input: "command",
    workdir: "cwd",
    dir_path: "cwd",
    directory: "cwd",
    is_background: "run_in_background",
    background: "run_in_background",
  };
  override readonly ignoredParameters = [
    "dangerouslyDisableSandbox",
    "justification",
    "login",
    "max_output_tokens",
    "sandbox_permissions",
    "yield_time_ms",
  ];
  override readonly examples = [
    { title: "Run a command", payload: { command: "echo hello" }, shows: "hello" },
    {
      title: "An exit code that is no failure",
      payload: { command: "grep absent notes.txt" },
      files: { "notes.txt": "present\n" },
      shows: "no line matched",
    },
  ];
  readonly #services: ToolServices;

  constructor(services: ToolServices) {
    super();
    this.#services = services;
  }

  override reshape(payload: Record<string, unknown>): Record<string, unknown> {
    const { command } = payload;
    // bash skips a NUL byte, so that what runs would not be what was judged.
    if (typeof command === "string" && command.includes("\0")) {
      throw new ToolError("invalid_input", "command contains a NUL byte", { hint: "Remove it." });
    }
    return Array.isArray(command) ? { ...payload, command: joinArguments(command) } : payload;
  }

  override uses(params: Params): CallUses {
    return {
      paths: params.cwd === undefined ? [] : [{ parameter: "cwd", path: params.cwd, access: "read" }],
      ...(params.command !== undefined && {
        command: params.command,
        ...(params.cwd !== undefined && { commandDirectory: params.cwd }),
      }),
    };
  }

  override timeoutMs(params: Params): number | undefined {
    return params.timeout;
  }

  override async execute(params: Params, context: ToolContext): Promise<ToolOutput<Data>> {
    if (params.restart) await context.session.changeDirectory(context.workspaceRoot);
    const command = commandOf(params);
    if (command === undefined) return restarted(context);
    const directory =
      params.cwd === undefined ? startDirectory(params, context) : context.authorizedPath(params.cwd).canonical;
    const marker = createMarker();
    const script = new ShellScript(this.#services.config, { callId: context.callId, command, marker });
    try {
      const ran = await this.#run(script, { directory, context, marker });
      return await this.#answer(ran, { params, context, directory, report: script.report() });
    } finally {
      script.close();
    }
  }

  async #run(script: ShellScript, { context, directory, marker }: Place): Promise<RunProcessResult> {
    return runProcess({
      file: this.#bash(),
      args: script.args,
      descriptors: script.descriptors,
      cwd: directory,
      env: {
        ...script.environment,
        PWD: directory,
        PAWL_CALL_ID: context.callId,
        PAWL_SESSION_ID: context.session.id,
      },
      signal: context.signal,
      marker,
      onOutput: context.progress,
      output: {
        maxCharacters: context.output.maxCharacters,
        maxSpillBytes: context.output.maxSpillBytes,
        spillPath: context.output.spillPath,
      },
    });
  }

  #bash(): string {
    const { config } = this.#services;
    if (config.shell) return config.shell;
    const found = findBinary("bash", {
      path: config.environment.PATH ?? "",
      extraDirectories: ["/bin", "/usr/bin", "/usr/local/bin"],
    });
    if (found) return found;
    throw new ToolError("unavailable", "bash is not installed", {
      hint: "Install it (apt-get install bash, brew install bash, or Git for Windows), or name it in PAWL_SHELL.",
    });
  }

  async #answer(ran: RunProcessResult, run: FinishedRun): Promise<ToolOutput<Data>> {
    const { context, params } = run;
    const meaning = interpretExit(ran.exitCode, run.report.lastCommand);
    const moved = ran.aborted ? undefined : await moveTo(run);
    const notes = notesOf(ran, { meaning, moved, run });
    const data: Data = {
      stdout: ran.output.text,
      exit_code: ran.exitCode,
      signal: ran.signal,
      exit_meaning: meaning ?? null,
      interrupted: ran.aborted,
      working_directory: moved?.directory ?? context.workingDirectory,
      left_behind: ran.leftBehind.map(({ pid, command }) => ({ pid, command })),
      total_bytes: ran.output.totalBytes,
      duration_ms: Math.round(ran.durationMs),
    };
    const shown = {
      text: [ran.output.text.replace(/\n$/, ""), ...notes].filter((part) => part !== "").join("\n"),
      data,
      truncated: ran.output.truncated,
      ...(ran.output.spillPath !== undefined && { spillPath: ran.output.spillPath }),
    };
    if (ran.aborted) throw abortedError(context, shown);
    if (ran.exitCode === 0 || meaning !== undefined) return shown;
    const how = ran.exitCode === null ? `was ended by ${ran.signal}` : `ended with exit code ${ran.exitCode}`;
    throw new ToolError("command_failed", `The command ${how}`, {
      hint: params.command === undefined ? "" : hintFor(ran.exitCode),
      partial: shown,
    });
  }
}

interface Place {
  readonly directory: string;
  readonly context: ToolContext;
  readonly marker: ProcessMarker;
}

interface FinishedRun {
  readonly params: Params;
  readonly context: ToolContext;
  readonly directory: string;
  readonly report: ShellReport;
}

interface Move {
  readonly directory: string;
  readonly refused?: string;
}

function commandOf(params: Params): string | undefined {
  if (params.command !== undefined && params.command.trim() !== "") return params.command;
  if (params.restart) return undefined;
  throw new ToolError("invalid_input", "command is missing or blank", {
    hint: "command: the bash command line to run.",
  });
}

function startDirectory(params: Params, context: ToolContext): string {
  return params.restart ? context.workspaceRoot : context.workingDirectory;
}

function restarted(context: ToolContext): ToolOutput<Data> {
  const data: Data = {
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

/** Keeps where the command ended, when it may be kept. */
async function moveTo({ params, context, directory, report }: FinishedRun): Promise<Move | undefined> {
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
  const { timeout } = run.params;
  const { lostDirectory } = run.context.session;
  const quiet = ran.exitCode === 0 && ran.output.text !== "";
  const exit = ran.exitCode === null ? `ended by ${ran.signal ?? "the time limit"}` : `exit code ${ran.exitCode}`;
  const empty = ran.output.text === "" ? "no output, " : "";
  return [
    quiet ? "" : `[${empty}${exit}${meaning === undefined ? "" : `: ${meaning}, not a failure`}]`,
    moved?.refused
      ? `[The next call starts in ${moved.directory} again: ${moved.refused} is outside the workspace]`
      : "",
    lostDirectory && run.params.cwd === undefined
      ? `[${lostDirectory} is gone; this call started in ${run.directory}]`
      : "",
    ran.leftBehind.length > 0
      ? `[Left running and ended: ${ran.leftBehind.map((left) => `${left.pid} ${left.command}`).join("; ")}]`
      : "",
    ran.unkillable.length > 0
      ? `[Could not be ended: ${ran.unkillable.map((left) => `${left.pid} ${left.command}`).join("; ")}]`
      : "",
    ran.treeProblem === undefined ? "" : `[Processes could not be looked for: ${ran.treeProblem}]`,
    timeout !== undefined && timeout < 1_000 ? `[timeout is ${timeout} milliseconds]` : "",
  ];
}

function abortedError(context: ToolContext, shown: ToolOutput<Data>): ToolError {
  const reason: unknown = context.signal.reason;
  if (!(reason instanceof ToolError))
    return new ToolError("cancelled", "The command was cancelled", { partial: shown });
  return new ToolError(reason.code, reason.message, { hint: reason.hint, partial: shown });
}

function hintFor(exitCode: number | null): string {
  if (exitCode === 127) return "A program in it was not found: check its name and PATH.";
  if (exitCode === 126) return "A program in it cannot be executed: check its mode.";
  return "The output says why.";
}
