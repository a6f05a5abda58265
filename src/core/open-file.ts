import type { BigIntStats } from "node:fs";
import { constants, type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { fromSystemError, isSystemError, ToolError } from "./errors.ts";
import { findSimilarNames } from "./similar-names.ts";

/** A path twice: canonical and authorized for the system, and as the caller wrote it for messages. */
export interface FilePath {
  readonly path: string;
  readonly shown: string;
}

export interface OpenFile {
  readonly handle: FileHandle;
  readonly stat: BigIntStats;
}

/**
 * Opens a regular file for reading and makes sure that it is the one at the canonical path. Never hangs: what is no
 * regular file is refused at once. The caller owns the handle and closes it.
 * Throws `not_found` (with the nearest names), `invalid_input` (a folder, pipe, socket, device), `denied` (the path was
 * swapped for a link on the way; fails closed) or `io_error`.
 */
export async function openForReading(file: FilePath): Promise<OpenFile> {
  try {
    refuseSpecial(await lstat(file.path, { bigint: true }), file);
    const handle = await open(file.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = await handle.stat({ bigint: true });
      refuseSpecial(stat, file);
      await verifySamePlace(handle, stat, file);
      return { handle, stat };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw await explainFailure(error, file);
  }
}

/** Opens a regular file, hands it to `use`, and closes it in every case. */
export async function withOpenFile<Value>(file: FilePath, use: (open: OpenFile) => Promise<Value>): Promise<Value> {
  const opened = await openForReading(file);
  try {
    return await use(opened);
  } catch (error) {
    throw fromSystemError(error, file.shown);
  } finally {
    await opened.handle.close();
  }
}

/** The error for a missing file: with the names in its folder that may have been meant. */
export async function missingFile(file: FilePath, cause?: unknown): Promise<ToolError> {
  const { lookAlikes, near } = await findSimilarNames(file.path);
  const folder = dirname(file.shown);
  const list = (names: readonly string[]) => names.map((name) => visibleName(join(folder, name))).join(", ");
  const hints = [
    lookAlikes.length > 0 ? `A name that looks alike but is written otherwise exists: ${list(lookAlikes)}.` : "",
    near.length > 0 ? `Nearest names: ${list(near)}.` : "",
  ].filter((hint) => hint !== "");
  const hint = hints.length > 0 ? hints.join(" ") : await missingFolderHint(file);
  return new ToolError("not_found", `${file.shown} does not exist.`, { hint, cause });
}

function refuseSpecial(stat: BigIntStats, { shown }: FilePath): void {
  if (stat.isFile()) return;
  const [says, hint] = specialKind(stat);
  if (stat.isSymbolicLink()) throw swapped(shown);
  throw new ToolError("invalid_input", `${shown} is ${says}, not a file.`, { hint });
}

function specialKind(stat: BigIntStats): readonly [says: string, hint: string] {
  if (stat.isDirectory()) return ["a directory", "Name a file inside it; GlobTool lists its files."];
  if (stat.isFIFO()) return ["a named pipe", "Reading it could wait forever; use BashTool with a timeout."];
  if (stat.isSocket()) return ["a socket", "Talk to it with a client program through BashTool."];
  return ["a device", "Read devices through BashTool, with a limit such as `head -c 100`."];
}

/** On Linux the system itself says where an open file lies; elsewhere the path is looked up once more. */
async function verifySamePlace(handle: FileHandle, stat: BigIntStats, { path, shown }: FilePath): Promise<void> {
  const place =
    process.platform === "linux" ? await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined) : undefined;
  if (place === undefined) {
    const again = await lstat(path, { bigint: true });
    if (again.ino === stat.ino && again.dev === stat.dev) return;
    throw swapped(shown);
  }
  if (place === path) return;
  // A file that was replaced or removed since it was opened is still the one that lay there.
  const removed = place === `${path} (deleted)` && (await handle.stat({ bigint: true })).nlink === 0n;
  if (!removed) throw swapped(shown);
}

function swapped(shown: string): ToolError {
  return new ToolError("denied", `${shown} was replaced by a link, or moved, while it was opened.`, {
    hint: "Look at what changes this folder, then call again.",
  });
}

async function explainFailure(error: unknown, file: FilePath): Promise<unknown> {
  if (!isSystemError(error)) return error;
  if (error.code === "ENOENT") return missingFile(file, error);
  if (error.code === "ELOOP") return swapped(file.shown);
  if (error.code === "ERR_INVALID_ARG_VALUE") {
    return new ToolError("invalid_input", `${JSON.stringify(file.shown)} is no path: it holds a NUL character.`, {
      cause: error,
    });
  }
  return fromSystemError(error, file.shown);
}

async function missingFolderHint(file: FilePath): Promise<string> {
  const folder = { path: dirname(file.path), shown: dirname(file.shown) };
  const exists = await lstat(folder.path).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
  if (exists) return `No name in ${folder.shown} is like ${basename(file.shown)}; GlobTool finds files by pattern.`;
  const { lookAlikes, near } = await findSimilarNames(folder.path);
  const names = [...lookAlikes, ...near].map((name) => visibleName(join(dirname(folder.shown), name)));
  const nearest = names.length > 0 ? ` Nearest names: ${names.join(", ")}.` : "";
  return `Its folder ${folder.shown} does not exist either.${nearest}`;
}

/** A name, followed by its spelling with escapes when it has characters that look like others. */
function visibleName(name: string): string {
  const spelled = name.replaceAll(/(?! )[\s\p{M}\p{Cf}\u2018-\u201f]/gu, (character) => {
    return `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
  return spelled === name ? name : `${name} (${spelled})`;
}
