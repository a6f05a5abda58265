/** Lets work on the same thing run one after the other, within this process. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all earlier work on `key` has ended, in whatever way. */
  async take<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
