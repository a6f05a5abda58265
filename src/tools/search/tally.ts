const EXAMPLES = 3;
const LONGEST_EXAMPLE = 240;

/** How often something came up, and the first few times by name. */
export class Tally {
  readonly #examples: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(example: string): void {
    this.#count += 1;
    if (this.#examples.length < EXAMPLES) this.#examples.push(shortened(example));
  }

  /** "a, b, c and 4 more". */
  named(): string {
    const more = this.#count - this.#examples.length;
    return this.#examples.join(", ") + (more > 0 ? ` and ${more.toLocaleString("en-US")} more` : "");
  }
}

function shortened(text: string): string {
  if (text.length <= LONGEST_EXAMPLE) return text;
  const half = LONGEST_EXAMPLE / 2;
  return `${text.slice(0, half)}…${text.slice(-half)}`.toWellFormed();
}
