// What a session remembers of a file that it read or wrote, to tell later whether somebody else has changed it.
import type { ToolSession } from "../base-tool.ts";
import { type FileStamp, hashContent } from "./file-snapshot.ts";
import type { FilePath, OpenFile } from "../../core/open-file.ts";

/**
 * Up to this size a file is remembered by its content, so that one that was touched, or changed and changed back, is the
 * same; above it by place, size and time, which costs nothing but takes every rewrite for a change.
 */
const MAX_HASHED_BYTES = 16n * 1024n * 1024n;

/** The fingerprint of one state of a file; equal ones are the same state. */
export function fingerprintOf(stamp: FileStamp): string {
  if (stamp.size <= MAX_HASHED_BYTES) return `sha256:${stamp.sha256}`;
  return `stat:${stamp.dev}:${stamp.ino}:${stamp.size}:${stamp.mtimeNs}`;
}

/** The fingerprint of an open file, as it was when it was opened. Take it before the content is read: then a change meanwhile is noticed. */
export async function readFingerprint({ handle, stat }: OpenFile): Promise<string> {
  const { dev, ino, size, mtimeNs } = stat;
  const sha256 = size <= MAX_HASHED_BYTES ? await hashContent(handle, Number(size)) : "";
  return fingerprintOf({ dev, ino, size, mtimeNs, sha256 });
}

/** True when the session has seen the file in another state. False for one that it never saw. */
export async function changedSinceSeen(session: ToolSession, file: FilePath, stamp: FileStamp): Promise<boolean> {
  const seen = await session.lastSeen(file.path);
  return seen !== undefined && seen !== fingerprintOf(stamp);
}
