import { isAbsolute, relative, resolve, sep } from "node:path";

/** How a found path is written in a result, so that it can be used as it is in the next call. */
export function pathShower(folder: string, workingDirectory: string): (path: string) => string {
  const way = relative(workingDirectory, folder);
  const isOutside = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  const prefix = isOutside ? folder : way;
  return (path) => {
    if (prefix === "") return path;
    return isOutside && prefix.endsWith(sep) ? resolve(prefix, path) : `${prefix.replaceAll(sep, "/")}/${path}`;
  };
}

/** One line whatever the name holds: control characters as in JSON. */
export function asLine(path: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(path) ? JSON.stringify(path) : path;
}
