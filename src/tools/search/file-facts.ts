import { lstatSync, readdir, stat, type Dirent, type Stats } from "node:fs";

/** The entries of a folder; names that are not UTF-8 come with their bytes. Rejects with the system's error. */
export async function readFolder(path: string): Promise<readonly FolderEntry[]> {
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
