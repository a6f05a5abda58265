const EXAMPLES = 3;

/** How often something came up, and the first few times by name. */
export class Tally {
  readonly #examples: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(example: string): void {
    this.#count += 1;
    if (this.#examples.length < EXAMPLES) this.#examples.push(example);
  }

  /** "a, b, c and 4 more". */
  named(): string {
    const more = this.#count - this.#examples.length;
    return this.#examples.join(", ") + (more > 0 ? ` and ${more.toLocaleString("en-US")} more` : "");
  }
}
