// Which directory a call belongs to, and the state of the repository there.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fromSystemError, ToolError } from "../core/errors.ts";
import type { RepositoryState } from "../tools/base-tool.ts";

export interface Workspace {
  /** Canonical: the root of the repository around `start`, or `start` itself. */
  readonly root: string;
  /** Canonical: where the caller stands. */
  readonly start: string;
}

/** Throws `not_found` or `invalid_input` when `directory` is none. */
export function findWorkspace(directory: string): Workspace {
  const start = canonicalDirectory(directory);
  for (let current = start; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return { root: current, start };
    if (dirname(current) === current) return { root: start, start };
  }
}

/** Read anew at each call: branches change under us. */
export function repositoryState(root: string): RepositoryState | undefined {
  const head = readHead(root);
  if (head === undefined) return undefined;
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head.trim())?.[1];
  return { root, ...(branch !== undefined && { branch }) };
}

function canonicalDirectory(directory: string): string {
  if (directory.includes("\0")) throw new ToolError("invalid_input", "The working directory contains a NUL byte");
  try {
    const canonical = realpathSync.native(resolve(directory));
    if (statSync(canonical).isDirectory()) return canonical;
  } catch (error) {
    throw fromSystemError(error, `The working directory ${directory}`);
  }
  throw new ToolError("invalid_input", `The working directory ${directory} is not a directory`);
}

/** The text of HEAD; in a linked worktree `.git` is a file that names the directory (gitrepository-layout(5)). */
function readHead(root: string): string | undefined {
  const git = join(root, ".git");
  try {
    if (statSync(git).isDirectory()) return readFileSync(join(git, "HEAD"), "utf8");
    const linked = /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8"))?.[1];
    return linked ? readFileSync(join(resolve(root, linked), "HEAD"), "utf8") : undefined;
  } catch {
    return undefined;
  }
}
