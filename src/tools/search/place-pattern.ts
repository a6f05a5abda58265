import { isAbsolute, join, resolve } from "node:path";
import { partsOf } from "./glob-matcher.ts";

export interface PlacedPattern {
  /** Absolute: the folder that the pattern is relative to. */
  readonly root: string;
  readonly pattern: string;
}

const WILDCARD = /[*?[{\\]|[+@!]\(/;

/**
 * Splits a pattern that leaves `path` (absolute, `~/`, leading `..`) into the folder it begins in and the rest, so that
 * the folder can be judged before anything is read. Any other pattern stays in `path`.
 */
export function placePattern(pattern: string, path: string, userHome: string): PlacedPattern {
  const expanded = pattern.startsWith("~/") ? join(userHome, pattern.slice(2)) : pattern;
  if (!isAbsolute(expanded) && !literalParts(expanded).includes("..")) return { root: path, pattern };
  // Brackets in the path itself are literal.
  if (expanded.startsWith(`${path}/`)) return { root: path, pattern: expanded.slice(path.length + 1) };
  const parts = partsOf(expanded);
  const literal = literalParts(expanded);
  const base = isAbsolute(expanded) ? `/${literal.join("/")}` : literal.join("/");
  return { root: resolve(path, base), pattern: parts.slice(literal.length).join("/") || "*" };
}

/** The folders that the pattern names before its first wildcard. */
function literalParts(pattern: string): string[] {
  const parts = partsOf(pattern);
  const end = parts.findIndex((part, index) => WILDCARD.test(part) || (index === parts.length - 1 && part !== ".."));
  return end < 0 ? parts : parts.slice(0, end);
}
