// Where a path really leads: every symbolic link followed, also one whose target does not exist yet.
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { isSystemError, ToolError } from "../core/errors.ts";

/** Links that one path may lead through; Linux allows as many. */
const MAX_LINKS = 40;

/**
 * The canonical form of an absolute path. Parts that do not exist are kept as they are written, so that the answer
 * for a file to be made is the place where it would be made.
 * Throws `denied` for a NUL byte and for an endless chain of links, `io_error` when a directory cannot be searched.
 */
export function canonicalPath(path: string): string {
  if (path.includes("\0")) throw new ToolError("denied", "The path contains a NUL byte", { hint: "Remove it." });
  if (!isAbsolute(path)) throw new ToolError("internal", "A relative path reached the policy");
  const followed = followLinks(resolve(path));
  return trueCase(followed);
}

function followLinks(path: string): string {
  const root = parse(path).root;
  let pending = partsOf(path.slice(root.length));
  let current = root;
  for (let links = 0; pending.length > 0;) {
    const [part = "", ...rest] = pending;
    pending = rest;
    if (part === "..") {
      current = dirname(current);
      continue;
    }
    const next = join(current, part);
    const target = linkTarget(next);
    if (target === undefined) {
      current = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new ToolError("denied", `${path} is a chain of symbolic links without an end`);
    if (isAbsolute(target)) current = parse(target).root;
    pending = [...partsOf(target), ...pending];
  }
  return current;
}

function partsOf(path: string): string[] {
  return path.split(sep === "\\" ? /[\\/]+/ : /\/+/).filter((part) => part !== "" && part !== ".");
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch (error) {
    if (isSystemError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    if (isSystemError(error) && error.code === "ENAMETOOLONG") {
      throw new ToolError("invalid_input", "A part of the path is too long a name", {
        hint: "Choose a shorter one.",
        cause: error,
      });
    }
    throw new ToolError("io_error", `${path} cannot be looked up (${isSystemError(error) ? error.code : "unknown"})`, {
      hint: "Check the owner and mode of its directories.",
      cause: error,
    });
  }
}

/** On file systems that ignore case, the spelling on disk of the part that exists. */
function trueCase(path: string): string {
  let existing = path;
  let rest = "";
  for (;;) {
    try {
      return join(realpathSync.native(existing), rest);
    } catch {
      const parent = dirname(existing);
      if (parent === existing) return path;
      rest = join(existing.slice(parent.length).replace(/^[\\/]+/, ""), rest);
      existing = parent;
    }
  }
}
