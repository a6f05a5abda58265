import { setTimeout as delay } from "node:timers/promises";
import { monotonicMs } from "../core/monotonic.ts";
import type { ProcessRow } from "./process-table.ts";
import type { ProcessTree } from "./process-tree.ts";

/** A process as it is named in a result. */
export interface NamedProcess {
  readonly pid: number;
  /** Command line, cut to 200 characters. */
  readonly command: string;
}

export interface EndTreeOptions {
  /** How long processes may end by themselves before the first signal. Default 0. */
  readonly settleMs?: number;
  /** Between SIGTERM and SIGKILL. Default 500. */
  readonly graceMs?: number;
  /** From the first SIGKILL until what still lives is given up. Default 2000. */
  readonly killMs?: number;
}

export interface EndedTree {
  /** What got a signal from us and is gone. */
  readonly ended: readonly NamedProcess[];
  /** What still lives: another user's, or stuck in the kernel. */
  readonly unkillable: readonly NamedProcess[];
  /** Why the tree could not be looked through; then only the root's own group was killed. */
  readonly problem?: string;
}

const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 25;
// A tree that grows by more than this while it is asked to end gets no more time to.
const GROWTH_LIMIT = 30;

/**
 * Ends every process of the tree: SIGTERM, a grace period, then SIGKILL, over and over until a look finds nothing.
 * Takes at most the three times of `options` together, and never rejects.
 */
export async function endTree(tree: ProcessTree, options: EndTreeOptions = {}): Promise<EndedTree> {
  if (tree.table.endNatively) {
    await tree.table.endNatively(tree.rootPid);
    return { ended: [], unkillable: [] };
  }
  try {
    return await endFound(tree, options);
  } catch (error) {
    killRootGroup(tree);
    return { ended: [], unkillable: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

async function endFound(tree: ProcessTree, options: EndTreeOptions): Promise<EndedTree> {
  const { settleMs = 0, graceMs = 500, killMs = 2000 } = options;
  const started = monotonicMs();
  const asked = new Map<string, NamedProcess>();
  let alive = await tree.find();
  const firstCount = alive.length;
  for (let pauseMs = SHORTEST_PAUSE_MS; alive.length > 0; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const elapsedMs = monotonicMs() - started;
    if (elapsedMs > settleMs + graceMs + killMs) break;
    const isMultiplying = alive.length > firstCount + GROWTH_LIMIT;
    const isAsking = elapsedMs >= settleMs || isMultiplying;
    const fresh = !isAsking ? [] : alive.filter((row) => !asked.has(keyOf(row)));
    for (const row of fresh) asked.set(keyOf(row), nameOf(tree, row));
    if (elapsedMs >= settleMs + graceMs || isMultiplying) kill(alive, tree.rootPid);
    else for (const row of fresh) terminate(row);
    await delay(pauseMs);
    alive = await tree.find();
  }
  // A process that does nothing but fork and end can slip through every look, but not out of a signal to its group.
  if (alive.length === 0) killRootGroup(tree);
  const living = new Set(alive.map(keyOf));
  return {
    ended: [...asked].filter(([key]) => !living.has(key)).map(([, named]) => named),
    unkillable: alive.map((row) => asked.get(keyOf(row)) ?? nameOf(tree, row)),
  };
}

function nameOf(tree: ProcessTree, row: ProcessRow): NamedProcess {
  return { pid: row.pid, command: tree.table.commandOf(row) };
}

/** Sound as long as the root has just ended: its number is given out again only when all others have been. */
function killRootGroup(tree: ProcessTree): void {
  if (tree.ownsGroup) signal(-tree.rootPid, "SIGKILL");
}

function terminate(row: ProcessRow): void {
  signal(row.pid, "SIGTERM");
  // A stopped process takes the signal only when it goes on.
  if (row.isStopped) signal(row.pid, "SIGCONT");
}

/** A group is killed at once, which leaves no moment to fork; only groups whose leader is in the tree are ours alone. */
function kill(rows: readonly ProcessRow[], rootPid: number): void {
  const pids = new Set(rows.map((row) => row.pid));
  const groups = new Set(rows.map((row) => row.groupId).filter((group) => pids.has(group) || group === rootPid));
  for (const group of groups) if (group > 1) signal(-group, "SIGKILL");
  for (const row of rows) signal(row.pid, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already, or not ours to end: the next look tells which.
  }
}

function keyOf(row: ProcessRow): string {
  return `${row.pid} ${row.startedAt}`;
}
