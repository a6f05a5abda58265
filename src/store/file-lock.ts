// A lock between processes that the system releases however its holder ends: SQLite's, on a file of its own.
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeDirectory } from "../core/make-directory.ts";
import { ToolError } from "../core/errors.ts";
import { asStoreError } from "./store-errors.ts";
import { whenFree } from "./when-free.ts";

/** One lock for all who share a PAWL_HOME. Its owner calls `close`. */
export class FileLock {
  readonly #path: string;
  #database: DatabaseSync | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(home: string) {
    this.#path = join(home, "locks.sqlite");
  }

  /** Runs `critical` alone among all calls of all processes. Throws `unavailable` when the wait was in vain. */
  withLock<Value>(critical: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(() => this.#exclusively(critical));
    this.#last = turn.catch(() => {});
    return turn;
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  async #exclusively<Value>(critical: () => Promise<Value>): Promise<Value> {
    const database = this.#open();
    try {
      await whenFree(() => database.exec("begin exclusive"));
    } catch (error) {
      throw asStoreError(error, this.#path);
    }
    try {
      return await critical();
    } finally {
      database.exec("rollback");
    }
  }

  #open(): DatabaseSync {
    if (this.#database) return this.#database;
    try {
      makeDirectory(dirname(this.#path));
      this.#database = new DatabaseSync(this.#path, { timeout: 0 });
      return this.#database;
    } catch (error) {
      throw new ToolError("io_error", `The lock ${this.#path} cannot be opened`, {
        hint: "Check PAWL_HOME.",
        cause: error,
      });
    }
  }
}
