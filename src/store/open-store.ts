// Opens the store, makes it when there is none, brings it up to date when it is older.
import { linkSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { Kysely } from "kysely";
import { fromSystemError, isSystemError, ToolError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { makeDirectory } from "../core/make-directory.ts";
import { sqliteDialect } from "./dialects/sqlite.ts";
import type { Schema } from "./schema.ts";
import { asStoreError } from "./store-errors.ts";

/** The last migration that this version knows; checked on every start, so that the migrator is loaded only when needed. */
export const LATEST_MIGRATION = "0001-sessions-and-audit";

const PARTS = ["session", "session_file", "audit", "audit_head", "open_call", "audit_no_update", "audit_no_delete"];

/** Milliseconds that opening waits: SQLite may be mending what a killed process left. */
const OPEN_TIMEOUT_MS = 10_000;

/** An open store; its owner calls `close`. */
export interface Store {
  readonly db: Kysely<Schema>;
  readonly path: string;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** PAWL_HOME. */
  readonly home: string;
  readonly synchronous: "normal" | "full";
}

/**
 * Opens `pawl.sqlite` in PAWL_HOME. A new store is made whole in a file of its own and then linked into place, so no
 * process ever sees half of one, and an empty file there is damage, not a beginning.
 * Throws `integrity_error` for a damaged store (nothing is overwritten), `io_error` when the place cannot be written.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const path = join(options.home, "pawl.sqlite");
  try {
    if (!exists(path)) await createStore(path, options);
    return await openExisting(path, options);
  } catch (error) {
    throw fromSystemError(asStoreError(error, path), path);
  }
}

async function openExisting(path: string, options: StoreOptions): Promise<Store> {
  if (statSync(path).size === 0) throw new ToolError("integrity_error", `The store ${path} is empty`);
  const database = connect(path, options);
  const db = new Kysely<Schema>({ dialect: sqliteDialect(database) });
  try {
    const applied = lastMigration(database);
    // From here on waiting is ours: see `whenFree`.
    database.exec("pragma busy_timeout = 0");
    await bringUpToDate(db, applied);
  } catch (error) {
    database.close();
    throw error;
  }
  // Not `db.destroy`, which does nothing to a database that no query has used yet.
  const close = async (): Promise<void> => {
    if (database.isOpen) database.close();
  };
  return { db, path, close };
}

function connect(path: string, options: StoreOptions): DatabaseSync {
  const url = pathToFileURL(path);
  // Without it SQLite would make a new, empty store of a file that has just been moved away.
  url.searchParams.set("mode", "rw");
  const database = new DatabaseSync(url, { timeout: OPEN_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    database.exec(`pragma synchronous = ${options.synchronous}; pragma trusted_schema = off`);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

async function bringUpToDate(db: Kysely<Schema>, applied: string | undefined): Promise<void> {
  if (applied === LATEST_MIGRATION) return;
  if (applied !== undefined && applied > LATEST_MIGRATION) {
    throw new ToolError("unavailable", `The store was written by a newer Pawl (${applied})`, {
      hint: "Update this Pawl.",
    });
  }
  await db.transaction().execute(migrate);
}

/** Asked without kysely: every start asks, and its first query costs milliseconds. */
function lastMigration(database: DatabaseSync): string | undefined {
  const row = database.prepare("select max(name) as name from kysely_migration").get();
  const name = typeof row?.name === "string" ? row.name : undefined;
  if (name === LATEST_MIGRATION) checkTables(database);
  return name;
}

/** Found out now, not when a call has run and cannot be recorded. */
function checkTables(database: DatabaseSync): void {
  const rows = database.prepare("select name from sqlite_schema where type in ('table', 'trigger')").all();
  const names = new Set(rows.map((row) => row.name));
  const missing = PARTS.filter((name) => !names.has(name));
  if (missing.length > 0) throw new ToolError("integrity_error", `The store lacks ${missing.join(", ")}`);
}

async function migrate(db: Kysely<Schema>): Promise<void> {
  const [{ Migrator }, { MIGRATIONS }] = await Promise.all([
    import("kysely/migration"),
    import("./migrations/all-migrations.ts"),
  ]);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error instanceof Error ? error : new Error("The migration failed", { cause: error });
}

async function createStore(path: string, options: StoreOptions): Promise<void> {
  try {
    makeDirectory(options.home);
  } catch (error) {
    throw fromSystemError(error, options.home);
  }
  const draft = `${path}.${newId("draft")}.new`;
  try {
    const database = new DatabaseSync(draft);
    // WAL is written into the header, so that it is set before anybody shares the file.
    database.exec("pragma journal_mode = wal; pragma synchronous = full");
    const db = new Kysely<Schema>({ dialect: sqliteDialect(database) });
    try {
      await db.transaction().execute(migrate);
    } finally {
      await db.destroy();
    }
    link(draft, path);
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(draft + suffix, { force: true });
  }
}

/** Puts the finished store in place; when another process was first, its store stands. */
function link(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === "EEXIST") return;
    // A file system without hard links: the rename is as whole, only the later of two first starts wins.
    if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(error.code ?? "") && !exists(path))
      renameSync(draft, path);
    else throw fromSystemError(error, path);
  }
}

function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return false;
    throw fromSystemError(error, path);
  }
}
