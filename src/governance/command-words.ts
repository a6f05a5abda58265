import type { Flow, Walk } from "./command-flow.ts";
import { scopeOf } from "./command-substitution.ts";
import { expandWord } from "./shell-expansion.ts";
import type { ShellNode } from "./shell-parser.ts";
import { MAX_POSSIBILITIES, type ShellWord, unknownWord, wordsOf } from "./shell-value.ts";

/** Every list of arguments that the words may expand to. */
export function expandLines(walk: Walk, groups: readonly ShellNode[][], flow: Flow): ShellWord[][] {
  const scope = scopeOf(walk, flow);
  let lines: ShellWord[][] = [[]];
  for (const group of groups) {
    const raw = group[0]!.source.slice(group[0]!.start, group.at(-1)!.end);
    const choices = distinctLines(expandWord(group, scope).map((one) => wordsOf(one, raw)));
    const [only] = choices;
    if (only && choices.length === 1) for (const line of lines) line.push(...only);
    else if (lines.length * choices.length <= MAX_POSSIBILITIES) {
      lines = lines.flatMap((line) => choices.map((words) => line.concat(words)));
    } else for (const line of lines) line.push(unknownWord(raw, true));
  }
  return lines;
}

function distinctLines(choices: readonly ShellWord[][]): ShellWord[][] {
  const byText = new Map(
    choices.map((words) => [words.map((word) => `${word.template}\0${word.isPattern}`).join("\n"), words]),
  );
  return [...byText.values()];
}
