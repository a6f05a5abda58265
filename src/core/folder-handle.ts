import { existsSync } from "node:fs";
import { constants, type FileHandle, lstat, mkdir, open, readlink, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { makeDirectory } from "./make-directory.ts";
import { fromSystemError, isSystemError, ToolError } from "./errors.ts";

/** An open folder. Names in it stay names in this very folder, also when somebody moves or swaps its path meanwhile. */
export interface FolderHandle {
  /** A path for the system that leads to a name in the folder; `.` for the folder itself. */
  at(name: string): string;
  /** Makes what happened to the folder's names safe from a power failure. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface MadeFolder {
  /** The caller closes it. */
  readonly folder: FolderHandle;
  /** Removes again the folders that were made, as far as they are empty. */
  readonly undo: () => Promise<void>;
}

/**
 * Opens the folder at a canonical path. The caller closes it. Throws `denied` when another folder lies there than the path
 * says (a part of it was swapped for a link), and `invalid_input` when it is a file. Where the system has no `/proc`, names are looked up by path instead.
 */
export async function openFolder(path: string, shown: string): Promise<FolderHandle> {
  if (process.platform === "win32") return folderByPath(path);
  const handle = await openDirectory(path, shown);
  const place =
    process.platform === "linux" ? await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined) : undefined;
  if (place !== undefined && place !== path) {
    await handle.close();
    throw swapped(shown);
  }
  const base = place === undefined ? path : `/proc/self/fd/${handle.fd}`;
  return { at: (name) => join(base, name), sync: () => syncFolder(handle), close: () => handle.close() };
}

/**
 * Opens the folder at a canonical path, and makes it and its parents first where they are missing. On Linux each is made
 * in its parent as it was opened and verified, so that nothing is made elsewhere when a part is swapped for a link.
 * Throws `denied` then, `invalid_input` when a parent is a file, and what making a folder fails with.
 */
export async function makeFolder(path: string, shown: string): Promise<MadeFolder> {
  const made: string[] = [];
  const undo = () => removeFolders(made);
  try {
    if (process.platform === "linux" && existsSync("/proc/self/fd")) {
      return { folder: await openOrMake({ path, shown }, made), undo };
    }
    const first = makeDirectory(path, 0o777);
    if (first !== undefined) made.push(...foldersBetween(first, path));
    return { folder: await openFolder(path, shown), undo };
  } catch (error) {
    await undo();
    const isInTheWay = isSystemError(error) && (error.code === "ENOTDIR" || error.code === "EEXIST");
    throw isInTheWay ? await notAFolder(error, { path, shown }) : fromSystemError(error, shown);
  }
}

interface Place {
  readonly path: string;
  readonly shown: string;
}

/** The nearest folder that is there is opened, then each missing one is made in the one before. */
async function openOrMake(place: Place, made: string[]): Promise<FolderHandle> {
  const missing: Place[] = [];
  let folder = await openIfThere(place);
  for (let above = place; folder === undefined;) {
    missing.push(above);
    above = { path: dirname(above.path), shown: dirname(above.shown) };
    folder = await openIfThere(above);
  }
  for (const { path, shown } of missing.toReversed()) {
    const parent = folder;
    try {
      if (await makeIn(parent, basename(path))) made.push(path);
      folder = await openFolder(path, shown);
    } finally {
      await parent.close();
    }
  }
  return folder;
}

async function openIfThere({ path, shown }: Place): Promise<FolderHandle | undefined> {
  try {
    return await openFolder(path, shown);
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT" && dirname(path) !== path) return undefined;
    throw error;
  }
}

/** False when somebody else has made it meanwhile. */
async function makeIn(parent: FolderHandle, name: string): Promise<boolean> {
  try {
    await mkdir(parent.at(name), 0o777);
    return true;
  } catch (error) {
    if (isSystemError(error) && error.code === "EEXIST") return false;
    throw error;
  }
}

async function openDirectory(path: string, shown: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const isNoFolder = isSystemError(error) && (error.code === "ELOOP" || error.code === "ENOTDIR");
    throw isNoFolder ? await notAFolder(error, { path, shown }) : error;
  }
}

/** Windows opens no folders, and syncs them by itself. */
function folderByPath(path: string): FolderHandle {
  return { at: (name) => join(path, name), sync: () => Promise.resolve(), close: () => Promise.resolve() };
}

/** Says what lies where a folder should: a file, or what took the folder's place a moment ago. */
async function notAFolder(cause: unknown, { path, shown }: Place): Promise<ToolError> {
  for (let [real, written] = [path, shown]; ; [real, written] = [dirname(real), dirname(written)]) {
    const stat = await lstat(real).catch(() => undefined);
    if (!stat && dirname(real) !== real) continue;
    if (!stat || stat.isDirectory() || stat.isSymbolicLink()) return swapped(shown, cause);
    return new ToolError("invalid_input", `${written} is a file, so nothing can lie in it.`, {
      hint: "Choose another place, or move that file away first.",
      cause,
    });
  }
}

function swapped(shown: string, cause?: unknown): ToolError {
  return new ToolError("denied", `The folder ${shown} was replaced by a link, or moved, while it was opened.`, {
    hint: "Look at what changes this folder, then call again.",
    cause,
  });
}

function foldersBetween(first: string, last: string): string[] {
  const folders: string[] = [];
  for (let folder = last; folder.length >= first.length; folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

/** From the last made on, as far as they are empty and still where they were made. */
async function removeFolders(made: readonly string[]): Promise<void> {
  try {
    for (const path of made.toReversed()) {
      const parent = await openFolder(dirname(path), dirname(path));
      try {
        await rmdir(parent.at(basename(path)));
      } finally {
        await parent.close();
      }
    }
  } catch {
    return;
  }
}

// Some file systems cannot sync a folder, and have nothing to sync then.
async function syncFolder(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    if (!isSystemError(error) || !["EINVAL", "ENOTSUP", "EBADF"].includes(error.code ?? "")) throw error;
  }
}
