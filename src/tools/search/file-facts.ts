import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdir,
  readlinkSync,
  stat,
  type Stats,
} from "node:fs";

export interface ReadFolderOptions {
  /** The path leads through a link: wherever that goes, `mayBeAt` decides. */
  readonly isLinked: boolean;
  /** Whether a folder at this canonical path may be read. */
  readonly mayBeAt: (place: string) => boolean;
}

/**
 * The entries of a folder as it was opened; undefined when that lies elsewhere than it may, as when a part of its path was
 * swapped for a link. Where the system has no `/proc`, by path. Rejects with the system's error.
 */
export async function readVerifiedFolder(
  path: string,
  { isLinked, mayBeAt }: ReadFolderOptions,
): Promise<readonly FolderEntry[] | undefined> {
  if (process.platform !== "linux") return readFolder(path);
  const descriptor = openSync(path, constants.O_DIRECTORY | (isLinked ? 0 : constants.O_NOFOLLOW));
  try {
    const opened = `/proc/self/fd/${descriptor}`;
    const place = placeOf(opened);
    if (place === undefined) return await readFolder(path);
    return mayBeAt(place) ? await readFolder(opened) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function placeOf(opened: string): string | undefined {
  try {
    return readlinkSync(opened);
  } catch {
    return undefined;
  }
}

/** The entries of a folder; names that are not UTF-8 come with their bytes. Rejects with the system's error. */
async function readFolder(path: string): Promise<readonly FolderEntry[]> {
  const entries = await listed<Dirent>((done) => readdir(path, { withFileTypes: true }, done));
  if (!entries.some((entry) => entry.name.includes("\uFFFD"))) return entries;
  const raw = await listed<Dirent<Buffer>>((done) => readdir(path, { withFileTypes: true, encoding: "buffer" }, done));
  return raw.map((entry) => new RawEntry(entry));
}

export interface FolderEntry {
  readonly name: string;
  /** Set when the name is not UTF-8. */
  readonly rawName?: Buffer;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The bytes of a path whose last part is not UTF-8. */
export function rawPath(folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), name]);
}

/** When a file was last changed, in milliseconds; 0 when it cannot be told. Waits for the answer. */
export function timeOf(path: string | Buffer): number {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}

/** What a link leads to; undefined when it cannot be told. */
export function targetFactsOf(path: string): Promise<Stats | undefined> {
  return new Promise((resolve) => {
    stat(path, (error, stats) => resolve(error ? undefined : stats));
  });
}

class RawEntry implements FolderEntry {
  readonly name: string;
  readonly rawName?: Buffer;
  readonly #entry: Dirent<Buffer>;

  constructor(entry: Dirent<Buffer>) {
    this.#entry = entry;
    this.name = entry.name.toString("utf8");
    if (!Buffer.from(this.name).equals(entry.name)) this.rawName = entry.name;
  }

  isFile(): boolean {
    return this.#entry.isFile();
  }

  isDirectory(): boolean {
    return this.#entry.isDirectory();
  }

  isSymbolicLink(): boolean {
    return this.#entry.isSymbolicLink();
  }
}

function listed<Entry>(
  read: (done: (error: NodeJS.ErrnoException | null, entries: Entry[]) => void) => void,
): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    read((error, entries) => (error ? reject(error) : resolve(entries)));
  });
}
