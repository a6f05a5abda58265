import { lstat } from "node:fs/promises";

import { fromSystemError, isSystemError } from "../../core/errors.ts";
import { type FileStamp, readSnapshot, readUnhashedStamp } from "./file-snapshot.ts";
import type { FilePath } from "../../core/open-file.ts";

/** A file that a write meets. */
export interface ExistingFile {
  readonly stamp: FileStamp;
  /** Undefined when the file is larger than asked for. */
  readonly bytes: Buffer | undefined;
}

/**
 * What lies at a path that is to be written: with its content up to `maxBytes` (a larger one is not
 * read at all, and told from its later states by place, size and time), or undefined when there is nothing.
 * Throws what `openForReading` throws for what is no regular file.
 */
export async function readExisting(file: FilePath, maxBytes: number): Promise<ExistingFile | undefined> {
  const size = await lstat(file.path).then(
    (stat) => stat.size,
    (error: unknown) => {
      if (isSystemError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
      throw fromSystemError(error, file.shown);
    },
  );
  if (size === undefined) return undefined;
  if (size > maxBytes) return { stamp: await readUnhashedStamp(file), bytes: undefined };
  const { stamp, bytes } = await readSnapshot(file, Number.MAX_SAFE_INTEGER);
  return { stamp, bytes };
}
