// Which files a call may touch, by canonical path.
import { relative, isAbsolute, sep } from "node:path";
import { ToolError } from "../core/errors.ts";
import type { AuthorizedPath } from "../tools/base-tool.ts";
import { canonicalPath } from "./canonical-path.ts";

export interface PathRoots {
  /** Canonical. */
  readonly workspaceRoot: string;
  /** Canonical directories outside the workspace that may be read and written too. */
  readonly additional: readonly string[];
  /** Canonical directories that may be read only, such as the one of spilled output. */
  readonly readable: readonly string[];
  /** Canonical directories that no tool touches wherever they lie: Pawl's own state. */
  readonly forbidden: readonly string[];
}

export class PathPolicy {
  readonly #findRoots: () => PathRoots;
  #found: PathRoots | undefined;

  /** The roots are looked up on the first question; a call that touches no path never asks. */
  constructor(findRoots: () => PathRoots) {
    this.#findRoots = findRoots;
  }

  /** The allowed form of an absolute path. Throws `denied`, also when the check itself fails. */
  authorize(path: string, access: "read" | "write"): AuthorizedPath {
    const canonical = canonicalPath(path);
    const display = this.#display(canonical);
    if (access === "read" && this.#roots.readable.some((root) => isWithin(root, canonical)))
      return { canonical, display: canonical };
    if (this.#roots.forbidden.some((root) => isWithin(root, canonical))) {
      throw new ToolError("denied", `${path} belongs to Pawl itself`, {
        hint: "Use Pawl's own commands to look at or change it.",
      });
    }
    if (this.#allowedRoots().some((root) => isWithin(root, canonical))) return { canonical, display };
    const leads = canonical === path ? "" : ` leads to ${canonical}, which`;
    throw new ToolError("denied", `${path}${leads} is outside the workspace ${this.#roots.workspaceRoot}`, {
      hint: "Start Pawl in that directory, or add it to workspace.additional_directories in config.json.",
    });
  }

  allows(path: string, access: "read" | "write"): boolean {
    try {
      this.authorize(path, access);
      return true;
    } catch {
      return false;
    }
  }

  get #roots(): PathRoots {
    this.#found ??= this.#findRoots();
    return this.#found;
  }

  #allowedRoots(): readonly string[] {
    return [this.#roots.workspaceRoot, ...this.#roots.additional];
  }

  #display(canonical: string): string {
    if (!isWithin(this.#roots.workspaceRoot, canonical)) return canonical;
    return relative(this.#roots.workspaceRoot, canonical) || ".";
  }
}

/** True when `path` is `root` or lies below it; both canonical. A name that only begins alike is outside. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
