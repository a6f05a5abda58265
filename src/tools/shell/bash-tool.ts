import { z } from "zod";
import { ToolError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import { findBinary } from "../../process/find-binary.ts";
import { createMarker, type ProcessMarker } from "../../process/process-marker.ts";
import { runProcess, type RunProcessResult } from "../../process/run-process.ts";
import { BaseTool, type CallUses, type ToolContext } from "../base-tool.ts";
import type { ToolServices } from "../tool-services.ts";
import { answerOf, type BashData, bashOutput, restart } from "./bash-answer.ts";
import { joinArguments } from "./quote-word.ts";
import { pinDirectory } from "./pinned-directory.ts";
import { ShellScript } from "./shell-script.ts";

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
  restart: z.boolean().optional().describe("True, without a command: forget the working directory of earlier calls."),
});

type Params = z.output<typeof input>;

/** Runs a bash command line to its end, and ends everything that it started. */
export class BashTool extends BaseTool<typeof input, BashData> {
  readonly name = "BashTool";
  readonly description =
    "Runs a bash command line and answers when it ends, with both output streams in order and the exit code. " +
    "Standard input is empty. A `cd` holds for the next call; variables and functions do not. " +
    "At the timeout the whole process tree is ended and the output so far is returned. " +
    "Processes left in the background are ended and named. Long output is cut in the middle; the whole is in a file.";
  readonly input = input;
  readonly output = bashOutput;
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

  override async execute(params: Params, context: ToolContext): Promise<ToolOutput<BashData>> {
    const command = commandOf(params);
    if (command === undefined) return restart(context);
    const directory =
      params.cwd === undefined ? context.workingDirectory : context.authorizedPath(params.cwd).canonical;
    // By the call, so that a later Pawl finds what is left if this one is killed.
    const marker = createMarker(context.callId);
    const script = new ShellScript(this.#services.config, { callId: context.callId, command, marker });
    try {
      const ran = await this.#run(script, { directory, context, marker });
      return await answerOf(ran, { params, context, directory, report: script.report() });
    } finally {
      script.close();
    }
  }

  async #run(script: ShellScript, { context, directory, marker }: Place): Promise<RunProcessResult> {
    const pinned = pinDirectory(directory);
    try {
      return await this.#runIn(pinned.path, script, { context, directory, marker });
    } finally {
      pinned.close();
    }
  }

  async #runIn(cwd: string, script: ShellScript, { context, directory, marker }: Place): Promise<RunProcessResult> {
    return runProcess({
      file: this.#bash(),
      args: script.args,
      descriptors: script.descriptors,
      cwd,
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
}

interface Place {
  readonly directory: string;
  readonly context: ToolContext;
  readonly marker: ProcessMarker;
}

/** Undefined: the session's directory is to be forgotten, and nothing run. */
function commandOf(params: Params): string | undefined {
  const blank = params.command === undefined || params.command.trim() === "";
  if (params.restart && !blank) {
    throw new ToolError("invalid_input", "restart comes with a command", {
      hint: "Send restart alone, then the command.",
    });
  }
  if (params.restart) return undefined;
  if (params.command !== undefined && !blank) return params.command;
  throw new ToolError("invalid_input", "command is missing or blank", {
    hint: "command: the bash command line to run.",
  });
}
