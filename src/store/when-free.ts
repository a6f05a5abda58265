import { setTimeout as delay } from "node:timers/promises";
import { monotonicMs } from "../core/monotonic.ts";
import { sqliteCode } from "./store-errors.ts";

/** Milliseconds that a writer waits for its turn. */
const WAIT_MS = 20_000;
const LONGEST_PAUSE_MS = 25;
// https://www.sqlite.org/rescode.html#busy
const BUSY = 5;

/** Does `work`, again and again while SQLite says that somebody else has the database; then throws what it says. */
export async function whenFree<Value>(work: () => Promise<Value> | Value): Promise<Value> {
  const started = monotonicMs();
  for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (sqliteCode(error) !== BUSY || monotonicMs() - started > WAIT_MS) throw error;
      // Apart from each other, so that those who wait do not come back all at once.
      await delay(pause * (0.5 + Math.random()));
    }
  }
}
