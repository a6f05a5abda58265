// What there is: tools, commands, the parity table, the doctor's findings.
import { loadConfig } from "../../config/load-config.ts";
import { ToolError } from "../../core/errors.ts";
import { findProgram } from "../../commands/doctor/checks.ts";
import { ALL_COMMANDS } from "../../commands/all-commands.ts";
import { findCommand } from "../../commands/find-command.ts";
import { findRipgrep } from "../../process/find-ripgrep.ts";
import { describeTool } from "../../registry/describe-tool.ts";
import { parityTable } from "../../registry/inventory.ts";
import { ALL_TOOLS } from "../../registry/catalog/all-tools.ts";
import { printJson, printLine, table } from "../print.ts";
import { localUser, withApp } from "../with-app.ts";

export interface ListOptions {
  readonly subject: string | undefined;
  readonly json: boolean;
}

interface Shown {
  readonly text: string;
  readonly data: unknown;
}

type List = (subject: string) => Promise<Shown>;

const LISTS: Readonly<Record<string, List>> = {
  tools: async () => tools(),
  "show-tool": showTool,
  commands: async () => commands(),
  "show-command": async (name) => showCommand(name),
  parity,
};

/** Prints one list; resolves to the exit status. */
export async function runList(name: string, options: ListOptions): Promise<number> {
  if (name === "doctor") return doctor(options.json);
  const list = LISTS[name];
  if (!list) throw new ToolError("internal", `No list is named ${name}`);
  const { text, data } = await list(options.subject ?? "");
  if (options.json) printJson(data);
  else printLine(text);
  return 0;
}

function tools(): Shown {
  const data = ALL_TOOLS.map(({ load: _load, ...row }) => row);
  const rows = ALL_TOOLS.map((row) => [row.name, row.wireNames[0] ?? "", row.access, row.summary]);
  return { text: table([["TOOL", "CALLED", "ACCESS", "WHAT IT DOES"], ...rows]), data };
}

async function showTool(name: string): Promise<Shown> {
  return withApp(async (app) => {
    const row = app.services.registry.find(name);
    return describeTool(row, await app.services.registry.load(row));
  });
}

function commands(): Shown {
  const data = ALL_COMMANDS.map(({ name, aliases, usage, summary }) => ({ name, aliases, usage, summary }));
  return { text: table(data.map((row) => [row.usage, row.summary])), data };
}

function showCommand(name: string): Shown {
  const { load: _load, ...row } = findCommand(ALL_COMMANDS, name);
  return {
    text: `${row.usage}\n${row.summary}${row.aliases.length > 0 ? `\nAlso: ${row.aliases.join(", ")}` : ""}`,
    data: row,
  };
}

async function parity(): Promise<Shown> {
  const config = await loadConfig();
  const onPath = (program: string): string | undefined => findProgram(config, program);
  const ripgrep = await findRipgrep(onPath);
  const rows = parityTable(ALL_TOOLS, (program) => (program === "rg" ? ripgrep : onPath(program)) !== undefined);
  const works = rows.filter((row) => row.status === "works").length;
  const lines = rows.map((row) => [
    row.directory,
    row.tool,
    row.lacks.length > 0 ? `lacks ${row.lacks.join(", ")}` : row.status,
  ]);
  return {
    text: `${table([["DIRECTORY", "TOOL", "HERE"], ...lines])}\n${works} of ${rows.length} work here.`,
    data: rows,
  };
}

/** Exit status 1 when something that everything needs is broken; what is merely missing is no fault. */
async function doctor(json: boolean): Promise<number> {
  const { text, data } = await examine();
  if (json) printJson(data);
  else printLine(text);
  const { checks = [] } = (data ?? {}) as { checks?: { status: string; required: boolean }[] };
  return checks.some((check) => check.required && check.status !== "works") ? 1 : 0;
}

/** Where settings or store keep Pawl from starting, that is the first finding, and the others follow. */
async function examine(): Promise<Shown> {
  try {
    const { runCommand } = await import("../../commands/run-command.ts");
    return await withApp(async (app) => {
      const request = { name: "doctor", prompt: "", cwd: process.cwd(), signal: new AbortController().signal };
      const { text, data } = await runCommand(app.services, request, localUser(app));
      return { text, data };
    });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { machineChecks, presentChecks } = await import("../../commands/doctor/doctor.ts");
    const name = error.code === "invalid_input" ? "settings" : "store";
    const fault = {
      name,
      status: "broken",
      detail: error.message,
      neededFor: "everything",
      howToGet: error.hint,
    } as const;
    const config = await loadConfig({ home: "/nonexistent" });
    return presentChecks([{ ...fault, required: true }, ...(await machineChecks(config))]);
  }
}
