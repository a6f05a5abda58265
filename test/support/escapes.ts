// Ways out of the workspace, for every tool that takes a path.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect } from "vitest";
import type { TestApp } from "./test-app.ts";

export const ESCAPES = [
  "a neighbour by ..",
  "a neighbour by its absolute path",
  "a file URL",
  "a folder whose name begins alike",
  "a link to a file",
  "a link to a folder",
  "a link to a file that does not exist yet",
  "a link over a link",
  "a NUL byte",
  "a file of Pawl's own state",
  "the system's own files",
] as const;
export type Escape = (typeof ESCAPES)[number];

export interface Trap {
  /** The path for the payload. */
  readonly path: string;
  /** Fails when something outside was touched. */
  readonly expectUntouched: () => void;
}

/** Lays a file with the text `secret` outside the workspace, and a way to it. */
export function layTrap(pawl: TestApp, escape: Escape): Trap {
  const outside = join(dirname(pawl.workspace), "outside");
  const alike = `${pawl.workspace}-evil`;
  for (const folder of [outside, alike]) {
    mkdirSync(folder);
    writeFileSync(join(folder, "s.txt"), "secret\n");
  }
  const link = (name: string, target: string): string => {
    symlinkSync(target, join(pawl.workspace, name));
    return join(pawl.workspace, name);
  };
  const ways: Record<Escape, () => string> = {
    "a neighbour by ..": () => relative(pawl.workspace, join(outside, "s.txt")),
    "a neighbour by its absolute path": () => join(outside, "s.txt"),
    "a file URL": () => `file://${join(outside, "s.txt")}`,
    "a folder whose name begins alike": () => join(alike, "s.txt"),
    "a link to a file": () => link("link", join(outside, "s.txt")),
    "a link to a folder": () => join(link("link", outside), "s.txt"),
    "a link to a file that does not exist yet": () => link("link", join(outside, "new.txt")),
    "a link over a link": () => link("second", link("first", "../outside/s.txt")),
    "a NUL byte": () => `${join(outside, "s.txt")}\0.txt`,
    "a file of Pawl's own state": () => join(pawl.home, "config.json"),
    "the system's own files": () => "/etc/hostname",
  };
  const path = ways[escape]();
  return {
    path,
    expectUntouched: () => {
      for (const folder of [outside, alike]) {
        expect(readdirSync(folder)).toEqual(["s.txt"]);
        expect(readFileSync(join(folder, "s.txt"), "utf8")).toBe("secret\n");
      }
      expect(readdirSync(pawl.home)).not.toContain("config.json");
    },
  };
}
