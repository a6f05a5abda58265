import { statSync } from "node:fs";
import { fromSystemError, isSystemError, ToolError } from "../core/errors.ts";

export interface SpawnAttempt {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Says in a `ToolError` why a process could not be started; what is no system error comes back as it is. */
export function spawnProblem(error: unknown, attempt: SpawnAttempt): unknown {
  if (!isSystemError(error)) return error;
  const cause = { cause: error };
  switch (error.code ?? "") {
    case "ENOENT":
    case "ENOTDIR":
    case "EACCES":
    case "ENAMETOOLONG":
    case "ELOOP":
      return workingDirectoryProblem(attempt.cwd) ?? programProblem(error, attempt);
    case "ENOEXEC":
      return programProblem(error, attempt);
    case "E2BIG":
      return new ToolError(
        "limit_exceeded",
        `The arguments of ${attempt.file} are too long: ${sizeOf(attempt)} (E2BIG)`,
        {
          hint: "Write long text to a file first, or hand it over in smaller parts.",
          ...cause,
        },
      );
    case "EAGAIN":
    case "ENOMEM":
    case "EMFILE":
    case "ENFILE":
      return new ToolError(
        "unavailable",
        `${attempt.file} could not be started: the system is out of ${lacking(error.code ?? "")}`,
        {
          hint: "Call again in a moment, or end other processes first.",
          ...cause,
        },
      );
    case "ERR_INVALID_ARG_VALUE":
      return new ToolError(
        "invalid_input",
        `An argument, a variable or the directory for ${attempt.file} has a NUL character`,
        {
          hint: "Leave the NUL character out.",
          ...cause,
        },
      );
    default:
      return new ToolError("unavailable", `${attempt.file} could not be started (${error.code})`, {
        hint: "See the system's error code.",
        ...cause,
      });
  }
}

/** The system blames the program for a missing directory. */
function workingDirectoryProblem(cwd: string): unknown {
  try {
    if (statSync(cwd).isDirectory()) return undefined;
    return new ToolError("not_found", `The working directory ${cwd} is not a directory`, { hint: "Choose another." });
  } catch (error) {
    return fromSystemError(error, `The working directory ${cwd}`);
  }
}

function programProblem(error: NodeJS.ErrnoException, attempt: SpawnAttempt): ToolError {
  const says = error.code === "ENOENT" ? "was not found" : "cannot be executed by this user";
  const hint =
    error.code === "ENOENT"
      ? "Install it, or name another program."
      : "Check its mode, its format and the directory's mode.";
  return new ToolError("unavailable", `The program ${attempt.file} ${says} (${error.code})`, { hint, cause: error });
}

function sizeOf(attempt: SpawnAttempt): string {
  const bytes = attempt.args.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0);
  return `${bytes.toLocaleString("en-US")} bytes besides the environment`;
}

function lacking(code: string): string {
  if (code === "ENOMEM") return "memory (ENOMEM)";
  return code === "EAGAIN" ? "processes (EAGAIN)" : `open files (${code})`;
}
