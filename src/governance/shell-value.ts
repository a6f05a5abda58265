// What a shell word can be known to stand for.

/** One argument after all expansions, as far as they are known without running anything. */
export interface ShellWord {
  /** As it stands in the text. */
  readonly raw: string;
  /** Undefined when some part of it is only known at run time. */
  readonly value: string | undefined;
  /** The value, with {@link UNKNOWN_PART} for each part that is not known. */
  readonly template: string;
  /** Has `*`, `?` or `[` that the shell expands to file names; `value` then is the pattern. */
  readonly isPattern: boolean;
  /** The value if everything unknown in it came out empty; undefined when that cannot be, or when nothing is unknown. */
  readonly valueIfEmpty: string | undefined;
  /** Can become any number of arguments, also none. */
  readonly isMany: boolean;
}

/** A piece of a word while it is being expanded; `text` is undefined when only run time knows it. */
export interface Fragment {
  readonly text: string | undefined;
  readonly quoted: boolean;
  readonly mayBeEmpty?: boolean;
  readonly isMany?: boolean;
  /** A pattern that was expanded earlier, so that quotes do not take it back. */
  readonly isPattern?: boolean;
}

/** Stands for unknown text inside a known one: a private-use character, unknown itself when somebody writes it. */
export const UNKNOWN_PART = "\ue000";

/** Where one word ends and the next begins. */
export const WORD_BREAK = Symbol("word break");

/** What one word of the text expands to: fragments, cut into words. */
export type Expansion = readonly (Fragment | typeof WORD_BREAK)[];

/** A text, or undefined where it is not known. Several: every one of them is possible. */
export type PossibleTexts = readonly (string | undefined)[];

/** More possibilities than this are given up as "unknown". */
export const MAX_POSSIBILITIES = 24;

const MAX_TEXT_LENGTH = 1_000_000;

/** A word that is known and needs no expansion. */
export function knownWord(value: string, raw: string = value): ShellWord {
  return { raw, value, template: value, isPattern: false, valueIfEmpty: undefined, isMany: false };
}

/** A word of which nothing is known. */
export function unknownWord(raw: string, isMany = false): ShellWord {
  return { raw, value: undefined, template: UNKNOWN_PART, isPattern: false, valueIfEmpty: "", isMany };
}

/** Cuts an expansion into words. An unquoted word that comes out empty is none. */
export function wordsOf(expansion: Expansion, raw: string): ShellWord[] {
  const words: ShellWord[] = [];
  let fragments: Fragment[] = [];
  const close = () => {
    if (fragments.some((fragment) => fragment.quoted || fragment.text !== ""))
      words.push(joinFragments(fragments, raw));
    fragments = [];
  };
  for (const item of expansion) {
    if (item === WORD_BREAK) close();
    else fragments.push(item);
  }
  close();
  return words;
}

/** Every distinct possibility of one text followed by another; unknown when there are too many. */
export function concatenate(first: PossibleTexts, second: PossibleTexts): PossibleTexts {
  if (first.length * second.length > MAX_POSSIBILITIES) return [undefined];
  const texts = first.flatMap((a) => second.map((b) => append(a, b)));
  return [...new Set(texts)];
}

/** Every distinct possibility of either. */
export function either(first: PossibleTexts, second: PossibleTexts): PossibleTexts {
  const texts = [...new Set([...first, ...second])];
  return texts.length > MAX_POSSIBILITIES ? [undefined] : texts;
}

/** The text of a word where no word splitting happens (assignments, here-strings), as a template. */
export function templateOf(expansion: Expansion): string {
  return expansion.map((item) => (item === WORD_BREAK ? " " : (item.text ?? UNKNOWN_PART))).join("");
}

/** A text as fragments, unknown where it has {@link UNKNOWN_PART}. */
export function fragmentsOf(template: string, quoted: boolean): Fragment[] {
  if (!template.includes(UNKNOWN_PART)) return [{ text: template, quoted }];
  return template.split(UNKNOWN_PART).flatMap((text, index) => {
    const fragments: Fragment[] = index > 0 ? [{ text: undefined, quoted, isMany: !quoted }] : [];
    if (text !== "") fragments.push({ text, quoted });
    return fragments;
  });
}

function append(first: string | undefined, second: string | undefined): string | undefined {
  const isKnown = first !== undefined && second !== undefined && first.length + second.length <= MAX_TEXT_LENGTH;
  return isKnown ? first + second : undefined;
}

function isPatternFragment({ isPattern, quoted, text }: Fragment): boolean {
  return isPattern === true || (!quoted && /[*?[]|[@+!]\(/.test(text ?? ""));
}

function joinFragments(fragments: readonly Fragment[], raw: string): ShellWord {
  const isKnown = fragments.every(({ text }) => text !== undefined);
  const text = fragments.map((fragment) => fragment.text ?? "").join("");
  const canBeEmpty = fragments.every((fragment) => fragment.text !== undefined || fragment.mayBeEmpty !== false);
  return {
    raw,
    value: isKnown ? text : undefined,
    template: templateOf(fragments),
    isPattern: fragments.some(isPatternFragment),
    valueIfEmpty: !isKnown && canBeEmpty ? text : undefined,
    isMany: fragments.some((fragment) => fragment.isMany === true),
  };
}
