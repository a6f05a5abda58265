const SLACK = 2_000;

/** Counts items and keeps those that come first in an order, in constant memory. */
export class LeadingItems<Item> {
  readonly #keep: number;
  readonly #compare: (a: Item, b: Item) => number;
  #items: Item[] = [];
  #total = 0;

  constructor(keep: number, compare: (a: Item, b: Item) => number) {
    this.#keep = keep;
    this.#compare = compare;
  }

  get total(): number {
    return this.#total;
  }

  add(item: Item): void {
    this.#total += 1;
    this.#items.push(item);
    if (this.#items.length > this.#keep * 2 + SLACK) this.#items = this.#sorted();
  }

  /** In order; no more than are kept. */
  list(): readonly Item[] {
    this.#items = this.#sorted();
    return this.#items;
  }

  #sorted(): Item[] {
    return this.#items.sort(this.#compare).slice(0, this.#keep);
  }
}

export interface FoundFile {
  /** With slashes, as it is shown. */
  readonly path: string;
  readonly mtimeMs: number;
}

/** Equal times: in the order of their paths. */
export function newestFirst(a: FoundFile, b: FoundFile): number {
  return b.mtimeMs - a.mtimeMs || byPath(a, b);
}

export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
