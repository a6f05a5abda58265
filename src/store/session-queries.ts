import type { Kysely, Selectable } from "kysely";
import type { Schema, SessionTable } from "./schema.ts";

export type SessionRow = Selectable<SessionTable>;

export interface NewSession {
  readonly id: string;
  readonly workspace: string;
  readonly now: number;
}

/** The session of this id; made when there is none, also when many processes ask at once. */
export async function findOrCreateSession(
  db: Kysely<Schema>,
  wanted: NewSession,
): Promise<{ row: SessionRow; created: boolean }> {
  const known = await findSession(db, wanted.id);
  if (known) return { row: known, created: false };
  const inserted = await db
    .insertInto("session")
    .values({
      id: wanted.id,
      workspace: wanted.workspace,
      created_at: wanted.now,
      updated_at: wanted.now,
      cwd: null,
      cwd_origin: null,
      mode: "default",
      plan: null,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .execute();
  const row = await db.selectFrom("session").selectAll().where("id", "=", wanted.id).executeTakeFirstOrThrow();
  return { row, created: inserted.length > 0 };
}

export async function findSession(db: Kysely<Schema>, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom("session").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function listSessions(db: Kysely<Schema>): Promise<SessionRow[]> {
  return db.selectFrom("session").selectAll().orderBy("updated_at", "desc").limit(1_000).execute();
}

export type SessionChange = Partial<Pick<SessionTable, "cwd" | "cwd_origin" | "mode" | "plan">> & {
  readonly now: number;
};

export async function changeSession(db: Kysely<Schema>, id: string, { now, ...change }: SessionChange): Promise<void> {
  await db
    .updateTable("session")
    .set({ ...change, updated_at: now })
    .where("id", "=", id)
    .execute();
}

/** Removes the session and what it has read; its audit rows stay. */
export async function deleteSession(db: Kysely<Schema>, id: string): Promise<boolean> {
  const [result] = await db.deleteFrom("session").where("id", "=", id).execute();
  return (result?.numDeletedRows ?? 0n) > 0n;
}

export interface SeenFile {
  readonly sessionId: string;
  readonly path: string;
  readonly fingerprint: string;
  readonly now: number;
}

export async function rememberFile(db: Kysely<Schema>, seen: SeenFile): Promise<void> {
  const values = { fingerprint: seen.fingerprint, seen_at: seen.now };
  await db
    .insertInto("session_file")
    .values({ session_id: seen.sessionId, path: seen.path, ...values })
    .onConflict((conflict) => conflict.columns(["session_id", "path"]).doUpdateSet(values))
    .execute();
}

export async function fileFingerprint(
  db: Kysely<Schema>,
  sessionId: string,
  path: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("session_file")
    .select("fingerprint")
    .where("session_id", "=", sessionId)
    .where("path", "=", path)
    .executeTakeFirst();
  return row?.fingerprint;
}
