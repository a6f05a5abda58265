import { type InnerCommand, optionLength, wordFromTemplate } from "./command-wrappers.ts";
import {
  MAX_POSSIBILITIES,
  type PossibleTexts,
  type ShellWord,
  UNKNOWN_PART,
  knownWord,
  unknownWord,
} from "./shell-value.ts";

const SYNTAX = {
  short: "aEILnPsd",
  long: "arg-file delimiter max-lines max-args max-procs max-chars replace process-slot-var",
};
const MAX_ARGUMENTS = 1_000;

/** What `xargs` runs, for every text that its input may be. */
export function unwrapXargs(args: readonly ShellWord[], stdin: PossibleTexts): InnerCommand[] {
  let at = 0;
  let placeholder: string | undefined;
  let delimiter: string | undefined;
  let isFromFile = false;
  while (args[at]?.template.startsWith("-")) {
    const option = args[at]!.template;
    const next = args[at + 1]?.value;
    if (option === "--") {
      at++;
      break;
    }
    if (/^(-i|-I|--replace)/.test(option))
      placeholder = /^(?:-[iI]|--replace=)(.+)$/.exec(option)?.[1] ?? (option === "-I" ? next : "{}");
    if (/^-\w*0|^--null$/.test(option)) delimiter = "\0";
    if (/^(-d|--delimiter)/.test(option)) delimiter = /^(?:-d|--delimiter=)(.+)$/.exec(option)?.[1] ?? next;
    if (/^(-a|--arg-file)/.test(option)) isFromFile = true;
    at += optionLength(option, SYNTAX);
  }
  const command = at < args.length ? args.slice(at) : [knownWord("echo")];
  const inputs = isFromFile ? [undefined] : stdin;
  return inputs.flatMap((text) => commandsFor(command, text, { placeholder, delimiter }));
}

interface Reading {
  readonly placeholder: string | undefined;
  readonly delimiter: string | undefined;
}

function commandsFor(command: readonly ShellWord[], input: string | undefined, how: Reading): InnerCommand[] {
  const items = input === undefined ? undefined : split(input, how);
  const { placeholder } = how;
  if (placeholder === undefined) {
    const appended = items?.map((item) => (isOpen(item, how) ? unknownWord(item, true) : wordFromTemplate(item))) ?? [
      unknownWord("its input", true),
    ];
    return [{ words: [...command, ...appended], stdin: [""] }];
  }
  const values = items && items.length <= MAX_POSSIBILITIES ? items.map(wordFromTemplate) : [unknownWord("its input")];
  return values.map((value) => ({ words: command.map((word) => place(word, placeholder, value)), stdin: [""] }));
}

/** Unknown text that may hold blanks, and so several items. */
function isOpen(item: string, { delimiter }: Reading): boolean {
  return item.includes(UNKNOWN_PART) && delimiter === undefined;
}

function split(input: string, { delimiter, placeholder }: Reading): string[] | undefined {
  const decoded = delimiter?.replace("\\n", "\n").replace("\\0", "\0").replace("\\t", "\t");
  const separator = decoded ?? (placeholder === undefined ? /\s+/ : "\n");
  const items = input.split(separator).flatMap((item) => {
    const text = decoded === undefined ? unquote(item.trim()) : item.replace(/\n$/, "");
    return text === "" ? [] : [text];
  });
  return items.length > MAX_ARGUMENTS ? undefined : items;
}

function unquote(item: string): string {
  return item.replace(/\\(.)|["']/g, (_, escaped?: string) => escaped ?? "");
}

function place(word: ShellWord, placeholder: string, value: ShellWord): ShellWord {
  if (!word.template.includes(placeholder)) return word;
  return wordFromTemplate(word.template.replaceAll(placeholder, () => value.template));
}
