// One name against one part of a glob. Matching takes polynomial time whatever the pattern: no regular expression is made.

type Token =
  | { readonly kind: "text"; readonly character: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; readonly has: (character: string) => boolean }
  | { readonly kind: "group"; readonly operator: string; readonly choices: readonly (readonly Token[])[] };

export type NameTest = (name: string) => boolean;

export interface NamePattern {
  /** The name that is meant, when the part is no pattern. */
  readonly literal: string | undefined;
  readonly test: NameTest;
}

/**
 * Understands `*`, `?`, `[a-z]`, `[!a]`, `[[:alpha:]]`, `?(a|b)`, `*(…)`, `+(…)`, `@(…)`, `!(…)` and the backslash, like
 * bash with extglob and dotglob. A name that is spelled like the pattern itself matches too.
 */
export function compileName(part: string, caseSensitive: boolean): NamePattern {
  const fold = caseSensitive ? (text: string) => text : (text: string) => text.toLowerCase();
  const tokens = new TokenReader(Array.from(fold(part))).readAll();
  const plain = literalOf(tokens);
  const same = fold(part);
  if (plain !== undefined) return { literal: plain, test: (name) => fold(name) === plain || fold(name) === same };
  const test = testOf(tokens);
  return {
    literal: undefined,
    test: (name) => {
      const folded = fold(name);
      return folded === same || test(folded);
    },
  };
}

function literalOf(tokens: readonly Token[]): string | undefined {
  let text = "";
  for (const token of tokens) {
    if (token.kind !== "text") return undefined;
    text += token.character;
  }
  return text;
}

/** `prefix*suffix` needs no more than a look at both ends. */
function testOf(tokens: readonly Token[]): NameTest {
  const star = tokens.findIndex((token) => token.kind === "star");
  const prefix = star < 0 ? undefined : literalOf(tokens.slice(0, star));
  const suffix = star < 0 ? undefined : literalOf(tokens.slice(star + 1));
  if (prefix !== undefined && suffix !== undefined) {
    const shortest = prefix.length + suffix.length;
    return (name) => name.length >= shortest && name.startsWith(prefix) && name.endsWith(suffix);
  }
  return (name) => {
    const characters = Array.from(name);
    return endsOf(tokens, characters, new Set([0])).has(characters.length);
  };
}

/** Where matches of `tokens` that begin at one of `starts` can end. */
function endsOf(tokens: readonly Token[], characters: readonly string[], starts: ReadonlySet<number>): Set<number> {
  let places = new Set(starts);
  for (const token of tokens) {
    if (places.size === 0) return places;
    places = stepOf(token, characters, places);
  }
  return places;
}

function stepOf(token: Token, characters: readonly string[], places: ReadonlySet<number>): Set<number> {
  if (token.kind === "star") return placesFrom(Math.min(...places), characters.length);
  if (token.kind === "group") return groupEnds(token, characters, places);
  const ends = new Set<number>();
  for (const place of places) {
    const character = characters[place];
    if (character !== undefined && fits(token, character)) ends.add(place + 1);
  }
  return ends;
}

function fits(token: Exclude<Token, { kind: "star" | "group" }>, character: string): boolean {
  if (token.kind === "any") return true;
  return token.kind === "text" ? token.character === character : token.has(character);
}

function groupEnds(
  group: Extract<Token, { kind: "group" }>,
  characters: readonly string[],
  places: ReadonlySet<number>,
): Set<number> {
  const once = (starts: ReadonlySet<number>): Set<number> =>
    new Set(group.choices.flatMap((choice) => [...endsOf(choice, characters, starts)]));
  if (group.operator === "!") {
    const ends = new Set<number>();
    for (const place of places) {
      const refused = once(new Set([place]));
      for (const end of placesFrom(place, characters.length)) if (!refused.has(end)) ends.add(end);
    }
    return ends;
  }
  const ends = once(places);
  if (group.operator === "*" || group.operator === "+") {
    for (let fresh = ends; fresh.size > 0;) {
      fresh = new Set([...once(fresh)].filter((end) => !ends.has(end)));
      for (const end of fresh) ends.add(end);
    }
  }
  if (group.operator === "*" || group.operator === "?") for (const place of places) ends.add(place);
  return ends;
}

function placesFrom(first: number, last: number): Set<number> {
  const places = new Set<number>();
  for (let place = first; place <= last; place++) places.add(place);
  return places;
}

class TokenReader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(characters: readonly string[]) {
    this.#characters = characters;
  }

  readAll(): Token[] {
    return this.#readUntil(() => false);
  }

  #readUntil(isEnd: (character: string) => boolean): Token[] {
    const tokens: Token[] = [];
    for (let character = this.#peek(); character !== undefined && !isEnd(character); character = this.#peek()) {
      const token = this.#group() ?? this.#class() ?? this.#single(character);
      if (token.kind !== "star" || tokens.at(-1)?.kind !== "star") tokens.push(token);
    }
    return tokens;
  }

  #single(character: string): Token {
    this.#at += 1;
    if (character === "*") return { kind: "star" };
    if (character === "?") return { kind: "any" };
    const escaped = character === "\\" ? this.#peek() : undefined;
    if (escaped === undefined) return { kind: "text", character };
    this.#at += 1;
    return { kind: "text", character: escaped };
  }

  #group(): Token | undefined {
    const operator = this.#peek() ?? "";
    if (!"?*+@!".includes(operator) || this.#characters[this.#at + 1] !== "(") return undefined;
    const start = this.#at;
    this.#at += 2;
    const choices: Token[][] = [];
    for (;;) {
      choices.push(this.#readUntil((character) => character === "|" || character === ")"));
      const end = this.#peek();
      this.#at += 1;
      if (end === ")") return { kind: "group", operator, choices };
      if (end === undefined) break;
    }
    // It never closes, so it is not one.
    this.#at = start;
    return undefined;
  }

  #class(): Token | undefined {
    if (this.#peek() !== "[") return undefined;
    const start = this.#at;
    this.#at += 1;
    const negated = this.#peek() === "!" || this.#peek() === "^";
    if (negated) this.#at += 1;
    const members: ((character: string) => boolean)[] = [];
    for (let first = true; ; first = false) {
      const character = this.#peek();
      if (character === undefined) break;
      if (character === "]" && !first) {
        this.#at += 1;
        return { kind: "class", has: (other) => members.some((member) => member(other)) !== negated };
      }
      members.push(this.#posixClass() ?? this.#range());
    }
    this.#at = start;
    return undefined;
  }

  #posixClass(): ((character: string) => boolean) | undefined {
    const found = /^\[:([a-z]+):\]/.exec(this.#characters.slice(this.#at, this.#at + 12).join(""));
    const test = POSIX_CLASSES[found?.[1] ?? ""];
    if (!found || !test) return undefined;
    this.#at += found[0].length;
    return (character) => test.test(character);
  }

  #range(): (character: string) => boolean {
    const low = this.#classCharacter();
    const isRange = this.#peek() === "-" && ![undefined, "]"].includes(this.#characters[this.#at + 1]);
    if (!isRange) return (character) => character === low;
    this.#at += 1;
    const high = this.#classCharacter();
    return (character) => character >= low && character <= high;
  }

  #classCharacter(): string {
    if (this.#peek() === "\\" && this.#characters[this.#at + 1] !== undefined) this.#at += 1;
    const character = this.#peek() ?? "";
    this.#at += 1;
    return character;
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }
}

const POSIX_CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /^\p{L}$/u,
  digit: /^[0-9]$/,
  alnum: /^[\p{L}0-9]$/u,
  upper: /^\p{Lu}$/u,
  lower: /^\p{Ll}$/u,
  space: /^\s$/,
  punct: /^[!-/:-@[-`{-~]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};
