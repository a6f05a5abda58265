import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";

import { ToolError } from "../../core/errors.ts";
import { type FilePath, type OpenFile, withOpenFile } from "../../core/open-file.ts";

/** What identifies one state of a file. Two reads with equal stamps saw the same file with the same bytes. */
export interface FileStamp {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  /** SHA-256 of the content, in hexadecimal; empty where the file was too large to read it for this. */
  readonly sha256: string;
}

/** A whole file at one moment. */
export interface FileSnapshot {
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
  readonly stat: BigIntStats;
}

const CHUNK_BYTES = 1024 * 1024;

/** Reads a whole file of at most `maxBytes`; a larger one is `limit_exceeded`, before anything is read. */
export async function readSnapshot(file: FilePath, maxBytes: number): Promise<FileSnapshot> {
  return withOpenFile(file, async (open) => {
    const bytes = await readWhole(open, file.shown, maxBytes);
    const { stat } = open;
    return { bytes, stat, stamp: stampOf(stat, createHash("sha256").update(bytes).digest("hex")) };
  });
}

/** All bytes of an open file; more than `maxBytes` is `limit_exceeded`, before anything is read. */
export async function readWhole({ handle, stat }: OpenFile, shown: string, maxBytes: number): Promise<Buffer> {
  if (stat.size > BigInt(maxBytes)) throw tooLarge(shown, stat.size, maxBytes);
  return readUpTo(handle, Number(stat.size));
}

/** The stamp of the file that lies there now, read in constant memory. */
export async function readStamp(file: FilePath, signal?: AbortSignal): Promise<FileStamp> {
  return withOpenFile(file, async ({ handle, stat }) => {
    return stampOf(stat, await hashContent(handle, Number.POSITIVE_INFINITY, signal));
  });
}

/** The same without the hash, so without reading: place, size and time tell the states of a file apart. */
export async function readUnhashedStamp(file: FilePath): Promise<FileStamp> {
  return withOpenFile(file, ({ stat }) => Promise.resolve(stampOf(stat, "")));
}

/** SHA-256 of the first `size` bytes of an open file, in constant memory. */
export async function hashContent(handle: FileHandle, size: number, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, size)));
  for (let position = 0; position < size;) {
    signal?.throwIfAborted();
    const wanted = Math.min(buffer.length, size - position);
    const { bytesRead } = await handle.read(buffer, 0, wanted, position);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return hash.digest("hex");
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  const sameFile = a.dev === b.dev && a.ino === b.ino;
  return sameFile && a.size === b.size && a.mtimeNs === b.mtimeNs && a.sha256 === b.sha256;
}

/** Bytes from the start of an open file; fewer than asked for when it has shrunk meanwhile. */
async function readUpTo(handle: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(buffer, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function stampOf(stat: BigIntStats, sha256: string): FileStamp {
  return { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeNs: stat.mtimeNs, sha256 };
}

function tooLarge(shown: string, size: bigint, maxBytes: number): ToolError {
  const message = `${shown} has ${size} bytes; at most ${maxBytes} can be handled whole.`;
  return new ToolError("limit_exceeded", message, {
    hint: "Read it by page, or work on it with a program through BashTool.",
  });
}
