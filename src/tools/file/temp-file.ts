// Temporary files beside the file that they will replace. Their name says who made them, so that what a killed process
// left behind can be told from what a living one still writes.
import { createHash, randomBytes } from "node:crypto";
import { constants, type FileHandle, open, opendir, readlink, unlink } from "node:fs/promises";
import { hostname } from "node:os";

import { isSystemError } from "../../core/errors.ts";
import type { FolderHandle } from "../../core/folder-handle.ts";

export interface TempFile {
  readonly name: string;
  readonly handle: FileHandle;
}

const NAME = /^\.pawl-([0-9a-f]{8})-(\d+)-[0-9a-f]{16}\.tmp$/;
// A folder with more entries is not searched to its end for leftovers.
const MAX_ENTRIES = 20_000;

/** Makes a new file of an unpredictable name for writing. The caller closes and renames or removes it. */
export async function createTempFile(folder: FolderHandle, mode: number): Promise<TempFile> {
  const name = `.pawl-${await processSpace()}-${process.pid}-${randomBytes(8).toString("hex")}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  return { name, handle: await open(folder.at(name), flags, mode) };
}

/** Removes what killed processes of this machine left in a folder. Failing to is no failure of the call. */
export async function removeLeftovers(folder: FolderHandle): Promise<void> {
  const space = await processSpace();
  let entries = 0;
  try {
    for await (const { name } of await opendir(folder.at("."))) {
      if (++entries > MAX_ENTRIES) return;
      const [, itsSpace, pid] = NAME.exec(name) ?? [];
      if (itsSpace === space && isDead(Number(pid))) await unlink(folder.at(name)).catch(() => undefined);
    }
  } catch {
    return;
  }
}

/** Process ids mean something only within one machine and one pid namespace; folders can be shared by several. */
async function processSpace(): Promise<string> {
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return createHash("sha256").update(`${hostname()} ${namespace}`).digest("hex").slice(0, 8);
}

function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return isSystemError(error) && error.code === "ESRCH";
  }
}
