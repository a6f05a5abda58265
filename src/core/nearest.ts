import { distance } from "fastest-levenshtein";

/** The names nearest to `wanted`, best first, at most `limit`; none that is unlike it altogether. */
export function nearestNames(wanted: string, names: Iterable<string>, limit = 3): string[] {
  const plain = fold(wanted);
  if (plain === "") return [];
  const scored: { name: string; score: number }[] = [];
  for (const name of new Set(names)) {
    const other = fold(name);
    const contained = plain.length > 2 && (other.includes(plain) || plain.includes(other));
    const score = contained && plain !== other ? 1 : distance(plain, other);
    if (score <= Math.max(2, Math.floor(Math.min(plain.length, other.length) / 2))) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || a.name.localeCompare(b.name, "en"));
  return scored.slice(0, limit).map((entry) => entry.name);
}

/** "Did you mean A, B or C?", or the empty string when nothing is near. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  const near = nearestNames(wanted, names);
  return near.length === 0 ? "" : `Did you mean ${new Intl.ListFormat("en", { type: "disjunction" }).format(near)}?`;
}

function fold(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}
