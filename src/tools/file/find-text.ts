import { PlainText, toPlain } from "./plain-text.ts";

/** A place of the searched text: `start` up to but without `end`. */
export interface Match {
  readonly start: number;
  readonly end: number;
}

export interface Matches {
  /** In order, none overlapping another. */
  readonly places: readonly Match[];
  /** True when a second place begins inside the first: "aa" in "aaa". Then no place is the only one. */
  readonly overlapping: boolean;
  /** True when the places are written exactly as the wanted text, line ends and all. */
  readonly literal: boolean;
}

/**
 * Finds a text as a reader sees it: its LF stands for whatever ends the lines there, so that two places which look the
 * same are both found. A wanted text that itself has CR is first looked for exactly as it is.
 */
export function findText(text: string, wanted: string): Matches {
  if (wanted.includes("\r") || !text.includes("\r")) {
    const exact = findExact(text, wanted);
    if (exact.places.length > 0 || !wanted.includes("\r")) return { ...exact, literal: true };
  }
  const plain = new PlainText(text);
  const { places, overlapping } = findExact(plain.text, toPlain(wanted));
  return {
    places: places.map(({ start, end }) => ({ start: plain.toOriginal(start), end: plain.toOriginal(end) })),
    overlapping,
    literal: false,
  };
}

function findExact(text: string, wanted: string): Omit<Matches, "literal"> {
  const places: Match[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    places.push({ start: at, end: at + wanted.length });
  }
  const first = places[0];
  const second = first ? text.indexOf(wanted, first.start + 1) : -1;
  return { places, overlapping: first !== undefined && second !== -1 && second < first.end };
}
