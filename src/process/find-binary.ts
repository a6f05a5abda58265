import { accessSync, constants, statSync } from "node:fs";
import { delimiter, extname, isAbsolute, join } from "node:path";

export interface FindBinaryOptions {
  /** The PATH variable to search; relative and empty entries are passed over. */
  readonly path: string;
  /** The PATHEXT variable, on Windows: names are tried with each of its endings. */
  readonly pathExt?: string;
  /** Absolute directories to search after PATH. */
  readonly extraDirectories?: readonly string[];
}

/** The absolute path of a program, found as a shell would, without one; undefined when nothing executable has the name. */
export function findBinary(name: string, options: FindBinaryOptions): string | undefined {
  if (name === "" || name.includes("\0")) return undefined;
  const names = namesOf(name, options.pathExt);
  if (isAbsolute(name)) return names.find(isExecutableFile);
  if (name.includes("/") || name.includes("\\")) return undefined;
  const directories = [...options.path.split(delimiter), ...(options.extraDirectories ?? [])].filter(isAbsolute);
  return directories.flatMap((directory) => names.map((file) => join(directory, file))).find(isExecutableFile);
}

function namesOf(name: string, pathExt: string | undefined): readonly string[] {
  const endings = (pathExt ?? "").split(";").filter(Boolean);
  if (endings.length === 0) return [name];
  const hasEnding = endings.some((ending) => ending.toLowerCase() === extname(name).toLowerCase());
  return hasEnding ? [name] : endings.map((ending) => `${name}${ending.toLowerCase()}`);
}

function isExecutableFile(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
