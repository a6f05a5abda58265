import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { endTree } from "./end-tree.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";
import { PsProcessTable } from "./process-table-ps.ts";
import { ProcessTree } from "./process-tree.ts";

const NOBODY: ProcessRow = {
  pid: 4_000_003,
  parentPid: 1,
  groupId: 4_000_003,
  sessionId: 4_000_003,
  startedAt: "1",
  isStopped: false,
};

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function start(script: string): ChildProcess {
  const child = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  started.push(child);
  return child;
}

function tableOf(list: () => Promise<readonly ProcessRow[]>, rest: Partial<ProcessTable> = {}): ProcessTable {
  return { adopt: async () => undefined, list, isMarked: () => false, commandOf: () => "name", ...rest };
}

describe("endTree", () => {
  it("names what it could not end, after the stated time", async () => {
    const tree = new ProcessTree({ rootPid: NOBODY.pid, table: tableOf(async () => [NOBODY]), ownsGroup: true });
    const began = performance.now();
    const result = await endTree(tree, { settleMs: 10, graceMs: 20, killMs: 50 });
    expect(result).toEqual({ ended: [], unkillable: [{ pid: NOBODY.pid, command: "name" }] });
    expect(performance.now() - began).toBeGreaterThan(79);
  });

  it("leaves alone what ends by itself in time", async () => {
    const child = start("echo $$; sleep 0.05");
    const exited = once(child, "exit");
    const table = new PsProcessTable();
    const tree = new ProcessTree({ rootPid: child.pid ?? 0, table, ownsGroup: true });
    expect(await endTree(tree, { settleMs: 5000 })).toEqual({ ended: [], unkillable: [] });
    expect(await exited).toEqual([0, null]);
  });

  it("kills the root's group and says why when processes cannot be listed", async () => {
    const child = start("sleep 600 & sleep 600");
    const exited = once(child, "exit");
    const table = tableOf(() => Promise.reject(new Error("no /proc here")));
    const tree = new ProcessTree({ rootPid: child.pid ?? 0, table, ownsGroup: true });
    expect(await endTree(tree)).toEqual({ ended: [], unkillable: [], problem: "no /proc here" });
    expect(await exited).toEqual([null, "SIGKILL"]);
  });

  it("leaves it to the system where the table can", async () => {
    const asked: number[] = [];
    const endNatively = async (pid: number): Promise<void> => void asked.push(pid);
    const table = tableOf(async () => [NOBODY], { endNatively });
    const tree = new ProcessTree({ rootPid: NOBODY.pid, table, ownsGroup: false });
    expect([await endTree(tree), asked]).toEqual([{ ended: [], unkillable: [] }, [NOBODY.pid]]);
  });
});
