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
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return /[\u0000-\u001F\u007F\u2028\u2029]/.test(path) ? JSON.stringify(path) : path;
}

/** "1 file", "1,204 files". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
