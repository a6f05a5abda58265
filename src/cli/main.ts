#!/usr/bin/env node
// The command line: each command is loaded when it is called. The only place that prints and exits.
import { Command, CommanderError } from "commander";
import { ERROR_CODES, ToolError } from "../core/errors.ts";
import { VERSION } from "../core/version.ts";
import { isBrokenPipe } from "./print.ts";

process.stdout.on("error", leaveOnBrokenPipe);
process.stderr.on("error", leaveOnBrokenPipe);
process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  let status = 0;
  const finish = (code: number): void => {
    status = code;
  };
  const program = programOf(finish);
  try {
    await program.parseAsync(words, { from: "user" });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : ERROR_CODES.invalid_input.exitStatus;
    if (!(error instanceof ToolError)) throw error;
    console.error([`${error.code}: ${error.message}`, error.hint].filter(Boolean).join("\n"));
    return ERROR_CODES[error.code].exitStatus;
  }
}

type Finish = (status: number) => void;

function programOf(finish: Finish): Command {
  const program = new Command("pawl")
    .description("A governed tool runtime for coding agents.")
    .version(VERSION, "-V, --version");
  program.exitOverride().showSuggestionAfterError().showHelpAfterError("`pawl --help` lists the commands.");
  addCalls(program, finish);
  addLists(program, finish);
  addAudit(program, finish);
  return program;
}

function addCalls(program: Command, finish: Finish): void {
  withCallOptions(
    program
      .command("exec-tool")
      .description('run a tool: exec-tool BashTool \'{"command":"echo hello"}\'')
      .argument("<name>", "a tool's name, such as BashTool or Bash")
      .argument("[payload]", "JSON, or plain text; `-` reads standard input", ""),
  )
    .option("--approve", "your own word for what would be asked")
    .option("--timeout <seconds>", "time limit of this call")
    .action(async (name: string, payload: string, options) => {
      const { execTool } = await import("./commands/exec-tool.ts");
      finish(await execTool(name, payload, options));
    });
  withCallOptions(
    program
      .command("exec-command")
      .description("run a slash command: exec-command status")
      .argument("<name>", "a command's name, such as help")
      .argument("[prompt]", "what the command is told", ""),
  ).action(async (name: string, prompt: string, options) => {
    const { execCommand } = await import("./commands/exec-command.ts");
    finish(await execCommand(name, prompt, options));
  });
}

function withCallOptions(command: Command): Command {
  return command
    .option("--json", "print the whole result as JSON")
    .option("--session <id>", "the session to use instead of the workspace's own")
    .option("--cwd <directory>", "stand in this directory");
}

function addLists(program: Command, finish: Finish): void {
  const lists = [
    { name: "tools", argument: undefined, about: "list the tools" },
    { name: "show-tool", argument: "<name>", about: "show a tool's parameters and rules" },
    { name: "commands", argument: undefined, about: "list the slash commands" },
    { name: "show-command", argument: "<name>", about: "show a slash command" },
    { name: "parity", argument: undefined, about: "what stands behind each of the mirrored tools here" },
    { name: "doctor", argument: undefined, about: "what works on this machine, what is missing and how to get it" },
  ];
  for (const { name, argument, about } of lists) {
    const command = program.command(name).description(about).option("--json", "print JSON");
    if (argument) command.argument(argument);
    command.action(async (...given: unknown[]) => {
      const { runList } = await import("./commands/lists.ts");
      const subject = argument ? String(given[0]) : undefined;
      const options = (argument ? given[1] : given[0]) as { json?: boolean };
      finish(await runList(name, { subject, json: options.json === true }));
    });
  }
}

function addAudit(program: Command, finish: Finish): void {
  const audit = program.command("audit").description("the append-only log of every call");
  const run = async (verb: string, options: Record<string, unknown>): Promise<void> => {
    const { runAudit } = await import("./commands/audit.ts");
    finish(await runAudit(verb, options));
  };
  audit
    .command("list")
    .description("the newest calls")
    .option("--limit <rows>", "rows to show", "20")
    .option("--tool <name>", "only calls of this tool")
    .option("--session <id>", "only calls of this session")
    .option("--json", "print JSON")
    .action((options: Record<string, unknown>) => run("list", options));
  audit
    .command("show")
    .description("one call with all that is kept of it")
    .argument("<call>", "a call id or a row number")
    .option("--json", "print JSON")
    .action((call: string, options: Record<string, unknown>) => run("show", { ...options, call }));
  audit
    .command("verify")
    .description("recompute the chain of hashes")
    .option("--json", "print JSON")
    .action((options: Record<string, unknown>) => run("verify", options));
  audit
    .command("export")
    .description("every row as JSON Lines, oldest first")
    .action((options: Record<string, unknown>) => run("export", options));
}

function leaveOnBrokenPipe(error: Error): void {
  if (!isBrokenPipe(error)) throw error;
  process.exit(0);
}
