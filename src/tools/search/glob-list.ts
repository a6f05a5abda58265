// Globs as callers write them, in the form that ripgrep takes (gitignore's).
import { isAbsolute, relative, sep } from "node:path";

export interface GlobPlace {
  /** Canonical: what the globs are relative to. */
  readonly directory: string;
  /** Where the caller stands, who may have written them relative to that. */
  readonly workingDirectory: string;
}

/**
 * The globs of one text: separated by commas or blanks, but not inside braces or brackets. A text with a separator is
 * meant as a whole, too, for names have blanks and commas.
 */
export function splitGlobs(text: string): string[] {
  const pieces = text.split(/[\s,]+(?![^{}]*\})(?![^[\]]*\])/).filter(Boolean);
  const whole = text.trim();
  if (pieces.length < 2) return pieces;
  const arePatterns = pieces.every((piece) => /[*?[{./!]/.test(piece));
  if (!arePatterns) return [whole];
  return pieces.some((piece) => piece.startsWith("!")) ? pieces : [...pieces, whole];
}

/** The globs that narrow a search, as values of ripgrep's `--glob`. */
export function includeGlobs(globs: readonly string[], place: GlobPlace): string[] {
  const wanted = globs.filter((glob) => !["*", "**", "**/*"].includes(glob.replace(/^\.?\//, "")));
  return [...new Set(wanted.flatMap((glob) => localForms(glob, place).map(escaped)))];
}

export function excludeGlobs(globs: readonly string[], place: GlobPlace): string[] {
  const plain = globs.map((glob) => glob.replace(/^!/, ""));
  return [...new Set(plain.flatMap((glob) => localForms(glob, place).map((form) => `!${escaped(form)}`)))];
}

/** A path below the directory, so that only it is meant. */
export function globOfPath(way: string): string {
  return `!/${way.replaceAll(/[\\*?[\]{}!#\s]/g, String.raw`\$&`)}`;
}

/** True when a glob asks for names with a leading dot. */
export function namesDotFiles(glob: string): boolean {
  return /(?:^|[/{,])\.[^./*]/.test(glob) || /(?:^|[/{,])\.\*/.test(glob);
}

/** Relative to the directory, whatever the caller held it against. */
function localForms(glob: string, { directory, workingDirectory }: GlobPlace): string[] {
  const negation = glob.startsWith("!") ? "!" : "";
  const plain = glob.slice(negation.length).replace(/^\.\//, "/");
  if (plain.startsWith(`${directory}/`)) return [`${negation}/${plain.slice(directory.length + 1)}`];
  const way = relative(workingDirectory, directory).replaceAll(sep, "/");
  const isBelow = way !== "" && !way.startsWith("..") && !isAbsolute(way);
  const own = plain.startsWith("/") ? plain.slice(1) : plain;
  const moved = isBelow && own.startsWith(`${way}/`) ? [`${negation}/${own.slice(way.length + 1)}`] : [];
  return [`${negation}${plain}`, ...moved];
}

/** gitignore reads a leading # as a comment. */
function escaped(glob: string): string {
  return glob.startsWith("#") ? `\\${glob}` : glob;
}
