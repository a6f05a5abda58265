import { ToolError } from "../core/errors.ts";

// Primary result codes of SQLite (https://www.sqlite.org/rescode.html).
const BUSY = 5;
const READONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** What SQLite or the file system says about the store at `path`, as a `ToolError` with the way out. */
export function asStoreError(error: unknown, path: string): unknown {
  if (error instanceof ToolError) return error.code === "integrity_error" ? damaged(error.message, path, error) : error;
  const code = sqliteCode(error);
  if (code === undefined)
    return missingTable(error) ? damaged(`The store ${path} lacks its tables`, path, error) : error;
  switch (code) {
    case CORRUPT:
    case NOT_A_DATABASE:
      return damaged(`The store ${path} is damaged`, path, error);
    case BUSY:
      return new ToolError("unavailable", `The store ${path} is busy`, {
        hint: "Other calls hold it; call again.",
        cause: error,
      });
    case FULL:
      return new ToolError("io_error", `The store ${path} cannot grow: the disk is full`, {
        hint: "Free some space.",
        cause: error,
      });
    case READONLY:
    case CANNOT_OPEN:
      return new ToolError("io_error", `The store ${path} cannot be written`, {
        hint: "Check the owner and mode of PAWL_HOME, or set PAWL_HOME to a folder of yours.",
        cause: error,
      });
    case IO_ERROR:
      return new ToolError("io_error", `The disk under the store ${path} is full or failing`, {
        hint: "Free some space, or check the disk.",
        cause: error,
      });
    default:
      return missingTable(error) ? damaged(`The store ${path} lacks its tables`, path, error) : error;
  }
}

function damaged(message: string, path: string, cause: unknown): ToolError {
  const hint = path.endsWith("locks.sqlite")
    ? `It holds nothing but a lock: remove ${path} and call again.`
    : `Nothing was changed. To restore a copy, put it in place of ${path} and remove the -wal and -shm files beside it. ` +
      "To start anew, move all three aside; what is in them stays for a later look.";
  return new ToolError("integrity_error", message, { hint, cause });
}

/** The primary result code of an error of SQLite; undefined for any other. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode & 0xff;
}

function missingTable(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("no such table");
}
