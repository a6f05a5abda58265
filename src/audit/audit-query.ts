// Reading the log: list, show, verify, export.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { ToolError } from "../core/errors.ts";
import type { Store } from "../store/open-store.ts";
import { asStoreError } from "../store/store-errors.ts";
import { type AuditRecord, chainHash, parseRecord } from "./audit-record.ts";

export interface AuditRow {
  readonly seq: number;
  readonly hash: string;
  readonly record: AuditRecord;
}

export interface AuditFilter {
  readonly tool?: string;
  readonly sessionId?: string;
  readonly callId?: string;
  /** Only rows after this one. */
  readonly afterSeq?: number;
  readonly limit: number;
}

/** The newest rows that fit the filter, newest first. */
export async function listAudit(store: Store, filter: AuditFilter): Promise<AuditRow[]> {
  let query = store.db.selectFrom("audit").select(["seq", "body", "hash"]).orderBy("seq", "desc").limit(filter.limit);
  if (filter.tool !== undefined) query = query.where("tool", "=", filter.tool);
  if (filter.sessionId !== undefined) query = query.where("session_id", "=", filter.sessionId);
  if (filter.callId !== undefined) query = query.where("call_id", "=", filter.callId);
  if (filter.afterSeq !== undefined) query = query.where("seq", ">", filter.afterSeq);
  try {
    return (await query.execute()).map(asRow);
  } catch (error) {
    throw asStoreError(error, store.path);
  }
}

/** One row by call id or sequence number. Throws `not_found`. */
export async function findAudit(store: Store, which: string): Promise<AuditRow> {
  const bySeq = /^\d{1,15}$/.test(which);
  const filter = bySeq ? { afterSeq: Number(which) - 1, limit: 1 } : { callId: which, limit: 1 };
  const [row] = bySeq ? await rowsFrom(store, Number(which) - 1, 1) : await listAudit(store, filter);
  if (row && (!bySeq || row.seq === Number(which))) return row;
  throw new ToolError("not_found", `The audit log has no row ${which}`, {
    hint: "`pawl audit list` shows the newest.",
  });
}

/** All rows, oldest first, a page at a time: constant memory. */
export async function* exportAudit(store: Store, pageSize = 1_000): AsyncGenerator<AuditRow> {
  let after = 0;
  for (;;) {
    const page = await rowsFrom(store, after, pageSize);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)?.seq ?? after;
  }
}

export interface AuditVerdict {
  readonly intact: boolean;
  readonly rows: number;
  /** The first row at fault, when there is one. */
  readonly faultySeq?: number;
  readonly problem?: string;
}

/**
 * Recomputes the chain from its first row, and compares its end with the recorded head. Rows never change, so that
 * no lock is held: what others append meanwhile belongs to the next verification.
 */
export async function verifyAudit(store: Store): Promise<AuditVerdict> {
  try {
    return await verifyChain(store);
  } catch (error) {
    throw asStoreError(error, store.path);
  }
}

async function verifyChain(store: Store): Promise<AuditVerdict> {
  const end = await chainEnd(store);
  if (!end) return { intact: false, rows: 0, problem: "The recorded end of the chain is missing." };
  let rows = 0;
  let hash = "";
  for await (const row of rawRows(store, Math.max(end.headSeq, end.lastSeq))) {
    rows += 1;
    const problem = problemOf(row, rows, hash);
    if (problem) return { intact: false, rows, faultySeq: rows, problem };
    hash = row.hash;
  }
  if (end.headSeq !== rows || end.headHash !== hash) {
    const problem = `The chain ends at row ${rows}, but its recorded end is row ${end.headSeq}.`;
    return { intact: false, rows, faultySeq: Math.min(rows, end.headSeq) + 1, problem };
  }
  await checkFile(store);
  return { intact: true, rows };
}

/** What no row shows: damaged indexes, free pages that are in use. Throws `integrity_error`. */
async function checkFile(store: Store): Promise<void> {
  const check = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(store.db);
  const damage = check.rows[0]?.integrity_check;
  if (damage === undefined || damage === "ok") return;
  throw new ToolError("integrity_error", `The store ${store.path} is damaged: ${damage}`);
}

interface ChainEnd {
  readonly headSeq: number;
  readonly headHash: string;
  readonly lastSeq: number;
}

/** The recorded and the real end, in one statement: another process cannot append in between. */
async function chainEnd(store: Store): Promise<ChainEnd | undefined> {
  const row = await store.db
    .selectFrom("audit_head")
    .where("id", "=", 1)
    .select((query) => [
      "seq",
      "hash",
      query
        .selectFrom("audit")
        .select((audit) => audit.fn.max("seq").as("last"))
        .as("last_seq"),
    ])
    .executeTakeFirst();
  return row && { headSeq: row.seq, headHash: row.hash, lastSeq: row.last_seq ?? 0 };
}

interface RawRow {
  readonly seq: number;
  readonly body: string;
  readonly hash: string;
}

/** A log has many rows: this one is several times as fast. */
function nativeSha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function problemOf(row: RawRow, expectedSeq: number, previousHash: string): string | undefined {
  if (row.seq !== expectedSeq) return `Row ${expectedSeq} is missing; row ${row.seq} stands in its place.`;
  if (row.hash !== chainHash(previousHash, row, nativeSha256)) {
    return `Row ${row.seq} does not match its hash: it, or the row before it, was changed, moved or put in.`;
  }
  return undefined;
}

async function* rawRows(store: Store, last: number): AsyncGenerator<RawRow> {
  let after = -1;
  for (;;) {
    const page = await store.db
      .selectFrom("audit")
      .select(["seq", "body", "hash"])
      .where("seq", ">", after)
      .where("seq", "<=", last)
      .orderBy("seq")
      .limit(2_000)
      .execute();
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)?.seq ?? after;
  }
}

async function rowsFrom(store: Store, after: number, limit: number): Promise<AuditRow[]> {
  try {
    const query = store.db.selectFrom("audit").select(["seq", "body", "hash"]).where("seq", ">", after);
    return (await query.orderBy("seq").limit(limit).execute()).map(asRow);
  } catch (error) {
    throw asStoreError(error, store.path);
  }
}

function parseRow({ seq, body }: RawRow): AuditRecord {
  try {
    return parseRecord(body);
  } catch (error) {
    throw new ToolError("integrity_error", `Row ${seq} of the audit log is damaged: it is no JSON`, { cause: error });
  }
}

function asRow(row: RawRow): AuditRow {
  return { seq: row.seq, hash: row.hash, record: parseRow(row) };
}
