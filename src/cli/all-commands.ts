// Every command of the command line; each is loaded when it is called.
import type { CommandSpec, Given, OptionSpec } from "./command-line.ts";
import type { CallOptions } from "./commands/exec-tool.ts";

const JSON_OPTION: OptionSpec = { about: "print JSON" };

const CALL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { about: "print the whole result as JSON" },
  session: { value: "id", about: "the session to use instead of the workspace's own" },
  cwd: { value: "directory", about: "stand in this directory" },
};

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "exec-tool",
    about: 'run a tool, as in: pawl exec-tool BashTool \'{"command":"echo hello"}\'',
    arguments: [
      { name: "name", about: "a tool's name, such as BashTool or Bash" },
      { name: "payload", about: "JSON, or plain text; - reads standard input", byDefault: "" },
    ],
    options: {
      ...CALL_OPTIONS,
      approve: { about: "your own word for what would be asked" },
      timeout: { value: "seconds", about: "time limit of this call" },
    },
    run: async ({ arguments: [name = "", payload = ""], options }) => {
      const { execTool } = await import("./commands/exec-tool.ts");
      return execTool(name, payload, options as CallOptions);
    },
  },
  {
    name: "exec-command",
    about: "run a slash command, as in: pawl exec-command status",
    arguments: [
      { name: "name", about: "a command's name, such as help" },
      { name: "prompt", about: "what the command is told", byDefault: "" },
    ],
    options: CALL_OPTIONS,
    run: async ({ arguments: [name = "", prompt = ""], options }) => {
      const { execCommand } = await import("./commands/exec-command.ts");
      return execCommand(name, prompt, options as CallOptions);
    },
  },
  list("tools", "list the tools"),
  list("show-tool", "show a tool's parameters and rules", "a tool's name"),
  list("commands", "list the slash commands"),
  list("show-command", "show a slash command", "a command's name"),
  list("parity", "what stands behind each of the mirrored tools here"),
  list("doctor", "what works on this machine, what is missing and how to get it"),
  {
    name: "audit list",
    about: "the newest calls of the append-only log",
    options: {
      limit: { value: "rows", about: "rows to show, 20 by default" },
      tool: { value: "name", about: "only calls of this tool" },
      session: { value: "id", about: "only calls of this session" },
      json: JSON_OPTION,
    },
    run: (given) => audit("list", given),
  },
  {
    name: "audit show",
    about: "one call with all that is kept of it",
    arguments: [{ name: "call", about: "a call id or a row number" }],
    options: { json: JSON_OPTION },
    run: (given) => audit("show", given),
  },
  {
    name: "audit verify",
    about: "recompute the chain of hashes",
    options: { json: JSON_OPTION },
    run: (given) => audit("verify", given),
  },
  { name: "audit export", about: "every row as JSON Lines, oldest first", run: (given) => audit("export", given) },
];

function list(name: string, about: string, argument?: string): CommandSpec {
  return {
    name,
    about,
    ...(argument !== undefined && { arguments: [{ name: "name", about: argument }] }),
    options: { json: JSON_OPTION },
    run: async ({ arguments: [subject], options }) => {
      const { runList } = await import("./commands/lists.ts");
      return runList(name, { subject, json: options.json === true });
    },
  };
}

async function audit(verb: string, given: Given): Promise<number> {
  const { runAudit } = await import("./commands/audit.ts");
  return runAudit(verb, { ...given.options, call: given.arguments[0] });
}
