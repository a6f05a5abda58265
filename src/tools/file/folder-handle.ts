import { constants, type FileHandle, lstat, open, readlink, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";

import { makeDirectory } from "../../core/make-directory.ts";
import { fromSystemError, isSystemError, ToolError } from "../../core/errors.ts";

/** An open folder. Names in it stay names in this very folder, also when somebody moves or swaps its path meanwhile. */
export interface FolderHandle {
  /** A path for the system that leads to a name in the folder. */
  at(name: string): string;
  /** Makes what happened to the folder's names safe from a power failure. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the folder at a canonical path. The caller closes it. Throws `denied` when another folder lies there than the path
 * says (a part of it was swapped for a link). Where the system has no `/proc`, names are looked up by path instead.
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
 * Makes a folder with all its parents. Hands back a function that removes again what was made, as far as it is empty.
 * Throws `invalid_input` when a parent is a file.
 */
export async function makeFolders(path: string, shown: string): Promise<() => Promise<void>> {
  try {
    const first = makeDirectory(path, 0o777);
    return () => removeFolders(path, first);
  } catch (error) {
    if (!isSystemError(error) || (error.code !== "ENOTDIR" && error.code !== "EEXIST"))
      throw fromSystemError(error, shown);
    const file = await nearestThing(path, shown);
    throw new ToolError("invalid_input", `${file} is a file, so nothing can lie in it.`, {
      hint: "Choose another place, or move that file away first.",
      cause: error,
    });
  }
}

async function openDirectory(path: string, shown: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const isLink = isSystemError(error) && (error.code === "ELOOP" || error.code === "ENOTDIR");
    throw isLink ? swapped(shown) : error;
  }
}

/** Windows opens no folders, and syncs them by itself. */
function folderByPath(path: string): FolderHandle {
  return { at: (name) => join(path, name), sync: () => Promise.resolve(), close: () => Promise.resolve() };
}

function swapped(shown: string): ToolError {
  return new ToolError("denied", `The folder ${shown} was replaced by a link, or moved, while it was opened.`, {
    hint: "Look at what changes this folder, then call again.",
  });
}

async function removeFolders(path: string, first: string | undefined): Promise<void> {
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) {
    const removed = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

/** The deepest part of a path that exists, as the caller would write it. */
async function nearestThing(path: string, shown: string): Promise<string> {
  let [real, written] = [path, shown];
  while (dirname(real) !== real && dirname(written) !== written) {
    const exists = await lstat(real).then(
      () => true,
      () => false,
    );
    if (exists) return written;
    [real, written] = [dirname(real), dirname(written)];
  }
  return written;
}

// Some file systems cannot sync a folder, and have nothing to sync then.
async function syncFolder(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    if (!isSystemError(error) || !["EINVAL", "ENOTSUP", "EBADF"].includes(error.code ?? "")) throw error;
  }
}
