// Walks a folder for what a pattern matches.
import { setImmediate } from "node:timers/promises";
import { monotonicMs } from "../../core/monotonic.ts";
import { isSystemError } from "../../core/errors.ts";
import { type FolderEntry, rawPath, readVerifiedFolder, targetFactsOf, timeOf } from "./file-facts.ts";
import type { GlobMatcher, Places } from "./glob-matcher.ts";
import { Tally } from "./tally.ts";

export interface FindFilesOptions {
  /** Canonical. */
  readonly root: string;
  readonly matcher: GlobMatcher;
  readonly isExcluded: (path: string, name: string) => boolean;
  /** Names of folders that are entered only when the pattern spells them. */
  readonly leftOutNames: ReadonlySet<string>;
  /** Folders are found too. */
  readonly directories: boolean;
  /** Whether the caller may see where a link leads. */
  readonly mayTouch: (path: string) => boolean;
  /** A folder that nobody looks into: Pawl's own. */
  readonly forbidden: string;
  readonly signal: AbortSignal;
  readonly onFound: (found: Found) => void;
}

export interface Found {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly mtimeMs: number;
  /** Set for a link, and for what lies behind one. */
  readonly isLinked: boolean;
}

/** What a walk passed over, and why. */
export interface PassedOver {
  readonly leftOutFolders: Tally;
  readonly linkedFolders: Tally;
  readonly outsideLinks: Tally;
  readonly brokenLinks: Tally;
  readonly otherKinds: Tally;
  readonly unreadable: Tally;
  readonly excluded: Tally;
  readonly oddNames: Tally;
  /** Folders that match, where only files are asked for. */
  readonly matchingFolders: Tally;
}

interface OpenFolder {
  readonly path: string;
  readonly places: Places;
  readonly isLinked: boolean;
}

/** Enough to keep the disk busy; a folder more costs memory. */
const FOLDERS_AT_ONCE = 32;
const LONGEST_TURN_MS = 8;

/** Ends early, without an error, when the signal fires. Links to folders are followed only where the pattern spells them. */
export async function findFiles(options: FindFilesOptions): Promise<PassedOver> {
  const walk = new Walk(options);
  await walk.run();
  return walk.passedOver;
}

class Walk {
  readonly passedOver: PassedOver = {
    leftOutFolders: new Tally(),
    linkedFolders: new Tally(),
    outsideLinks: new Tally(),
    brokenLinks: new Tally(),
    otherKinds: new Tally(),
    unreadable: new Tally(),
    excluded: new Tally(),
    oddNames: new Tally(),
    matchingFolders: new Tally(),
  };
  readonly #options: FindFilesOptions;
  readonly #open: OpenFolder[];
  #turnStartedAt = monotonicMs();

  constructor(options: FindFilesOptions) {
    this.#options = options;
    this.#open = [{ path: "", places: options.matcher.start, isLinked: false }];
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    while (this.#open.length > 0 && !signal.aborted) {
      await Promise.all(this.#open.splice(-FOLDERS_AT_ONCE).map((folder) => this.#visit(folder)));
    }
  }

  async #visit(folder: OpenFolder): Promise<void> {
    const entries = await this.#read(folder);
    const links: Promise<void>[] = [];
    for (const entry of entries) {
      const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
      const { isHit, below, belowNamed } = this.#options.matcher.step(folder.places, entry.name);
      if (!isHit && below.length === 0) continue;
      if (this.#options.isExcluded(path, entry.name)) this.passedOver.excluded.add(path);
      else if (entry.isSymbolicLink()) links.push(this.#followLink({ path, folder, isHit, belowNamed, below }));
      else if (entry.isDirectory()) this.#enter({ path, folder, isHit, below }, entry);
      else if (isHit && entry.isFile()) this.#found(path, folder, entry);
      else if (isHit) this.passedOver.otherKinds.add(path);
      if (monotonicMs() - this.#turnStartedAt > LONGEST_TURN_MS) await this.#yield();
      if (this.#options.signal.aborted) break;
    }
    await Promise.all(links);
  }

  /** Lets others have their turn: files' facts are read without one, which is many times faster. */
  async #yield(): Promise<void> {
    await setImmediate();
    this.#turnStartedAt = monotonicMs();
  }

  async #read(folder: OpenFolder): Promise<readonly FolderEntry[]> {
    const path = this.#absolute(folder.path);
    const { isLinked } = folder;
    const mayBeAt = (place: string): boolean => (isLinked ? this.#options.mayTouch(place) : place === path);
    try {
      return (await readVerifiedFolder(path, { isLinked, mayBeAt })) ?? [];
    } catch (error) {
      const code = isSystemError(error) ? error.code : undefined;
      // What is gone by now, or is no folder any more, was not there to be found.
      if (!["ENOENT", "ENOTDIR", "ELOOP"].includes(code ?? "") || folder.path === "")
        this.passedOver.unreadable.add(`${folder.path || "."} (${code})`);
      return [];
    }
  }

  #enter(step: FolderStep, entry: FolderEntry): void {
    const { path, folder, isHit, below } = step;
    if (this.#absolute(path) === this.#options.forbidden) return;
    if (below.length > 0) {
      if (entry.rawName) this.passedOver.unreadable.add(`${path} (its name is not UTF-8)`);
      else if (this.#options.leftOutNames.has(entry.name)) this.passedOver.leftOutFolders.add(path);
      else this.#open.push({ path, places: below, isLinked: folder.isLinked });
    }
    if (isHit && this.#options.directories) this.#found(path, folder, entry);
    else if (isHit) this.passedOver.matchingFolders.add(path);
  }

  #found(path: string, folder: OpenFolder, entry: FolderEntry): void {
    if (entry.rawName) this.passedOver.oddNames.add(path);
    const place = entry.rawName ? rawPath(this.#absolute(folder.path), entry.rawName) : this.#absolute(path);
    this.#options.onFound({ path, mtimeMs: timeOf(place), isLinked: folder.isLinked });
  }

  async #followLink(step: FolderStep & { readonly belowNamed: Places }): Promise<void> {
    const { path, isHit, below, belowNamed } = step;
    const absolute = this.#absolute(path);
    const stats = await targetFactsOf(absolute);
    if (!stats) {
      if (isHit) this.passedOver.brokenLinks.add(path);
    } else if (!this.#options.mayTouch(absolute)) {
      this.passedOver.outsideLinks.add(path);
    } else if (stats.isDirectory()) {
      if (belowNamed.length > 0) this.#open.push({ path, places: belowNamed, isLinked: true });
      else if (below.length > 0) this.passedOver.linkedFolders.add(path);
      if (isHit && this.#options.directories) this.#options.onFound({ path, mtimeMs: stats.mtimeMs, isLinked: true });
    } else if (isHit && stats.isFile()) {
      this.#options.onFound({ path, mtimeMs: stats.mtimeMs, isLinked: true });
    }
  }

  #absolute(path: string): string {
    return path === "" ? this.#options.root : `${this.#options.root === "/" ? "" : this.#options.root}/${path}`;
  }
}

interface FolderStep {
  readonly path: string;
  readonly folder: OpenFolder;
  readonly isHit: boolean;
  readonly below: Places;
}
