// When a search finds nothing: whether it would have in what it passed over.
import type { Config } from "../../config/config-schema.ts";
import type { GrepParams } from "./grep-input.ts";
import { RecordSplitter } from "./record-splitter.ts";
import { type SearchPlace, unrestrictedFilesArguments, unrestrictedSearchArguments } from "./ripgrep-arguments.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import { Tally } from "./tally.ts";

export interface UnsearchedSearch {
  readonly config: Config;
  readonly params: GrepParams;
  readonly place: SearchPlace;
  /** For the system: the folder searched. */
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Files that the search looked into; undefined when it did not tell. */
  readonly searchedFiles: number | undefined;
}

export interface UnsearchedMatches {
  readonly files: Tally;
  /** Some of them have a leading dot in their path. */
  readonly hasHidden: boolean;
  readonly hasIgnored: boolean;
  /** The look was cut short. */
  readonly isPartial: boolean;
}

const LONGEST_LOOK_MS = 3_000;

/** Files that match but are hidden or ignored; undefined when there are none for sure. */
export async function findUnsearched(search: UnsearchedSearch): Promise<UnsearchedMatches | undefined> {
  if (search.place.isFile) return undefined;
  const signal = AbortSignal.any([search.signal, AbortSignal.timeout(LONGEST_LOOK_MS)]);
  const filesThere = await countFiles(search, signal);
  if (filesThere !== undefined && filesThere === search.searchedFiles) return undefined;
  const found = await pathsOf(search, unrestrictedSearchArguments(search.params, search.place), signal);
  return found.files.count === 0 && !found.isPartial ? undefined : found;
}

/** Undefined when the look was cut short. */
async function countFiles(search: UnsearchedSearch, signal: AbortSignal): Promise<number | undefined> {
  let count = 0;
  const onChunk = (chunk: Buffer): void => {
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) count += 1;
  };
  const args = unrestrictedFilesArguments(search.params, search.place);
  const run = await runRipgrep({ config: search.config, args, cwd: search.directory, signal, onChunk });
  return run.isAborted ? undefined : count;
}

async function pathsOf(search: UnsearchedSearch, args: string[], signal: AbortSignal): Promise<UnsearchedMatches> {
  const files = new Tally();
  let hasHidden = false;
  let hasIgnored = false;
  const splitter = new RecordSplitter(0, (record) => {
    const path = record.toString("utf8").replace(/^\.\//, "");
    files.add(path);
    if (path.startsWith(".") || path.includes("/.")) hasHidden = true;
    else hasIgnored = true;
  });
  const onChunk = (chunk: Buffer): void => splitter.push(chunk);
  const cwd = search.directory;
  const run = await runRipgrep({ config: search.config, args, cwd, signal, onChunk });
  return { files, hasHidden, hasIgnored, isPartial: run.isAborted };
}
