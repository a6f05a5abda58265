// The one table of error codes, and the error that carries one of them.

/** Exit status of the command line, HTTP status, and whether the same call may be tried again unchanged. */
export interface ErrorKind {
  readonly exitStatus: number;
  readonly httpStatus: number;
  readonly retryable: boolean;
  readonly meaning: string;
}

/** Every code that a result can carry. A released code keeps its meaning for life. */
export const ERROR_CODES = {
  invalid_input: {
    exitStatus: 2,
    httpStatus: 400,
    retryable: false,
    meaning: "The payload does not fit the tool's schema; the message names the field.",
  },
  unknown_tool: {
    exitStatus: 2,
    httpStatus: 404,
    retryable: false,
    meaning: "No tool has this name; the hint has the nearest names.",
  },
  unknown_command: {
    exitStatus: 2,
    httpStatus: 404,
    retryable: false,
    meaning: "No command has this name; the hint has the nearest names.",
  },
  denied: {
    exitStatus: 3,
    httpStatus: 403,
    retryable: false,
    meaning: "A role, a mode, a rule or a check refuses the call. Nothing was run.",
  },
  approval_required: {
    exitStatus: 3,
    httpStatus: 403,
    retryable: false,
    meaning: "Somebody has to say yes first. Nothing was run.",
  },
  not_found: {
    exitStatus: 1,
    httpStatus: 404,
    retryable: false,
    meaning: "The file, session or thing that the call names does not exist.",
  },
  conflict: {
    exitStatus: 1,
    httpStatus: 409,
    retryable: false,
    meaning: "The state is not the one that the call expects. Nothing was changed.",
  },
  command_failed: {
    exitStatus: 1,
    httpStatus: 422,
    retryable: false,
    meaning: "The command ran and ended with a status that means failure, or by a signal.",
  },
  timeout: {
    exitStatus: 4,
    httpStatus: 504,
    retryable: true,
    meaning: "The deadline passed. What was reached is in the result; all processes are ended.",
  },
  cancelled: {
    exitStatus: 130,
    httpStatus: 499,
    retryable: true,
    meaning: "The caller cancelled. What was reached is in the result; all processes are ended.",
  },
  unavailable: {
    exitStatus: 1,
    httpStatus: 503,
    retryable: true,
    meaning: "Something that the call needs is missing on this machine, or does not answer.",
  },
  limit_exceeded: {
    exitStatus: 1,
    httpStatus: 413,
    retryable: false,
    meaning: "The call asks for more than a stated limit allows.",
  },
  integrity_error: {
    exitStatus: 1,
    httpStatus: 500,
    retryable: false,
    meaning: "Stored data is damaged. Nothing was overwritten; the hint says how to restore.",
  },
  io_error: {
    exitStatus: 1,
    httpStatus: 507,
    retryable: true,
    meaning: "The file system refused (full, read-only, no permission). The old file is intact.",
  },
  internal: {
    exitStatus: 70,
    httpStatus: 500,
    retryable: false,
    meaning: "Pawl's own fault. The log has the details under the call id.",
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ToolErrorOptions {
  /** What to do next, as one sentence. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** What the call had reached, for results that fail with something to show. */
  readonly partial?: PartialOutcome;
}

/** Text and data that a failed call still hands over (partial output, exit code). */
export interface PartialOutcome {
  readonly text?: string;
  readonly data?: unknown;
  /** Set when `text` was already limited and the whole lies in this file. */
  readonly spillPath?: string;
  readonly truncated?: boolean;
}

/** Thrown anywhere; turned into a result once, in `runtime/execute-call.ts`. */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly partial: PartialOutcome | undefined;

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    this.code = code;
    this.hint = options.hint ?? "";
    this.partial = options.partial;
  }
}

/** True for an error with a Node system code (`ENOENT`, `EACCES` …). */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === "string";
}

const SYSTEM_ERRORS: Readonly<Record<string, { code: ErrorCode; says: string; hint: string }>> = {
  ENOENT: { code: "not_found", says: "does not exist", hint: "Check the path." },
  ENOTDIR: { code: "not_found", says: "has a part that is not a directory", hint: "Check the path." },
  EISDIR: { code: "invalid_input", says: "is a directory", hint: "Name a file inside it." },
  EACCES: { code: "io_error", says: "is not accessible to this user", hint: "Check its owner and mode." },
  EPERM: { code: "io_error", says: "may not be changed by this user", hint: "Check its owner, mode and attributes." },
  ENOSPC: { code: "io_error", says: "does not fit: the disk is full", hint: "Free some space and call again." },
  EDQUOT: {
    code: "io_error",
    says: "does not fit: the disk quota is used up",
    hint: "Free some space and call again.",
  },
  EFBIG: { code: "io_error", says: "would be larger than the system allows", hint: "Write less." },
  EROFS: { code: "io_error", says: "lies on a read-only file system", hint: "Choose another place." },
  ENAMETOOLONG: { code: "invalid_input", says: "is too long a name", hint: "Choose a shorter one." },
  ELOOP: {
    code: "invalid_input",
    says: "is a chain of symbolic links without an end",
    hint: "Name the target itself.",
  },
  EMFILE: { code: "unavailable", says: "could not be opened: too many open files", hint: "Call again in a moment." },
};

/**
 * Turns a system error about `subject` (a path, as the caller wrote it) into a `ToolError`.
 * Errors that are none are handed back as they are.
 */
export function fromSystemError(error: unknown, subject: string): unknown {
  if (error instanceof ToolError || !isSystemError(error)) return error;
  const known = SYSTEM_ERRORS[error.code ?? ""];
  if (!known)
    return new ToolError("io_error", `${subject}: ${error.code}`, {
      hint: "See the system's error code.",
      cause: error,
    });
  return new ToolError(known.code, `${subject} ${known.says} (${error.code})`, { hint: known.hint, cause: error });
}
