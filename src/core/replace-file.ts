import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fromSystemError } from "./errors.ts";
import { makeDirectory } from "./make-directory.ts";

/**
 * Replaces one of Pawl's own files, whole or not at all: write, fsync, rename, fsync of the directory. Mode 0600.
 * Throws a `ToolError`; then the old file is as it was.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    makeDirectory(dirname(path));
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    await rm(draft, { force: true });
    throw fromSystemError(error, path);
  }
}

/** Makes a rename durable. Windows has no handles of directories, and needs none. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
