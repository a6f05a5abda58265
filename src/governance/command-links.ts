// Where the paths of a command really lead on this disk, and whether something lies there.
import { lstatSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { canonicalPath } from "./canonical-path.ts";
import { globSource } from "./shell-glob.ts";

/** Symbolic links that the command itself makes: from the path of the link to what it says. */
export type MadeLinks = ReadonlyMap<string, string>;

/** How a path is followed. */
export interface Following {
  /** Also the last part when it is a link; otherwise only when a slash or a dot stands behind it. */
  readonly followsLast: boolean;
  readonly links: MadeLinks;
}

const MAX_PARTS = 64;
const MAX_MATCHES = 32;
const MAX_MADE = 8;

/** More look-ups on disk than this are not made for one command. */
const MAX_LOOKUPS = 10_000;

export class TooManyLookups extends Error {}

const remembered = new WeakMap<MadeLinks, Map<string, string>>();

/** From now on, a path is looked up once, for as long as these links are asked with. Too many throw {@link TooManyLookups}. */
export function rememberLookups(links: MadeLinks): void {
  remembered.set(links, new Map());
}

/** Every place that an absolute path may lead to; patterns in it stand for what they match on disk, and themselves. */
export function realPaths(path: string, { followsLast, links }: Following): readonly string[] {
  const written = path.split("/");
  const followsAll = followsLast || /\/\.?$/.test(path);
  const parts = written.filter((part) => part !== "" && part !== ".");
  if (parts.length > MAX_PARTS) return [path];
  let places: readonly string[] = ["/"];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    if (part === "..") places = places.map((place) => posix.dirname(place));
    else {
      const named = places.flatMap((place) => namesIn(place, part, links)).slice(0, MAX_MATCHES);
      places = isLast && !followsAll ? named : named.map((place) => follow(place, links));
    }
  }
  return [...new Set(places)];
}

/** Whether something lies there, be it a broken link. */
export function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The names in a directory that a pattern matches, as far as it can be read. */
export function matchesIn(directory: string, pattern: string): string[] {
  const source = globSource(pattern, true);
  if (source === undefined) return [];
  const matcher = new RegExp(`^${source}$`);
  try {
    return readdirSync(directory).filter((name) => matcher.test(name));
  } catch {
    return [];
  }
}

function namesIn(directory: string, part: string, links: MadeLinks): string[] {
  const own = posix.join(directory, part);
  if (!/[*?[]/.test(part) || /^[*?.]+$/.test(part)) return [own];
  remembered.get(links)?.set(`${own}\0`, "");
  return [own, ...matchesIn(directory, part).map((name) => posix.join(directory, name))];
}

function follow(path: string, links: MadeLinks): string {
  const before = remembered.get(links);
  const answer = before?.get(path) ?? lookUp(path, links);
  before?.set(path, answer);
  if (before && before.size > MAX_LOOKUPS) throw new TooManyLookups();
  return answer;
}

function lookUp(path: string, links: MadeLinks): string {
  let current = path;
  for (let count = 0; count < MAX_MADE; count++) {
    const target = links.get(current);
    if (target === undefined) break;
    current = posix.resolve(posix.dirname(current), target);
  }
  try {
    return canonicalPath(current);
  } catch {
    return current;
  }
}
