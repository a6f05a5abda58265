// For text that does not parse: every word that could be a dangerous program, with the words behind it.
import { ruleFor } from "./command-catastrophe-rules.ts";
import type { ProgramUse } from "./command-flow.ts";
import type { ShellContext } from "./shell-state.ts";
import { type ShellWord, UNKNOWN_PART } from "./shell-value.ts";

/** Longer texts are not searched. */
export const MAX_SCANNED = 200_000;
const MAX_WORDS = 64;
/** These do harm without any argument, and are ordinary words: they count only where a command begins. */
const STOPPERS = new Set(["shutdown", "reboot", "halt", "poweroff", "killall5"]);
const PREFIXES = new Set(["sudo", "doas", "env", "exec", "command", "nohup", "then", "do", "else"]);
const BOMB = /([\w:.-]+)\s*\(\s*\)\s*\{[^}]{0,80}\1\s*(?:\|\s*\1|&)/;
const DEVICE_WRITE = />[|>&]?\s*(\/dev\/[\w/-]+)/g;

/** Uses of dangerous programs as far as bare words tell: quotes, braces and backslashes are taken away. */
export function scanTokens(text: string, context: ShellContext): ProgramUse[] {
  const bare = text
    .replace(/\\\n/g, "")
    .replace(/\$\{?IFS\}?/g, " ")
    .replace(/["'\\]/g, "");
  const uses = bare.split(/[;|&()\n`]+/).flatMap((segment) => usesIn(segment, context));
  for (const [, device] of bare.matchAll(DEVICE_WRITE)) uses.push(useOf(["tee", device!], context));
  const bomb = BOMB.exec(bare);
  if (bomb) uses.push(useOf(["killall5"], context));
  return uses;
}

function usesIn(segment: string, context: ShellContext): ProgramUse[] {
  const words = segment.split(/[\s{},]+/).filter((word) => word !== "");
  return words.flatMap((word, index) => {
    const name = word.slice(word.lastIndexOf("/") + 1);
    if (!ruleFor(name)) return [];
    const before = words[index - 1];
    const isStart = before === undefined || PREFIXES.has(before) || /^\w+=/.test(before);
    if (STOPPERS.has(name) && !isStart) return [];
    return [useOf([word, ...words.slice(index + 1, index + MAX_WORDS)], context)];
  });
}

function useOf(texts: readonly string[], context: ShellContext): ProgramUse {
  const [program, ...args] = texts.map((text) => wordOf(text, context));
  return {
    name: program!.raw.slice(program!.raw.lastIndexOf("/") + 1),
    program: program!,
    args,
    directories: [context.cwd],
    wrappers: [],
    stdin: [undefined],
    position: { start: 0, end: 0 },
  };
}

function wordOf(raw: string, context: ShellContext): ShellWord {
  const text = raw.replace(/^~(?=\/|$)|\$\{?HOME\}?/g, () => context.home);
  const isKnown = !text.includes("$");
  return {
    raw,
    value: isKnown ? text : undefined,
    template: text.replace(/\$\w*/g, UNKNOWN_PART),
    isPattern: /[*?[]/.test(text),
    valueIfEmpty: isKnown ? undefined : text.replace(/\$\w*/g, ""),
    isMany: false,
  };
}
