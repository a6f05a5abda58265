// Text with every line end written as LF, for searching; places found in it lead back to the text itself, which stays as it is.

/** A text as its reader sees it, whatever ends its lines. */
export class PlainText {
  readonly text: string;
  /** Where in `text` the LF stands for CR LF, ascending. */
  readonly #pairs: readonly number[];

  constructor(original: string) {
    this.text = toPlain(original);
    this.#pairs = this.text.length === original.length ? [] : findPairs(original);
  }

  /** The place in the original text; before the CR where it lies at a line end of two characters. */
  toOriginal(place: number): number {
    let [low, high] = [0, this.#pairs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#pairs[middle]! < place) low = middle + 1;
      else high = middle;
    }
    return place + low;
  }
}

/** Line ends as LF. A lone CR is one only in a text that has no LF; elsewhere it is a character. */
export function toPlain(text: string): string {
  if (!text.includes("\r")) return text;
  return text.includes("\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\r", "\n");
}

/** 1-based number of the line that a place of a text, plain or not, lies in. */
export function lineNumberAt(text: string, place: number): number {
  const mark = text.includes("\n") ? "\n" : "\r";
  let line = 1;
  for (let at = text.indexOf(mark); at !== -1 && at < place; at = text.indexOf(mark, at + 1)) line++;
  return line;
}

function findPairs(original: string): number[] {
  const pairs: number[] = [];
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2))
    pairs.push(at - pairs.length);
  return pairs;
}
