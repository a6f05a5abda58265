import { type Kysely, sql } from "kysely";

/** Sessions, what they have read, the audit chain and the calls that are under way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("session")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("workspace", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addColumn("cwd", "text")
    .addColumn("cwd_origin", "text")
    .addColumn("mode", "text", (column) => column.notNull().defaultTo("default"))
    .addColumn("plan", "text")
    .execute();
  await db.schema
    .createTable("session_file")
    .addColumn("session_id", "text", (column) => column.notNull().references("session.id").onDelete("cascade"))
    .addColumn("path", "text", (column) => column.notNull())
    .addColumn("seen_at", "bigint", (column) => column.notNull())
    .addColumn("fingerprint", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("session_file_key", ["session_id", "path"])
    .execute();
  await createAudit(db);
}

async function createAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("audit")
    .addColumn("seq", "bigint", (column) => column.primaryKey())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("call_id", "text", (column) => column.generatedAlwaysAs(sql`json_extract(body, '$.call_id')`))
    .addColumn("tool", "text", (column) => column.generatedAlwaysAs(sql`json_extract(body, '$.tool')`))
    .addColumn("session_id", "text", (column) => column.generatedAlwaysAs(sql`json_extract(body, '$.session_id')`))
    .execute();
  await db.schema.createIndex("audit_call").on("audit").column("call_id").execute();
  for (const change of ["update", "delete"]) {
    await sql`create trigger ${sql.raw(`audit_no_${change}`)} before ${sql.raw(change)} on audit
      begin select raise(abort, 'the audit log is append-only'); end`.execute(db);
  }
  await db.schema
    .createTable("audit_head")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("seq", "bigint", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .execute();
  await sql`insert into audit_head (id, seq, hash) values (1, 0, '')`.execute(db);
  await db.schema
    .createTable("open_call")
    .addColumn("call_id", "text", (column) => column.primaryKey())
    .addColumn("owner", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .execute();
}
