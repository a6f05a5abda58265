import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { fakeTool } from "../../test/support/fake-tool.ts";
import { testApp, type TestApp } from "../../test/support/test-app.ts";
import { openStore } from "../store/open-store.ts";
import { exportAudit, findAudit, listAudit, verifyAudit } from "./audit-query.ts";
import type { AuditRecord } from "./audit-record.ts";

async function withCalls(count: number): Promise<TestApp> {
  const pawl = await testApp({ tools: [fakeTool(async (params) => ({ text: `said ${params.input}` }))] });
  for (let n = 1; n <= count; n++) await pawl.call("Probe", { input: `${n}` });
  return pawl;
}

/** Changes the store behind Pawl's back, as somebody with a copy of sqlite3 would. */
function tamper(pawl: TestApp, statements: string): void {
  const database = new DatabaseSync(pawl.app.services.store.path);
  database.exec(`drop trigger audit_no_update; drop trigger audit_no_delete; ${statements}`);
  database.close();
}

describe("audit verify (P-006)", () => {
  it("finds an untouched chain intact", async () => {
    const pawl = await withCalls(5);
    expect(await verifyAudit(pawl.app.services.store)).toEqual({ intact: true, rows: 5 });
  });

  it.each([
    ["a changed row", "update audit set body = replace(body, 'said 3', 'said 4') where seq = 3", 3],
    ["a changed hash", "update audit set hash = 'ff' where seq = 2", 2],
    ["a removed row", "delete from audit where seq = 3", 3],
    ["a removed first row", "delete from audit where seq = 1", 1],
    ["a cut-off end", "delete from audit where seq > 3", 4],
    ["a removed log", "delete from audit", 1],
    [
      "two rows in each other's place",
      "update audit set seq = -1 where seq = 2; update audit set seq = 2 where seq = 3; update audit set seq = 3 where seq = -1",
      2,
    ],
    ["a row put in at the end", "insert into audit (seq, body, hash) values (6, '{}', 'aa')", 6],
    ["a rewound head", "delete from audit where seq = 5; update audit_head set seq = 4", 5],
  ])("finds %s, and names its place", async (_name, statements, seq) => {
    const pawl = await withCalls(5);
    tamper(pawl, statements);
    expect(await verifyAudit(pawl.app.services.store)).toMatchObject({
      intact: false,
      faultySeq: seq,
      problem: expect.any(String),
    });
  });

  it("finds a row that is no JSON any more, and reading it says so", async () => {
    const pawl = await withCalls(3);
    const { path } = pawl.app.services.store;
    // Closing writes the log into the file itself.
    await pawl.app.services.store.close();
    const bytes = readFileSync(path);
    const place = bytes.indexOf('"outcome":', bytes.indexOf("said 2") - 400);
    expect(place).toBeGreaterThan(0);
    bytes.write('"outcome"8', place);
    writeFileSync(path, bytes);
    const store = await openStore({ home: pawl.home, synchronous: "normal" });
    try {
      expect(await verifyAudit(store)).toMatchObject({
        intact: false,
        problem: expect.stringContaining("does not match its hash"),
      });
      await expect(listAudit(store, { limit: 5 })).rejects.toMatchObject({ code: "integrity_error" });
    } finally {
      await store.close();
    }
  });

  it("finds a removed head", async () => {
    const pawl = await withCalls(2);
    tamper(pawl, "delete from audit_head");
    expect(await verifyAudit(pawl.app.services.store)).toMatchObject({ intact: false });
  });
});

describe("the audit table", () => {
  it.each(["update audit set body = '{}'", "delete from audit"])("refuses %j", async (statement) => {
    const pawl = await withCalls(1);
    const database = new DatabaseSync(pawl.app.services.store.path);
    expect(() => database.exec(statement)).toThrow("append-only");
    database.close();
  });

  it("keeps one chain when calls come at once", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({}))] });
    await Promise.all(Array.from({ length: 600 }, () => pawl.call("Probe", {})));
    expect(await verifyAudit(pawl.app.services.store)).toEqual({ intact: true, rows: 600 });
  });
});

describe("reading the log", () => {
  it("lists the newest first, by tool and session", async () => {
    const pawl = await withCalls(3);
    await pawl.call("Probe", {}, { sessionId: "other" });
    const { store } = pawl.app.services;
    expect((await listAudit(store, { limit: 2 })).map((row) => row.seq)).toEqual([4, 3]);
    expect((await listAudit(store, { limit: 9, sessionId: "other" })).map((row) => row.seq)).toEqual([4]);
    expect(await listAudit(store, { limit: 9, tool: "Nothing" })).toEqual([]);
    expect((await listAudit(store, { limit: 9, afterSeq: 2 })).map((row) => row.seq)).toEqual([4, 3]);
  });

  it("finds a row by its number and by its call", async () => {
    const pawl = await withCalls(3);
    const { store } = pawl.app.services;
    const row = await findAudit(store, "2");
    expect(row.record.arguments).toEqual({ input: "2" });
    expect(await findAudit(store, row.record.call_id)).toEqual(row);
    await expect(findAudit(store, "4")).rejects.toMatchObject({ code: "not_found" });
    await expect(findAudit(store, "call_nothing")).rejects.toMatchObject({ code: "not_found" });
  });

  it("exports every row in order, whatever the page", async () => {
    const pawl = await withCalls(5);
    const seqs: number[] = [];
    for await (const row of exportAudit(pawl.app.services.store, 2)) seqs.push(row.seq);
    expect(seqs).toEqual([1, 2, 3, 4, 5]);
  });
});

describe("a row (REQ-062-126, P-007)", () => {
  const stored = async (payload: Record<string, unknown>): Promise<AuditRecord> => {
    const pawl = await testApp({ tools: [fakeTool(async (params) => ({ text: params.input ?? "" }))] });
    await pawl.call("Probe", payload);
    const [row] = await listAudit(pawl.app.services.store, { limit: 1 });
    if (!row) throw new Error("There is no row");
    return row.record;
  };

  it("masks secrets in arguments and result", async () => {
    const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    expect(JSON.stringify(await stored({ input: `push with ${secret}` }))).not.toContain(secret);
  });

  it("cuts long arguments and says what they were", async () => {
    const record = await stored({ input: "y".repeat(50_000) });
    const { input } = record.arguments as { input: string };
    expect(input.length).toBeLessThan(17_000);
    expect(input).toMatch(/… \[50000 characters, sha256 [0-9a-f]{64}\]$/);
    expect(record.result).toMatchObject({ characters: expect.any(Number), text: expect.any(String) });
    expect(record.result.text.length).toBeLessThanOrEqual(2_000);
  });

  it("bounds a row of very many small values", async () => {
    const record = await stored({
      input: JSON.stringify(Array.from({ length: 40_000 }, (_, n) => n)),
      list: undefined,
    });
    expect(JSON.stringify(record).length).toBeLessThan(300_000);
  });

  it("holds text that is no Unicode without breaking", async () => {
    const record = await stored({ input: "lone \ud800 surrogate" });
    expect(record.arguments).toEqual({ input: "lone \ufffd surrogate" });
  });
});
