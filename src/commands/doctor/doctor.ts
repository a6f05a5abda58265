import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { sql } from "kysely";
import { findRipgrep } from "../../process/find-ripgrep.ts";
import type { Config } from "../../config/config-schema.ts";
import type { CallServices } from "../../runtime/call-types.ts";
import type { CommandOutput, SlashCommand } from "../slash-command.ts";
import { type Check, checkProgram, findProgram, runProbe } from "./checks.ts";
import { PROGRAMS } from "./programs.ts";

const MARKS: Readonly<Record<Check["status"], string>> = { works: "✓", missing: "–", broken: "✗" };
const LOW_SPACE_BYTES = 100 * 1024 * 1024;

export const doctorCommand: SlashCommand = {
  run: async (_prompt, { services }) => {
    const checks = await allChecks(services);
    return presentChecks(checks);
  },
};

/** The checks for a terminal and for a program. */
export function presentChecks(checks: readonly Check[]): CommandOutput {
  const width = Math.max(...checks.map((check) => check.name.length));
  const lines = checks.map((check) => {
    const line = `${MARKS[check.status]} ${check.name.padEnd(width)}  ${check.detail}`;
    return check.howToGet === ""
      ? line
      : `${line}\n  ${" ".repeat(width)}  for ${check.neededFor}; get it: ${check.howToGet}`;
  });
  const data = checks.map(({ name, status, detail, neededFor, howToGet, required = false }) => ({
    required,
    name,
    status,
    detail,
    needed_for: neededFor,
    how_to_get: howToGet,
  }));
  return { text: lines.join("\n"), data: { checks: data } };
}

async function allChecks(services: CallServices): Promise<Check[]> {
  const own = [await storeCheck(services), spaceCheck(services)].map((check) => ({
    ...check,
    required: true as const,
  }));
  return [...own, ...(await machineChecks(services.config))];
}

/** What can be looked at without a store. */
export async function machineChecks(config: Config): Promise<Check[]> {
  const programs = await Promise.all(PROGRAMS.map((program) => checkProgram(config, program)));
  return [nodeCheck(), await ripgrepCheck(config), terminalCheck(), await sandboxCheck(config), ...programs];
}

function nodeCheck(): Check {
  return {
    required: true,
    name: "Node.js",
    status: "works",
    detail: process.versions.node,
    neededFor: "everything",
    howToGet: "",
  };
}

async function storeCheck({ store }: CallServices): Promise<Check> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(store.db);
  const answer = rows[0]?.quick_check ?? "no answer";
  if (answer === "ok")
    return { name: "store", status: "works", detail: store.path, neededFor: "everything", howToGet: "" };
  const howToGet = `put a copy back in place of ${store.path}, or move it aside to start anew`;
  return { name: "store", status: "broken", detail: `${store.path}: ${answer}`, neededFor: "everything", howToGet };
}

function spaceCheck({ config }: CallServices): Check {
  const { bavail, bsize } = statfsSync(config.home);
  const free = bavail * bsize;
  const detail = `${Math.round(free / 1_048_576)} MB free in ${config.home}`;
  const enough = free >= LOW_SPACE_BYTES;
  return {
    name: "disk",
    status: enough ? "works" : "broken",
    detail,
    neededFor: "every call's record",
    howToGet: enough ? "" : "free some space",
  };
}

async function ripgrepCheck(config: Config): Promise<Check> {
  const path = await findRipgrep((name) => findProgram(config, name));
  const howToGet = "npm install @vscode/ripgrep, or your system's ripgrep package";
  const check = { name: "ripgrep", neededFor: "GrepTool and GlobTool" };
  if (!path) return { ...check, status: "missing", detail: "rg not found", howToGet };
  const probe = await runProbe(config, [path, "--version"]);
  if (probe.ok) return { ...check, status: "works", detail: `${probe.line} (${path})`, howToGet: "" };
  return { ...check, status: "broken", detail: `${path}: ${probe.line}`, howToGet };
}

function terminalCheck(): Check {
  const check = { name: "pseudo-terminal", neededFor: "persistent terminals" };
  if (process.platform === "win32") return { ...check, status: "works", detail: "ConPTY", howToGet: "" };
  try {
    accessSync("/dev/ptmx", constants.R_OK | constants.W_OK);
    return { ...check, status: "works", detail: "/dev/ptmx", howToGet: "" };
  } catch {
    const present = existsSync("/dev/ptmx");
    return {
      ...check,
      status: present ? "broken" : "missing",
      detail: "/dev/ptmx cannot be opened",
      howToGet: "mount devpts (mount -t devpts devpts /dev/pts)",
    };
  }
}

/** Not only that the program is there: that it can hold a process in on this machine. */
async function sandboxCheck(config: Config): Promise<Check> {
  const check = { name: "sandbox", neededFor: "holding shell commands in the workspace" };
  if (process.platform === "darwin") {
    const probe = await runProbe(config, [
      "/usr/bin/sandbox-exec",
      "-p",
      "(version 1)(allow default)(deny file-write*)",
      "/usr/bin/true",
    ]);
    return {
      ...check,
      status: probe.ok ? "works" : "broken",
      detail: `Seatbelt: ${probe.ok ? "holds" : probe.line}`,
      howToGet: probe.ok ? "" : "comes with macOS",
    };
  }
  if (process.platform === "win32")
    return { ...check, status: "missing", detail: "none on Windows", howToGet: "run Pawl inside WSL" };
  const bubblewrap = findProgram(config, "bwrap");
  if (!bubblewrap)
    return { ...check, status: "missing", detail: "bwrap not found", howToGet: "apt-get install bubblewrap" };
  const probe = await runProbe(config, [
    bubblewrap,
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--unshare-all",
    "sh",
    "-c",
    "! touch /pawl-probe 2>/dev/null",
  ]);
  const howToGet = probe.ok ? "" : "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)";
  return {
    ...check,
    status: probe.ok ? "works" : "broken",
    detail: probe.ok ? `bubblewrap holds (${bubblewrap})` : `${bubblewrap}: ${probe.line}`,
    howToGet,
  };
}
