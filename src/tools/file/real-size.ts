import type { OpenFile } from "../../core/open-file.ts";

const CHUNK_BYTES = 65_536;
const MAX_BYTES = 16 * 1024 * 1024;

/** Files that the system makes up while they are read, as in /proc, say that their size is 0: what can be read of them, up to 16 MB, is their size then. */
export async function withRealSize(open: OpenFile, signal: AbortSignal): Promise<OpenFile> {
  const { handle, stat } = open;
  if (stat.size > 0n) return open;
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let size = 0;
  while (size < MAX_BYTES) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, size);
    if (bytesRead === 0) break;
    size += bytesRead;
  }
  return { handle, stat: Object.assign(stat, { size: BigInt(size) }) };
}
