import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { testFolders } from "../../test/support/test-app.ts";
import { FileLock } from "./file-lock.ts";
import { MIGRATIONS } from "./migrations/all-migrations.ts";
import { LATEST_MIGRATION, openStore, type Store } from "./open-store.ts";
import {
  changeSession,
  deleteSession,
  fileFingerprint,
  findOrCreateSession,
  findSession,
  listSessions,
  rememberFile,
} from "./session-queries.ts";
import { asStoreError } from "./store-errors.ts";

async function freshStore(): Promise<{ store: Store; home: string }> {
  const { home } = testFolders();
  const store = await openStore({ home, synchronous: "normal" });
  return { store, home };
}

describe("the store", () => {
  it("is made whole, in WAL mode, in a private folder, without drafts", async () => {
    const { store, home } = await freshStore();
    await store.close();
    expect(readdirSync(home)).toEqual(["pawl.sqlite"]);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    const database = new DatabaseSync(store.path);
    expect(database.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    database.close();
  });

  it("knows its last migration", () => {
    expect(Object.keys(MIGRATIONS).sort().at(-1)).toBe(LATEST_MIGRATION);
  });

  it("refuses one that a newer Pawl wrote, and leaves it alone", async () => {
    const { store, home } = await freshStore();
    await store.close();
    const database = new DatabaseSync(store.path);
    database.exec("insert into kysely_migration values ('9999-future', '2030')");
    database.close();
    const before = readFileSync(store.path);
    await expect(openStore({ home, synchronous: "normal" })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("9999-future"),
    });
    expect(readFileSync(store.path).equals(before)).toBe(true);
  });

  it("brings an older one up to date", async () => {
    const { store, home } = await freshStore();
    await store.close();
    const database = new DatabaseSync(store.path);
    database.exec(
      "drop table session_file; drop table session; drop table audit; drop table audit_head; drop table open_call; delete from kysely_migration",
    );
    database.close();
    const again = await openStore({ home, synchronous: "full" });
    expect(await listSessions(again.db)).toEqual([]);
    await again.close();
  });

  it("tells one that lacks its tables", async () => {
    const { home } = testFolders();
    mkdirSync(home);
    new DatabaseSync(join(home, "pawl.sqlite")).exec("create table other (x)");
    await expect(openStore({ home, synchronous: "normal" })).rejects.toMatchObject({ code: "integrity_error" });
  });

  it("tells a home that cannot be made", async () => {
    const { root } = testFolders();
    writeFileSync(join(root, "file"), "");
    await expect(openStore({ home: join(root, "file/home"), synchronous: "normal" })).rejects.toMatchObject({
      code: expect.stringMatching(/not_found|io_error/),
    });
  });

  it("tells a home on a file system that makes no directories", async () => {
    await expect(openStore({ home: "/proc/pawl/home", synchronous: "normal" })).rejects.toMatchObject({
      code: expect.stringMatching(/not_found|io_error/),
    });
  });

  it.each([
    [5, "unavailable"],
    [8, "io_error"],
    [10, "io_error"],
    [11, "integrity_error"],
    [13, "io_error"],
    [14, "io_error"],
    [26, "integrity_error"],
    [5 + 256 * 2, "unavailable"],
  ])("has an answer to SQLite's code %i", (errcode, code) => {
    const error = asStoreError(Object.assign(new Error("x"), { errcode }), "/p/pawl.sqlite");
    expect(error).toMatchObject({ code, hint: expect.stringMatching(/.+/) });
  });

  it("leaves other errors as they are", () => {
    const error = new TypeError("x");
    expect(asStoreError(error, "/p")).toBe(error);
    const other = Object.assign(new Error("constraint"), { errcode: 19 });
    expect(asStoreError(other, "/p")).toBe(other);
  });
});

describe("sessions in the store (REQ-062-007)", () => {
  it("are made once, however often they are asked for", async () => {
    const { store } = await freshStore();
    const wanted = { id: "s", workspace: "/w", now: 5 };
    const asked = await Promise.all(Array.from({ length: 5 }, () => findOrCreateSession(store.db, wanted)));
    expect(asked.filter((answer) => answer.created)).toHaveLength(1);
    expect(asked[4]?.row).toEqual({
      id: "s",
      workspace: "/w",
      created_at: 5,
      updated_at: 5,
      cwd: null,
      cwd_origin: null,
      mode: "default",
      plan: null,
    });
    await store.close();
  });

  it("change, are listed newest first and are deleted with what they saw", async () => {
    const { store } = await freshStore();
    await findOrCreateSession(store.db, { id: "a", workspace: "/w", now: 1 });
    await findOrCreateSession(store.db, { id: "b", workspace: "/w", now: 2 });
    await changeSession(store.db, "a", { mode: "plan", now: 3 });
    expect((await listSessions(store.db)).map((row) => [row.id, row.mode])).toEqual([
      ["a", "plan"],
      ["b", "default"],
    ]);
    await rememberFile(store.db, { sessionId: "a", path: "/w/x", fingerprint: "1", now: 4 });
    await rememberFile(store.db, { sessionId: "a", path: "/w/x", fingerprint: "2", now: 5 });
    expect(await fileFingerprint(store.db, "a", "/w/x")).toBe("2");
    expect(await fileFingerprint(store.db, "b", "/w/x")).toBeUndefined();
    expect(await deleteSession(store.db, "a")).toBe(true);
    expect(await deleteSession(store.db, "a")).toBe(false);
    expect(await findSession(store.db, "a")).toBeUndefined();
    expect(await fileFingerprint(store.db, "a", "/w/x")).toBeUndefined();
    await store.close();
  });

  it("roll back a transaction that fails", async () => {
    const { store } = await freshStore();
    const failing = store.db.transaction().execute(async (db) => {
      await findOrCreateSession(db, { id: "t", workspace: "/w", now: 1 });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await findSession(store.db, "t")).toBeUndefined();
    await store.close();
  });
});

describe("two runtimes of one process", () => {
  it("take turns at one store without holding each other up", async () => {
    const { home } = testFolders();
    const [first, second] = [
      await openStore({ home, synchronous: "normal" }),
      await openStore({ home, synchronous: "normal" }),
    ];
    let released = false;
    const holding = first.db.transaction().execute(async (db) => {
      await findOrCreateSession(db, { id: "held", workspace: "/w", now: 1 });
      await new Promise((resolve) => setTimeout(resolve, 100));
      released = true;
    });
    await findOrCreateSession(second.db, { id: "waited", workspace: "/w", now: 1 });
    expect(released).toBe(true);
    await second.db.transaction().execute((db) => changeSession(db, "held", { mode: "plan", now: 2 }));
    await holding;
    expect((await listSessions(first.db)).map((row) => row.id).sort()).toEqual(["held", "waited"]);
    await first.close();
    await second.close();
  });
});

describe("the lock between processes", () => {
  it("lets one in at a time, also through two connections, and is free after a failure", async () => {
    const { home } = testFolders();
    const [first, second] = [new FileLock(home), new FileLock(home)];
    const inside: string[] = [];
    const enter = (name: string) => async (): Promise<void> => {
      inside.push(`+${name}`);
      await Promise.resolve();
      inside.push(`-${name}`);
    };
    await Promise.all([first.withLock(enter("a")), first.withLock(enter("b"))]);
    await expect(first.withLock(() => Promise.reject(new Error("inside")))).rejects.toThrow("inside");
    await second.withLock(enter("c"));
    expect(inside).toEqual(["+a", "-a", "+b", "-b", "+c", "-c"]);
    first.close();
    second.close();
  });

  it("says when it cannot be opened", async () => {
    const { root } = testFolders();
    writeFileSync(join(root, "file"), "");
    chmodSync(join(root, "file"), 0o400);
    const lock = new FileLock(join(root, "file"));
    await expect(lock.withLock(async () => 1)).rejects.toMatchObject({ code: "io_error" });
    lock.close();
  });
});
