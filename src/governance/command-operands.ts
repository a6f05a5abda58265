// What the rules ask of a program's arguments.
import type { ProgramUse } from "./command-flow.ts";
import type { ProtectedPlaces } from "./command-places.ts";
import type { ShellWord } from "./shell-value.ts";

/** Says why a use of a program is catastrophic; undefined when it is not. */
export type CatastropheRule = (use: ProgramUse, places: ProtectedPlaces) => string | undefined;

/** Options and operands as getopt sees them: mixed, until `--`. */
export function split(args: readonly ShellWord[]): { readonly options: string[]; readonly operands: ShellWord[] } {
  const end = args.findIndex(({ value }) => value === "--");
  const before = end < 0 ? args : args.slice(0, end);
  const options = before.filter(({ template }) => /^-./.test(template)).map(({ template }) => template);
  const operands = before.filter(({ template }) => !/^-./.test(template));
  return { options, operands: end < 0 ? operands : [...operands, ...args.slice(end + 1)] };
}

/** The reason when one of the arguments is such a word. */
export function judgeWords(use: ProgramUse, words: RegExp, reason: string): string | undefined {
  return use.args.some(({ value }) => value !== undefined && words.test(value)) ? reason : undefined;
}
