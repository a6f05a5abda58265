import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { access, constants, type FileHandle, link, lstat, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";

import { fromSystemError, isSystemError, ToolError } from "../../core/errors.ts";
import { type FileStamp, readStamp, readUnhashedStamp, sameStamp } from "./file-snapshot.ts";
import { type FolderHandle, makeFolder } from "../../core/folder-handle.ts";
import type { FilePath } from "../../core/open-file.ts";
import { createTempFile, removeLeftovers } from "./temp-file.ts";

/** Runs work while no other Pawl process on this machine runs work for the same path. */
export type WithFileLock = <Value>(path: string, work: () => Promise<Value>) => Promise<Value>;

export interface WriteOptions {
  /** What the caller read and bases its change on; undefined when no file was there. */
  readonly expected: FileStamp | undefined;
  readonly withFileLock: WithFileLock;
  /** Until just before the file is replaced; what begins after that is finished. */
  readonly signal?: AbortSignal;
}

export interface WriteOutcome {
  readonly created: boolean;
  /** The new state of the file. */
  readonly stamp: FileStamp;
  /** How many other names (hard links) the file had; they keep the old content. */
  readonly splitLinks: number;
  /** False when the system did not allow to give the new file the old one's owner and group. */
  readonly ownerKept: boolean;
}

/**
 * Replaces or creates a file as a whole. At any moment, also after a kill or a full disk, the path has the old or the new
 * content, never less; after an error the old one, and nothing else is left. The path is canonical, so a link to the file
 * stays a link. Mode, owner and group of a replaced file are kept, access lists and extended attributes are not; a new file
 * gets what the umask gives. Hard links are split, since a file cannot be changed under several names in one step.
 * A file without any write permission is refused, also for root. Parents are made.
 * Throws `conflict` when the file is not `expected` any more, `invalid_input`, `denied`, or `io_error`.
 */
export async function writeAtomically(file: FilePath, bytes: Uint8Array, options: WriteOptions): Promise<WriteOutcome> {
  try {
    const old = await checkTarget(file, options.expected);
    const { folder, undo } = await makeFolder(dirname(file.path), dirname(file.shown));
    try {
      return await replaceIn(folder, { file, bytes, old, options });
    } catch (error) {
      await undo();
      throw error;
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw fromSystemError(error, file.shown);
  }
}

interface Replacement {
  readonly file: FilePath;
  readonly bytes: Uint8Array;
  readonly old: BigIntStats | undefined;
  readonly options: WriteOptions;
}

async function replaceIn(folder: FolderHandle, write: Replacement): Promise<WriteOutcome> {
  const { file, bytes, old, options } = write;
  await removeLeftovers(folder);
  const temp = await createTempFile(folder, old ? 0o600 : 0o666).catch((error: unknown) => {
    throw cannotCreate(error, file.shown);
  });
  try {
    const { stat, ownerKept } = await fill(temp.handle, bytes, old);
    await options.withFileLock(file.path, async () => {
      options.signal?.throwIfAborted();
      await verifyUnchanged(file, options);
      await putInPlace(folder, { temp: temp.name, target: basename(file.path), created: !old, shown: file.shown });
    });
    await folder.sync();
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const stamp = { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeNs: stat.mtimeNs, sha256 };
    return { created: !old, stamp, splitLinks: old ? Number(old.nlink) - 1 : 0, ownerKept };
  } catch (error) {
    await unlink(folder.at(temp.name)).catch(() => undefined);
    throw error;
  }
}

/** What lies at the path now, which must be a writable file or nothing, as the caller expects. */
async function checkTarget(
  { path, shown }: FilePath,
  expected: FileStamp | undefined,
): Promise<BigIntStats | undefined> {
  const stat = await lstat(path, { bigint: true }).catch((error: unknown) => {
    if (isSystemError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw error;
  });
  if (stat?.isDirectory())
    throw new ToolError("invalid_input", `${shown} is a directory.`, { hint: "Name a file inside it." });
  if (!stat && expected) throw changed(`${shown} was removed since it was read`);
  if (stat && !expected) throw changed(`${shown} exists already`);
  if (!stat) return undefined;
  if (!stat.isFile()) throw changed(`${shown} is no regular file any more`);
  if ((stat.mode & 0o222n) === 0n) {
    throw new ToolError("io_error", `${shown} is read-only (mode ${(stat.mode & 0o777n).toString(8)}).`, {
      hint: "If it should be changed all the same, make it writable first (chmod u+w).",
    });
  }
  await access(path, constants.W_OK);
  return stat;
}

interface Filled {
  readonly stat: BigIntStats;
  readonly ownerKept: boolean;
}

/** Writes, syncs and closes the temporary file. */
async function fill(handle: FileHandle, bytes: Uint8Array, old: BigIntStats | undefined): Promise<Filled> {
  try {
    await handle.writeFile(bytes);
    const ownerKept = old ? await keepOwnerAndMode(handle, old) : true;
    await handle.sync();
    return { stat: await handle.stat({ bigint: true }), ownerKept };
  } finally {
    await handle.close();
  }
}

/** The owner first: changing it takes set-user-id bits away, and they must not be given to the wrong owner. */
async function keepOwnerAndMode(handle: FileHandle, old: BigIntStats): Promise<boolean> {
  const fresh = await handle.stat({ bigint: true });
  const [uid, gid] = [Number(old.uid), Number(old.gid)];
  const same = fresh.uid === old.uid && fresh.gid === old.gid;
  const ownerKept = same || (await changeOwner(handle, uid, gid));
  if (!ownerKept && fresh.gid !== old.gid) await changeOwner(handle, Number(fresh.uid), gid);
  const kept = ownerKept ? 0o7777n : 0o1777n;
  await handle.chmod(Number(old.mode & kept));
  return ownerKept;
}

function changeOwner(handle: FileHandle, uid: number, gid: number): Promise<boolean> {
  return handle.chown(uid, gid).then(
    () => true,
    () => false,
  );
}

async function verifyUnchanged(file: FilePath, { expected, signal }: WriteOptions): Promise<void> {
  if (!expected) return;
  const reading = expected.sha256 === "" ? readUnhashedStamp(file) : readStamp(file, signal);
  const now = await reading.catch((error: unknown) => {
    const gone = error instanceof ToolError && (error.code === "not_found" || error.code === "invalid_input");
    throw gone ? changed(`${file.shown} was removed or replaced since it was read`) : error;
  });
  if (!sameStamp(now, expected)) throw changed(`${file.shown} was changed by someone else since it was read`);
}

interface Move {
  readonly temp: string;
  readonly target: string;
  readonly created: boolean;
  readonly shown: string;
}

/** A new file is linked rather than renamed to its name: that fails when the name exists, in one step. */
async function putInPlace(folder: FolderHandle, { temp, target, created, shown }: Move): Promise<void> {
  if (!created) return rename(folder.at(temp), folder.at(target));
  try {
    await link(folder.at(temp), folder.at(target));
    return await unlink(folder.at(temp));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "EEXIST") throw changed(`${shown} was created by someone else meanwhile`, error);
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(error.code ?? "")) throw error;
    return renameToFreeName(folder, { temp, target, created, shown });
  }
}

/** For file systems without hard links. */
async function renameToFreeName(folder: FolderHandle, { temp, target, shown }: Move): Promise<void> {
  const exists = await lstat(folder.at(target)).then(
    () => true,
    () => false,
  );
  if (exists) throw changed(`${shown} was created by someone else meanwhile`);
  await rename(folder.at(temp), folder.at(target));
}

function changed(says: string, cause?: unknown): ToolError {
  return new ToolError("conflict", `${says}. Nothing was written.`, {
    hint: "Read it again, then repeat the change.",
    cause,
  });
}

function cannotCreate(error: unknown, shown: string): unknown {
  if (!isSystemError(error) || !["EACCES", "EPERM"].includes(error.code ?? "")) return error;
  return new ToolError(
    "io_error",
    `No file can be made in the folder of ${shown} (${error.code}). The old file is intact.`,
    {
      hint: "A file is replaced as a whole, which needs write permission on its folder.",
      cause: error,
    },
  );
}
