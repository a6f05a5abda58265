import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportAudit, listAudit, verifyAudit } from "../../src/audit/audit-query.ts";
import { openStore } from "../../src/store/open-store.ts";
import { runCli } from "../support/run-cli.ts";
import { testFolders } from "../support/test-app.ts";

const WRITERS = 200;

describe("many processes at one store", () => {
  it("lose nothing and keep one chain, 200 at once, the first start included (REQ-062-126, P-006)", async () => {
    const { workspace, home } = testFolders();
    const runs = await Promise.all(
      Array.from({ length: WRITERS }, (_, index) =>
        runCli(["exec-tool", "EnterPlanMode", "{}", "--session", `s${index}`], { cwd: workspace, home }),
      ),
    );
    expect(runs.filter((run) => run.status !== 0)).toEqual([]);
    const store = await openStore({ home, synchronous: "normal" });
    try {
      expect(await verifyAudit(store)).toEqual({ intact: true, rows: WRITERS });
      const sessions = (await listAudit(store, { limit: 1_000 })).map((row) => row.record.session_id);
      expect(new Set(sessions).size).toBe(WRITERS);
    } finally {
      await store.close();
    }
  }, 240_000);

  it("keep a record of a call whose process is killed in the middle, and end what it left (P-013)", async () => {
    const { workspace, home } = testFolders();
    const child = spawn(
      process.execPath,
      [process.env.PAWL_TEST_CLI ?? "", "exec-tool", "Bash", "env -i setsid sleep 31.8 & echo $$ > pid; sleep 31.7"],
      { cwd: workspace, env: { ...process.env, PAWL_HOME: home }, stdio: "ignore" },
    );
    const ended = new Promise((resolve) => child.on("exit", resolve));
    const shell = await eventually(() => Number(readFileSync(join(workspace, "pid"), "utf8")) || undefined);
    child.kill("SIGKILL");
    await ended;
    expect(isAlive(shell)).toBe(true);
    expect((await runCli(["exec-tool", "Bash", "echo next"], { cwd: workspace, home })).stdout).toBe("next\n");
    expect(isAlive(shell)).toBe(false);
    const store = await openStore({ home, synchronous: "normal" });
    try {
      const [, row] = await listAudit(store, { limit: 2 });
      expect(row?.record).toMatchObject({ tool: "BashTool", outcome: "interrupted" });
      expect(row?.record.result.text).toMatch(/Ended later: .*sleep 31\.8/);
      expect(row?.record.result.text).toMatch(/sleep 31\.7/);
    } finally {
      await store.close();
    }
  });

  it("lose no acknowledged row to kill -9, in 20 rounds (REQ-062-126)", async () => {
    const { root, home } = testFolders();
    const writer = join(root, "writer.ts");
    const src = join(import.meta.dirname, "../../src");
    writeFileSync(writer, writerSource(src));
    let acknowledged = 0;
    for (let round = 0; round < 20; round++) acknowledged += await killedWriter(writer, home, 1 + round * 7);
    const store = await openStore({ home, synchronous: "normal" });
    try {
      const verdict = await verifyAudit(store);
      expect(verdict.intact).toBe(true);
      expect(verdict.rows).toBeGreaterThanOrEqual(acknowledged);
      let exported = 0;
      for await (const row of exportAudit(store, 7)) exported += row.seq > 0 ? 1 : 0;
      expect(exported).toBe(verdict.rows);
    } finally {
      await store.close();
    }
  }, 120_000);
});

/** Resolves to the rows that the writer said were written, when it is killed after `rows` of them. */
function killedWriter(writer: string, home: string, rows: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, home], { stdio: ["ignore", "pipe", "inherit"] });
    let acknowledged = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      acknowledged += chunk.length;
      if (acknowledged >= rows) child.kill("SIGKILL");
    });
    child.on("error", reject);
    child.on("close", () => resolve(acknowledged));
  });
}

function writerSource(src: string): string {
  return `
import { writeSync } from "node:fs";
import { AuditLog } from "${src}/audit/audit-log.ts";
import { openStore } from "${src}/store/open-store.ts";
const store = await openStore({ home: process.argv[2], synchronous: "normal" });
const audit = new AuditLog(store);
for (let n = 0; ; n++) {
  await audit.append({ v: 1, call_id: "call_" + process.pid + "_" + n, tool: "T", session_id: "s", arguments: {}, result: { text: "x", characters: 1 } });
  writeSync(1, ".");
}
`;
}

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

async function eventually<Value>(read: () => Value | undefined): Promise<Value> {
  for (const started = Date.now(); ;) {
    try {
      const value = read();
      if (value !== undefined) return value;
    } catch {
      // Not there yet.
    }
    if (Date.now() - started > 20_000) throw new Error("It did not come to be");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
