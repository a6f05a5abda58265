// Most commands are a few plain words: those are split here, and the parser stays unloaded.
import type { ShellNode, ShellTree } from "./shell-parser.ts";

// No quotes, expansions, globs, tildes, comments or operators; and no `=` but inside an option.
const PLAIN_COMMAND = /^ *[\w./:,-]+(?: +(?:[\w./:,-]+|-[\w./:,=-]+))* *$/;

/** Words that the grammar does not treat as the name of a simple command. */
const RESERVED = new Set(
  (
    "if then elif else fi case esac for select while until do done in function time coproc " +
    "declare typeset export readonly local unset unsetenv"
  ).split(" "),
);

const LONGEST = 4_000;

/**
 * The tree of a command that is made of plain words only, the same as the parser would give;
 * undefined for anything else.
 */
export function parsePlainCommand(text: string): ShellTree | undefined {
  if (text.length > LONGEST || !PLAIN_COMMAND.test(text)) return undefined;
  const words: ShellNode[] = [];
  for (const match of text.matchAll(/[^ ]+/g)) {
    if (RESERVED.has(match[0])) return undefined;
    words.push(wordNode(text, match.index, match.index + match[0].length));
  }
  const [name, ...rest] = words;
  if (!name) return undefined;
  const { start } = name;
  const end = words.at(-1)!.end;
  const commandName: ShellNode = { ...name, type: "command_name", field: "name", children: [name] };
  const command: ShellNode = {
    type: "command",
    field: null,
    start,
    end,
    children: [commandName, ...rest],
    source: text,
  };
  return { root: { type: "program", field: null, start, end, children: [command], source: text } };
}

function wordNode(source: string, start: number, end: number): ShellNode {
  return { type: "word", field: "argument", start, end, children: [], source };
}
