import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError } from "./errors.ts";

/**
 * Makes a directory and those above it, and returns the first that was made; undefined when all were there. The mode is
 * lessened by the umask; by default they are for this user alone. Throws the system's error.
 *
 * (Node's own `recursive` never ends where a file system, such as /proc, says of every new name that it does not exist.)
 */
export function makeDirectory(path: string, mode = 0o700): string | undefined {
  try {
    return make(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if (!isSystemError(error) || error.code !== "ENOENT" || parent === path) throw error;
    const first = makeDirectory(parent, mode);
    const made = make(path, mode);
    return first ?? made;
  }
}

/** A directory that is there already is left as it is. */
function make(path: string, mode: number): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    if (isSystemError(error) && error.code === "EEXIST" && statSync(path).isDirectory()) return undefined;
    throw error;
  }
}
