// Places whose loss nobody recovers from by working on: the system, homes, what the workspace lies in.
import { posix } from "node:path";
import { type MadeLinks, exists, matchesIn, realPaths } from "./command-links.ts";
import { globSource } from "./shell-glob.ts";
import type { PossibleTexts, ShellWord } from "./shell-value.ts";

/** What is protected besides the system itself. Absolute paths. */
export interface ProtectedPlaces {
  readonly home: string;
  readonly workspaceRoot: string;
  /** Links that the command makes before it uses them. */
  readonly links?: MadeLinks;
}

/** How a program uses the paths it is given. */
export interface PathUse {
  readonly directories: PossibleTexts;
  /** A link that is named goes for what it leads to. */
  readonly followsLast?: boolean;
}

/** A protected place that a word names, or whose whole contents it names. */
export interface Place {
  readonly kind: "root" | "system" | "temporary" | "home" | "workspace";
  /** For a person: "the home directory (/home/ann)". */
  readonly label: string;
}

const SYSTEM_DIRECTORIES = new Set(
  (
    "bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys usr var " +
    "Applications Library Network System Users Volumes private cores nix snap"
  ).split(" "),
);
const DEEP_DIRECTORIES = (
  "/usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/lib64 /usr/libexec /usr/local /usr/share /usr/include /usr/src " +
  "/var/lib /var/log /var/spool /var/www /etc/ssl /etc/ssh /etc/systemd /etc/pam.d /lib/modules /lib/systemd " +
  "/System/Library /Library/System /private/etc /private/var /nix/store"
).split(" ");
const TEMPORARY = new Set(["/tmp", "/var/tmp", "/private/tmp", "/dev/shm"]);
/** `*`, `.*`, `.[!.]*`, `??*`: everything in a directory, or nearly so. */
const WHOLE_CONTENTS = /^(?:\.?[*?]+|\.\[[!^]\.\][*?]*|\{.*\}|\[[!^]?.\][*?]+|[*?.]+)$/;

const NO_LINKS: MadeLinks = new Map();
const real = new WeakMap<ProtectedPlaces, ProtectedPlaces>();

/** The first protected place that a word may name or lead to, seen from any directory it may be used in. */
export function placeOf(word: ShellWord, use: PathUse, places: ProtectedPlaces): Place | undefined {
  if (word.value === undefined) return placeIfEmpty(word);
  if (word.value === "") return undefined;
  for (const directory of word.value.startsWith("/") ? ["/"] : use.directories) {
    if (directory === undefined) continue;
    const written = `${directory}/${word.value}`;
    const place =
      placeAt(canonical(posix.resolve(directory, word.value)), places) ??
      placeBehind(written, use.followsLast === true, places);
    if (place) return place;
  }
  return undefined;
}

/** The place that a path leads to by symbolic links. */
function placeBehind(path: string, followsLast: boolean, places: ProtectedPlaces): Place | undefined {
  const following = { followsLast, links: places.links ?? NO_LINKS };
  for (const leadsTo of realPaths(path, following)) {
    const place = placeAt(canonical(leadsTo), realPlaces(places));
    if (place) return place;
  }
  return undefined;
}

function realPlaces(places: ProtectedPlaces): ProtectedPlaces {
  const known = real.get(places);
  if (known) return known;
  const [home, workspaceRoot] = [places.home, places.workspaceRoot].map(
    (path) => realPaths(path, { followsLast: true, links: NO_LINKS })[0] ?? path,
  );
  const followed = { ...places, home: home!, workspaceRoot: workspaceRoot! };
  real.set(places, followed);
  return followed;
}

/** `"$X"/*` is `/*` when X comes out empty. More than one unknown part hardly ever does. */
function placeIfEmpty({ valueIfEmpty, template, raw }: ShellWord): Place | undefined {
  if (!valueIfEmpty?.startsWith("/") || template.split("\ue000").length > 2) return undefined;
  const parts = partsOf(canonical(posix.normalize(valueIfEmpty)));
  if (parts.length > 1 || (parts[0] !== undefined && !WHOLE_CONTENTS.test(parts[0]))) return undefined;
  return { kind: "root", label: `the root directory, if what is unknown in ${raw} comes out empty` };
}

/** `/proc/self/root` leads back to the root. */
function canonical(path: string): string {
  return posix.resolve("/", path.replace(/^\/+(?:proc\/[^/]+\/root(?=\/|$))+/, "/"));
}

function placeAt(path: string, places: ProtectedPlaces): Place | undefined {
  const parts = partsOf(path);
  const last = parts.at(-1);
  const isContents = last !== undefined && WHOLE_CONTENTS.test(last);
  const owner = isContents ? parentOf(path) : path;
  return (
    rootPlace(parts, path) ??
    homePlace(owner, path, places) ??
    workspacePlace(owner, path, { ...places, isContents }) ??
    systemPlace(parts, { path, owner, isContents, places })
  );
}

function rootPlace(parts: readonly string[], path: string): Place | undefined {
  if (parts.every((part) => WHOLE_CONTENTS.test(part))) return { kind: "root", label: `the root directory (${path})` };
  return undefined;
}

function homePlace(owner: string, path: string, { home }: ProtectedPlaces): Place | undefined {
  const isHome = matches(owner, home) || isAncestor(owner, home);
  const isSomeHome = /^\/(?:home|Users)\/[^/]+$/.test(owner) || owner === "/root";
  const isRooted = partsOf(home).length > 0;
  return (isHome && isRooted) || isSomeHome ? { kind: "home", label: `a home directory (${path})` } : undefined;
}

function workspacePlace(
  owner: string,
  path: string,
  { workspaceRoot }: ProtectedPlaces & { readonly isContents: boolean },
): Place | undefined {
  if (!isAncestor(owner, workspaceRoot)) return undefined;
  return { kind: "workspace", label: `a directory that the workspace lies in (${path})` };
}

interface SystemQuestion {
  readonly path: string;
  readonly owner: string;
  readonly isContents: boolean;
  readonly places: ProtectedPlaces;
}

function systemPlace(parts: readonly string[], question: SystemQuestion): Place | undefined {
  const { path, owner, isContents, places } = question;
  const [first = "", second] = parts;
  const system: Place = { kind: "system", label: `a system directory (${path})` };
  if (isContents && owner === places.workspaceRoot) return undefined;
  if (TEMPORARY.has(path)) return { kind: "temporary", label: `the directory for temporary files (${path})` };
  if (TEMPORARY.has(owner)) return undefined;
  if (parts.length === 1) return isInRoot(first) ? system : undefined;
  if (parts.length === 2 && isPattern(first)) return system;
  if (parts.length === 2 && isContents && SYSTEM_DIRECTORIES.has(first)) return system;
  if (first === "usr" && parts.length === 2 && second !== undefined && !isPattern(second)) return system;
  return DEEP_DIRECTORIES.some((directory) => matches(owner, directory)) ? system : undefined;
}

/** Well-known, or there on this machine. */
function isInRoot(name: string): boolean {
  if (!isPattern(name)) return SYSTEM_DIRECTORIES.has(name) || exists(`/${name}`);
  return matchesIn("/", name).length > 0 || [...SYSTEM_DIRECTORIES].some((known) => matches(name, known));
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function parentOf(path: string): string {
  return posix.dirname(path);
}

function isPattern(text: string): boolean {
  return /[*?[]/.test(text);
}

/** Whether a path, a pattern perhaps, may name `target`. A pattern too costly to try may. */
function matches(path: string, target: string): boolean {
  if (path === target) return true;
  if (!isPattern(path)) return false;
  const source = globSource(path, true);
  return source === undefined || new RegExp(`^${source}$`).test(target);
}

function isAncestor(path: string, descendant: string): boolean {
  for (let above = parentOf(descendant); above !== "/" && above !== "."; above = parentOf(above)) {
    if (matches(path, above)) return true;
  }
  return false;
}
