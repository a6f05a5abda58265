import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endTree } from "./end-tree.ts";
import { openProcessTable } from "./open-process-table.ts";
import { createMarker } from "./process-marker.ts";
import { LinuxProcessTable, newcomers } from "./process-table-linux.ts";
import type { ProcessTable } from "./process-table.ts";
import { PsProcessTable } from "./process-table-ps.ts";
import { WindowsProcessTable } from "./process-table-windows.ts";
import { ProcessTree } from "./process-tree.ts";

let folder = "";
const started: ChildProcess[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-process-table-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function start(file: string, args: readonly string[]): number {
  const child = spawn(file, args, { stdio: "ignore", detached: true });
  started.push(child);
  return child.pid ?? 0;
}

async function pidsUnder(rootPid: number, table: ProcessTable, count: number): Promise<readonly string[]> {
  const tree = new ProcessTree({ rootPid, table, ownsGroup: true });
  const deadline = Date.now() + 10_000;
  for (;;) {
    const commands = (await tree.find()).map((row) => table.commandOf(row));
    if (commands.length === count && commands.slice(1).every((command) => command.startsWith("sleep"))) return commands;
    if (Date.now() > deadline) throw new Error(`found ${commands.join(", ")}`);
  }
}

const TABLES = {
  "of /proc": () => new LinuxProcessTable(createMarker()),
  "of ps": () => new PsProcessTable(),
};

describe.each(Object.entries(TABLES))("a table %s", (_, open) => {
  it("finds a tree and ends it", async () => {
    const table = open();
    const rootPid = start("bash", ["-c", "sleep 611 & sleep 612 & wait"]);
    const commands = await pidsUnder(rootPid, table, 3);
    expect([...commands].sort()).toEqual(["bash -c sleep 611 & sleep 612 & wait", "sleep 611", "sleep 612"]);
    const { ended, unkillable } = await endTree(new ProcessTree({ rootPid, table: open(), ownsGroup: true }));
    expect([ended.map(({ command }) => command).sort(), unkillable]).toEqual([[...commands].sort(), []]);
  });

  it("never lists this process or an ancestor of it", async () => {
    const table = open();
    await table.adopt(process.ppid);
    const pids = (await table.list()).map((row) => row.pid);
    expect(pids).not.toContain(process.pid);
    expect(pids).not.toContain(process.ppid);
  });

  it("sees that a process is stopped", async () => {
    const table = open();
    const rootPid = start("bash", ["-c", "kill -STOP $$"]);
    await table.adopt(rootPid);
    const deadline = Date.now() + 10_000;
    const isStopped = async (): Promise<boolean> =>
      (await table.list()).find((row) => row.pid === rootPid)?.isStopped ?? false;
    while (!(await isStopped())) expect(Date.now()).toBeLessThan(deadline);
    const tree = new ProcessTree({ rootPid, table: open(), ownsGroup: true });
    expect((await endTree(tree)).ended.length).toBe(1);
  });

  it("shows a process without a command line", async () => {
    expect(
      open().commandOf({ pid: 4_000_004, parentPid: 1, groupId: 1, sessionId: 1, startedAt: "", isStopped: false }),
    ).toBe("");
  });
});

describe("a table of Windows", () => {
  it("has taskkill end the tree", async () => {
    const taskkill = join(folder, "taskkill");
    writeFileSync(taskkill, `#!/bin/sh\necho "$@" > ${join(folder, "asked")}\nexit 1\n`);
    chmodSync(taskkill, 0o755);
    const table = new WindowsProcessTable(taskkill);
    await table.endNatively(77);
    expect(readFileSync(join(folder, "asked"), "utf8")).toBe("/T /F /PID 77\n");
    expect([await table.adopt(), await table.list(), table.isMarked(), table.commandOf()]).toEqual([
      undefined,
      [],
      false,
      "",
    ]);
  });
});

describe("openProcessTable", () => {
  it("opens the table of the platform", () => {
    const tables = (["linux", "darwin", "win32"] as const).map((platform) =>
      openProcessTable(createMarker(), platform),
    );
    expect(tables.map((table) => table.constructor.name)).toEqual([
      "LinuxProcessTable",
      "PsProcessTable",
      "WindowsProcessTable",
    ]);
  });
});

describe("newcomers", () => {
  const pids = [1, 50, 400, 900];
  const ids = { first: 300, latest: 500, started: 200, circle: 1000 };

  it("leaves out what was started before", () => {
    expect(newcomers(pids, ids)).toEqual([400]);
    expect(newcomers(pids, { ...ids, first: 800, latest: 60 })).toEqual([1, 50, 900]);
  });

  it("leaves out nothing when that cannot be known", () => {
    expect(newcomers(pids, { ...ids, started: 600 })).toEqual(pids);
    expect(newcomers(pids, { ...ids, started: Number.NaN })).toEqual(pids);
    expect(newcomers(pids, { ...ids, latest: 0 })).toEqual(pids);
    expect(newcomers(pids, { ...ids, circle: Number.NaN })).toEqual(pids);
  });
});
