import { ToolError } from "../../core/errors.ts";
import { expandBraces } from "./expand-braces.ts";
import { compileName, type NamePattern } from "./name-pattern.ts";

/** Where in its patterns a walk stands; opaque to the walk. */
export type Places = readonly number[];

export interface Step {
  /** The name ends a match. */
  readonly isHit: boolean;
  /** What may match below it; empty: nothing. */
  readonly below: Places;
  /** The part of `below` that the pattern reached by spelling this very name. */
  readonly belowNamed: Places;
}

interface Part {
  /** Undefined for `**`. */
  readonly name: NamePattern | undefined;
  readonly isLast: boolean;
}

const NOWHERE: Places = [];

/**
 * Matches paths part by part, so that a walk enters only folders in which something can match. `**` stands for any
 * number of folders; a leading dot is nothing special.
 */
export class GlobMatcher {
  /** Every name that the patterns spell out. */
  readonly spelledNames: ReadonlySet<string>;
  readonly start: Places;
  readonly #parts: readonly Part[];

  /** Throws `invalid_input` for a pattern that cannot be understood. */
  constructor(patterns: readonly string[], caseSensitive: boolean) {
    const parts: Part[] = [];
    const starts: number[] = [];
    for (const words of new Set(patterns.flatMap(alternativesOf))) {
      starts.push(parts.length);
      const names = partsOf(words);
      for (const [index, name] of names.entries()) {
        const isLast = index === names.length - 1;
        parts.push({ name: name === "**" ? undefined : compileName(name, caseSensitive), isLast });
      }
    }
    this.#parts = parts;
    this.spelledNames = new Set(parts.flatMap((part) => part.name?.literal ?? []));
    this.start = this.#withSkips(starts);
  }

  step(places: Places, name: string): Step {
    let isHit = false;
    const below: number[] = [];
    const named: number[] = [];
    for (const place of places) {
      const part = this.#parts[place];
      if (!part) continue;
      if (part.name === undefined) {
        below.push(place);
        isHit ||= part.isLast;
      } else if (part.name.test(name)) {
        if (part.isLast) isHit = true;
        else {
          below.push(place + 1);
          if (part.name.literal !== undefined) named.push(place + 1);
        }
      }
    }
    return { isHit, below: this.#withSkips(below), belowNamed: this.#withSkips(named) };
  }

  matches(path: string): boolean {
    let places = this.start;
    let isHit = false;
    for (const name of path.split("/")) ({ isHit, below: places } = this.step(places, name));
    return isHit;
  }

  /** `**` may stand for no folder at all. */
  #withSkips(places: readonly number[]): Places {
    if (places.length === 0) return NOWHERE;
    const all = new Set<number>();
    for (const first of places) {
      for (let place = first; !all.has(place); place++) {
        all.add(place);
        const part = this.#parts[place];
        if (!part || part.name !== undefined || part.isLast) break;
      }
    }
    return [...all];
  }
}

/** The parts of a path or pattern, without empty ones and `.`. */
export function partsOf(pattern: string): string[] {
  return pattern.split("/").filter((part) => part !== "" && part !== ".");
}

/** The expanded pattern, and the pattern with every brace meant as it stands: names can have braces. */
function alternativesOf(pattern: string): readonly string[] {
  const expanded = expandBraces(pattern).map(checked);
  return expanded.length === 1 ? expanded : [...expanded, pattern.replaceAll(/[\\{}*?[\]()!+@]/g, String.raw`\$&`)];
}

function checked(pattern: string): string {
  if (partsOf(pattern).includes("..")) {
    throw new ToolError("invalid_input", `The pattern ${JSON.stringify(pattern)} has .. after a wildcard`, {
      hint: "Use .. only at the beginning, or give the folder as path.",
    });
  }
  if (/[?*+@!]\([^()]*\/[^()]*\)/.test(pattern)) {
    throw new ToolError("invalid_input", `The pattern ${JSON.stringify(pattern)} has a / inside parentheses`, {
      hint: "Write {a/b,c} instead of @(a/b|c).",
    });
  }
  return pattern;
}
