// Names in a folder that somebody may have meant. They are suggested, never used instead.
import { opendir } from "node:fs/promises";
import { basename, dirname } from "node:path";

const MAX_ENTRIES = 20_000;
const MAX_SUGGESTIONS = 5;

export interface SimilarNames {
  /** Names that look the same: other case, other Unicode form, other quotes or blanks. */
  readonly lookAlikes: readonly string[];
  /** Names that differ by a few letters, nearest first. */
  readonly near: readonly string[];
}

/** Names in the folder of `path` that resemble its last part. An unreadable folder has none. */
export async function findSimilarNames(path: string): Promise<SimilarNames> {
  const wanted = basename(path);
  const names = await listNames(dirname(path));
  const lookAlikes = names.filter((name) => name !== wanted && foldName(name) === foldName(wanted));
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const near = names
    .filter((name) => name !== wanted && !lookAlikes.includes(name))
    .map((name) => ({ name, distance: nameDistance(wanted, name, limit) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return {
    lookAlikes: lookAlikes.toSorted().slice(0, MAX_SUGGESTIONS),
    near: near.slice(0, MAX_SUGGESTIONS).map(({ name }) => name),
  };
}

/** A name with everything removed that the eye does not see. */
export function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\u2018\u2019\u201a\u201b\u02bc\u00b4`]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, "")
    .replaceAll(/\s+/g, " ");
}

async function listNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      names.push(entry.name);
      if (names.length >= MAX_ENTRIES) break;
    }
  } catch {
    return names;
  }
  return names;
}

/** Edit distance of the folded names; a name with another ending or one that is part of the other counts as near. */
function nameDistance(wanted: string, name: string, limit: number): number {
  const [a, b] = [foldName(wanted), foldName(name)];
  if (stem(a).length >= 3 && stem(a) === stem(b)) return 1;
  return editDistance(a, b, limit);
}

function stem(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Levenshtein distance, given up once it is sure to be over the limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, previous[j]! + 1, row[j - 1]! + 1));
    }
    if (Math.min(...row) > limit) return limit + 1;
    previous = row;
  }
  return previous[b.length]!;
}
