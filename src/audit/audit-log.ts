// The append-only, hash-chained log. One chain for all processes that share a store.
import type { Kysely, Transaction } from "kysely";
import type { Schema } from "../store/schema.ts";
import { asStoreError } from "../store/store-errors.ts";
import { type AuditRecord, auditBody, chainHash, parseRecord } from "./audit-record.ts";
import { processIsAlive, thisProcess } from "./process-owner.ts";

/** Rows that one transaction takes at most, so that other processes get their turn. */
const MAX_BATCH = 250;

/** Ends the processes that a call left behind. */
export type EndRemains = (callId: string) => Promise<readonly { readonly pid: number; readonly command: string }[]>;

interface Waiting {
  readonly record: AuditRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Appends rows; what comes while a transaction is under way goes into the next one together. */
export class AuditLog {
  readonly #db: Kysely<Schema>;
  readonly #path: string;
  readonly #waiting: Waiting[] = [];
  /** Calls that have a row in `open_call`. */
  readonly #open = new Set<string>();
  #flushing = false;

  constructor(store: { readonly db: Kysely<Schema>; readonly path: string }) {
    this.#db = store.db;
    this.#path = store.path;
  }

  /**
   * Notes a call before it changes anything, so that it is on record even if this process is killed in the middle.
   * Rejects as `append` does; then the call must not run.
   */
  async open(record: AuditRecord): Promise<void> {
    try {
      await this.#db
        .insertInto("open_call")
        .values({ call_id: record.call_id, owner: thisProcess(), body: auditBody(record) })
        .execute();
      this.#open.add(record.call_id);
    } catch (error) {
      throw asStoreError(error, this.#path);
    }
  }

  /** Resolves when the row is committed. Rejects with `io_error`, `integrity_error` or `unavailable`. */
  append(record: AuditRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
      if (!this.#flushing) void this.#flush();
    });
  }

  /**
   * Writes a row for each call whose process died in the middle; returns how many there were. `endRemains` ends what such a
   * call left running, and names it.
   */
  async recover(endRemains: EndRemains = async () => []): Promise<number> {
    try {
      const open = await this.#db.selectFrom("open_call").selectAll().limit(1_000).execute();
      const dead = open.filter((call) => !processIsAlive(call.owner));
      for (const call of dead) await this.#recoverCall(call, endRemains);
      return dead.length;
    } catch (error) {
      throw asStoreError(error, this.#path);
    }
  }

  async #recoverCall(call: { call_id: string; body: string }, endRemains: EndRemains): Promise<void> {
    const ended = await endRemains(call.call_id);
    const left = ended.map(({ pid, command }) => `${pid} ${command}`).join("; ");
    const text = `The process that ran this call ended in the middle of it.${left === "" ? "" : ` Ended later: ${left}`}`;
    this.#open.add(call.call_id);
    const result = { text, characters: text.length };
    await this.append({ ...parseRecord(call.body), outcome: "interrupted", result });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    // Lets every caller of this turn of the loop join the first batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#write(batch.map((entry) => entry.record));
        for (const entry of batch) entry.resolve();
      } catch (error) {
        const failure = asStoreError(error, this.#path);
        for (const entry of batch) entry.reject(failure);
      }
    }
    this.#flushing = false;
  }

  async #write(records: readonly AuditRecord[]): Promise<void> {
    const closed = records.map((record) => record.call_id).filter((callId) => this.#open.has(callId));
    await this.#db.transaction().execute(async (db) => {
      await appendRows(db, records);
      if (closed.length > 0) await db.deleteFrom("open_call").where("call_id", "in", closed).execute();
    });
    for (const callId of closed) this.#open.delete(callId);
  }
}

async function appendRows(db: Transaction<Schema>, records: readonly AuditRecord[]): Promise<void> {
  const head = await db.selectFrom("audit_head").select(["seq", "hash"]).where("id", "=", 1).executeTakeFirstOrThrow();
  let { seq, hash } = head;
  const rows = records.map((record) => {
    const body = auditBody(record);
    seq += 1;
    hash = chainHash(hash, { seq, body });
    return { seq, body, hash };
  });
  await db.insertInto("audit").values(rows).execute();
  await db.updateTable("audit_head").set({ seq, hash }).where("id", "=", 1).execute();
}
