import { GlobMatcher, partsOf } from "./glob-matcher.ts";

/** Whether a path is left out by one of the globs; one without a slash is about names anywhere. Throws `invalid_input`. */
export function excludedBy(globs: readonly string[], caseSensitive: boolean): (path: string, name: string) => boolean {
  if (globs.length === 0) return () => false;
  const plain = globs.map((glob) => partsOf(glob.replace(/^!/, "").replace(/\/\*\*\/?$/, "")).join("/"));
  const names = new GlobMatcher(
    plain.filter((glob) => !glob.includes("/")),
    caseSensitive,
  );
  const paths = new GlobMatcher(
    plain.filter((glob) => glob.includes("/")),
    caseSensitive,
  );
  return (path, name) => names.matches(name) || paths.matches(path);
}
