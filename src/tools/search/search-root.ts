import { dirname } from "node:path";
import { fromSystemError } from "../../core/errors.ts";
import { openFolder } from "../../core/folder-handle.ts";
import { type FilePath, openForReading } from "../../core/open-file.ts";

/** The file or folder that a search was allowed, opened: what takes the place of its path meanwhile is not searched. */
export interface SearchRoot extends AsyncDisposable {
  /** For the system: leads to the folder searched, or the folder of the file, while this is open. */
  readonly directory: string;
  /** The descriptor of a file, for a program to read it as its standard input. */
  readonly input?: number;
}

/** Throws `denied` when something else lies there than the canonical path says, or what opening fails with. */
export async function openSearchFolder(folder: FilePath): Promise<SearchRoot> {
  try {
    const handle = await openFolder(folder.path, folder.shown);
    return { directory: handle.at("."), [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    throw fromSystemError(error, folder.shown);
  }
}

/** Throws what `openForReading` throws. */
export async function openSearchFile(file: FilePath): Promise<SearchRoot> {
  const { handle } = await openForReading(file);
  return { directory: dirname(file.path), input: handle.fd, [Symbol.asyncDispose]: () => handle.close() };
}
