import type { CommandRow } from "./slash-command.ts";

/** Every slash command that works, in the order of the help. */
export const ALL_COMMANDS: readonly CommandRow[] = [
  row("help", "help [NAME]", "What the commands do.", async () => (await import("./help.ts")).helpCommand),
  row(
    "version",
    "version",
    "The version of Pawl, Node and this system.",
    async () => (await import("./version.ts")).versionCommand,
  ),
  row(
    "status",
    "status",
    "This workspace, its session, its rights and its store.",
    async () => (await import("./status.ts")).statusCommand,
  ),
  row(
    "doctor",
    "doctor",
    "What works on this machine, what is missing and how to get it.",
    async () => (await import("./doctor/doctor.ts")).doctorCommand,
    ["checkup"],
  ),
  row(
    "config",
    "config [KEY | KEY=VALUE …]",
    "Show or change the settings.",
    async () => (await import("./config.ts")).configCommand,
    ["settings"],
  ),
  row(
    "permissions",
    "permissions [TOOL]",
    "What may be called here, and why.",
    async () => (await import("./permissions.ts")).permissionsCommand,
    ["allowed-tools"],
  ),
  row(
    "clear",
    "clear",
    "Start the session anew: directory, plan mode and files read are forgotten.",
    async () => (await import("./clear.ts")).clearCommand,
    ["reset", "new"],
  ),
  row(
    "memory",
    "memory [show]",
    "The CLAUDE.md and AGENTS.md files that hold here.",
    async () => (await import("./memory.ts")).memoryCommand,
  ),
  row(
    "session",
    "session [list | show ID | exists ID | fork ID NEW | delete ID]",
    "Look after sessions.",
    async () => (await import("./session.ts")).sessionCommand,
  ),
];

// Four columns of one table read better in a line each than as objects of five.
function row(...[name, usage, summary, load, aliases = []]: Row): CommandRow {
  return { name, usage, summary, load, aliases };
}

type Row = [name: string, usage: string, summary: string, load: CommandRow["load"], aliases?: readonly string[]];
