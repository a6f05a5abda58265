// What is looked at on this machine: a program that is run, or a thing that is tried.
import type { Config } from "../../config/config-schema.ts";
import { findBinary } from "../../process/find-binary.ts";
import { runProcess } from "../../process/run-process.ts";

export interface Check {
  readonly name: string;
  readonly status: "works" | "missing" | "broken";
  readonly detail: string;
  /** What does not work without it. */
  readonly neededFor: string;
  /** Nothing works well without it. */
  readonly required?: true;
  /** How to get it on this system; empty when it works. */
  readonly howToGet: string;
}

export interface ProgramCheck {
  readonly name: string;
  /** Any of these will do; the first found is asked. */
  readonly programs: readonly string[];
  readonly versionArguments: readonly string[];
  readonly neededFor: string;
  readonly debian: string;
  readonly mac: string;
  readonly windows: string;
}

const PROBE_LIMIT_MS = 10_000;

/** Runs the program for its version: found, but not running, is broken. */
export async function checkProgram(config: Config, check: ProgramCheck): Promise<Check> {
  const path = check.programs.map((program) => findProgram(config, program)).find((found) => found !== undefined);
  const howToGet = installLine(check);
  if (!path)
    return {
      name: check.name,
      status: "missing",
      detail: `${check.programs.join(" or ")} not found`,
      neededFor: check.neededFor,
      howToGet,
    };
  const probe = await runProbe(config, [path, ...check.versionArguments]);
  if (probe.ok)
    return {
      name: check.name,
      status: "works",
      detail: `${probe.line} (${path})`,
      neededFor: check.neededFor,
      howToGet: "",
    };
  return { name: check.name, status: "broken", detail: `${path}: ${probe.line}`, neededFor: check.neededFor, howToGet };
}

export function findProgram(config: Config, program: string): string | undefined {
  const { PATH = "", PATHEXT } = config.environment;
  return findBinary(program, { path: PATH, ...(PATHEXT !== undefined && { pathExt: PATHEXT }) });
}

/** Runs a command line for its exit status and its first line; never throws. */
export async function runProbe(
  config: Config,
  [file = "", ...args]: readonly string[],
): Promise<{ ok: boolean; line: string }> {
  try {
    const environment = Object.entries(config.environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const ran = await runProcess({
      file,
      args,
      cwd: config.userHome,
      env: Object.fromEntries(environment),
      signal: AbortSignal.timeout(PROBE_LIMIT_MS),
    });
    const line = ran.output.text.trim().split("\n")[0]?.slice(0, 120) ?? "";
    return { ok: ran.exitCode === 0, line: line || (ran.aborted ? "no answer" : `exit code ${ran.exitCode}`) };
  } catch (error) {
    return { ok: false, line: error instanceof Error ? error.message : String(error) };
  }
}

function installLine(check: ProgramCheck): string {
  if (process.platform === "darwin") return check.mac;
  return process.platform === "win32" ? check.windows : check.debian;
}
