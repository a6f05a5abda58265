import type { Match } from "./find-text.ts";
import type { LineEnding } from "./line-source.ts";

/** Says how lines end around places of a text. Places are asked for in ascending order, so that a text is scanned once. */
export class LineEndingFinder {
  readonly #text: string;
  readonly #mark: "\n" | "\r";
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#mark = text.includes("\n") || !text.includes("\r") ? "\n" : "\r";
    this.#next = text.indexOf(this.#mark);
  }

  /** A new text with its LFs written as the lines around a place end. With as many line ends as the place has, one for one. */
  fit(text: string, place: Match): string {
    if (!text.includes("\n")) return text;
    const endings = this.#inside(place);
    const around = endings[0] ?? this.#around(place);
    const lines = text.split("\n");
    const own = endings.length === lines.length - 1 ? endings : [];
    return lines.map((line, index) => (index === lines.length - 1 ? line : line + (own[index] ?? around))).join("");
  }

  #inside({ start, end }: Match): LineEnding[] {
    const endings: LineEnding[] = [];
    for (let at = this.#from(start); at !== -1 && at < end; at = this.#text.indexOf(this.#mark, at + 1)) {
      endings.push(this.#ending(at));
    }
    return endings;
  }

  #around({ start, end }: Match): LineEnding {
    const after = this.#from(end);
    const at = after === -1 ? this.#text.lastIndexOf(this.#mark, start) : after;
    return at === -1 ? "\n" : this.#ending(at);
  }

  #from(place: number): number {
    if (this.#next !== -1 && this.#next < place) this.#next = this.#text.indexOf(this.#mark, place);
    return this.#next;
  }

  #ending(at: number): LineEnding {
    if (this.#mark === "\r") return "\r";
    return this.#text[at - 1] === "\r" ? "\r\n" : "\n";
  }
}
