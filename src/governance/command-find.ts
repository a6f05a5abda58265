import type { InnerCommand } from "./command-wrappers.ts";
import { type ShellWord, knownWord } from "./shell-value.ts";

/** What `find` is told to look through and to do. */
export interface FindExpression {
  readonly roots: readonly ShellWord[];
  readonly expression: readonly ShellWord[];
}

const GLOBAL_OPTIONS = /^-(?:[HLP]|O\d?|D)$/;

/** Splits `find`'s arguments; without a path it looks through the current directory. */
export function parseFind(args: readonly ShellWord[]): FindExpression {
  let first = 0;
  while (GLOBAL_OPTIONS.test(args[first]?.value ?? "")) first += args[first]!.value === "-D" ? 2 : 1;
  const length = args.slice(first).findIndex(({ template }) => /^(?:-.|[()!]$|,$)/.test(template));
  const roots = length < 0 ? args.slice(first) : args.slice(first, first + length);
  const expression = length < 0 ? [] : args.slice(first + length);
  return { roots: roots.length > 0 ? roots : [knownWord(".")], expression };
}

/** The commands of `-exec` and its like, once for each path that is looked through. */
export function unwrapFind(args: readonly ShellWord[]): InnerCommand[] {
  const { roots, expression } = parseFind(args);
  return execCommands(expression).flatMap((words) => {
    const isPlaced = words.some(({ template }) => template.includes("{}"));
    if (!isPlaced) return [{ words }];
    return roots.map((root) => ({ words: words.map((word) => placeRoot(word, root)) }));
  });
}

/** The words between `-exec` and `;` or `+`. */
export function execCommands(expression: readonly ShellWord[]): (readonly ShellWord[])[] {
  const commands: ShellWord[][] = [];
  let open: ShellWord[] | undefined;
  for (const word of expression) {
    if (open && (word.value === ";" || (word.value === "+" && open.at(-1)?.value === "{}"))) open = undefined;
    else if (open) open.push(word);
    else if (/^-(?:exec|ok)(?:dir)?$/.test(word.value ?? "")) commands.push((open = []));
  }
  return commands.filter((words) => words.length > 0);
}

function placeRoot(word: ShellWord, root: ShellWord): ShellWord {
  if (word.value === "{}") return root;
  if (word.value === undefined || root.value === undefined || !word.value.includes("{}")) return word;
  return {
    ...word,
    value: word.value.replaceAll("{}", root.value),
    template: word.template.replaceAll("{}", root.value),
  };
}
