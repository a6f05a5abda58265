import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import { fromSystemError, ToolError } from "../../core/errors.ts";

/** A directory that is open: a path through its descriptor leads to it also when its own path is swapped meanwhile. */
export interface PinnedDirectory {
  readonly path: string;
  close(): void;
}

/**
 * Opens the directory at a canonical path for a process to start in. Throws `denied` when another one lies there by now.
 * Where the system has no `/proc`, the path itself has to do. Its owner calls `close`.
 */
export function pinDirectory(canonical: string): PinnedDirectory {
  if (process.platform !== "linux") return { path: canonical, close: () => {} };
  const descriptor = open(canonical);
  const path = `/proc/self/fd/${descriptor}`;
  const place = placeOf(path);
  if (place === undefined || place === canonical) {
    return { path: place === undefined ? canonical : path, close: () => closeSync(descriptor) };
  }
  closeSync(descriptor);
  throw new ToolError("denied", `${canonical} was replaced by something else meanwhile`, {
    hint: "Look again, and call again.",
  });
}

function open(canonical: string): number {
  try {
    return openSync(canonical, constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    throw fromSystemError(error, canonical);
  }
}

function placeOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
