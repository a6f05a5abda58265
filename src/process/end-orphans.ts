import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { monotonicMs } from "../core/monotonic.ts";
import type { NamedProcess } from "./end-tree.ts";
import { openProcessTable } from "./open-process-table.ts";
import { createMarker } from "./process-marker.ts";
import type { ProcessRow } from "./process-table.ts";

const GRACE_MS = 300;
const LIMIT_MS = 3_000;
const PAUSE_MS = 20;

/**
 * Ends what a command left running whose Pawl was killed: every process that carries the marker of `seed`, SIGTERM first,
 * then SIGKILL. Never this process or one above it. Empty where there is no /proc to look into. Never rejects.
 */
export async function endOrphans(seed: string): Promise<readonly NamedProcess[]> {
  const table = openProcessTable(createMarker(seed));
  const ended = new Map<number, NamedProcess>();
  const started = monotonicMs();
  for (;;) {
    const alive = markedProcesses((row) => table.isMarked(row));
    const elapsedMs = monotonicMs() - started;
    if (alive.length === 0 || elapsedMs > LIMIT_MS) return [...ended.values()];
    for (const row of alive) {
      if (!ended.has(row.pid)) ended.set(row.pid, { pid: row.pid, command: table.commandOf(row) });
      signal(row.pid, elapsedMs > GRACE_MS ? "SIGKILL" : "SIGTERM");
    }
    await delay(PAUSE_MS);
  }
}

function markedProcesses(isMarked: (row: ProcessRow) => boolean): ProcessRow[] {
  const own = new Set([process.pid, process.ppid]);
  return allPids()
    .filter((pid) => !own.has(pid))
    .map((pid) => ({ pid, parentPid: 0, groupId: 0, sessionId: 0, startedAt: "", isStopped: false }))
    .filter(isMarked);
}

function allPids(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already, or not ours to end.
  }
}
