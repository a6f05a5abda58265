import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { ProcessMarker } from "./process-marker.ts";
import { COMMAND_CHARACTERS, type ProcessRow, type ProcessTable } from "./process-table.ts";

const MOST_TRIES = 4;

/** How far the system has come in handing out process ids. */
export interface PidCircle {
  readonly first: number;
  readonly latest: number;
  /** Processes and threads started since `first`, about. */
  readonly started: number;
  /** The number of ids there are. */
  readonly circle: number;
}

interface Stat {
  readonly row: ProcessRow;
  /** Ended, and only waits for its parent to take notice. */
  readonly isOver: boolean;
}

/**
 * Reads /proc (proc(5)). Process ids are handed out in a circle, so only those between the root's and the latest are
 * looked at, unless so many processes were started that the circle may have closed.
 */
export class LinuxProcessTable implements ProcessTable {
  readonly #marker: ProcessMarker;
  readonly #forksBefore = readForkCount();
  #root: ProcessRow | undefined;
  #markerLink: string | undefined;

  constructor(marker: ProcessMarker) {
    this.#marker = marker;
  }

  async adopt(rootPid: number): Promise<ProcessRow | undefined> {
    this.#root = readStat(rootPid)?.row;
    const link = this.#readMarkerLink(rootPid);
    // Anything else at this number is the command's own, and may be shared with strangers.
    if (link?.startsWith("socket:") === true) this.#markerLink = link;
    return this.#root;
  }

  async list(): Promise<readonly ProcessRow[]> {
    const root = this.#root;
    if (!root) return [];
    let stats = this.#readSince(root.pid);
    // What ended while we looked may have handed over to a process that was not there yet.
    for (let tries = 1; stats.includes(undefined) && tries < MOST_TRIES; tries++) stats = this.#readSince(root.pid);
    const ours = ownChain();
    return stats.flatMap((stat) => {
      if (!stat || stat.isOver || Number(stat.row.startedAt) < Number(root.startedAt)) return [];
      return ours.has(stat.row.pid) ? [] : [stat.row];
    });
  }

  isMarked(row: ProcessRow): boolean {
    if (this.#markerLink !== undefined && this.#readMarkerLink(row.pid) === this.#markerLink) return true;
    const limits = attempt(() => readFileSync(`/proc/${row.pid}/limits`, "latin1"));
    if (limits !== undefined && lockLimitOf(limits) === this.#marker.lockLimit) return true;
    const environment = attempt(() => readFileSync(`/proc/${row.pid}/environ`));
    return environment?.includes(`${this.#marker.variable}=`) ?? false;
  }

  commandOf(row: ProcessRow): string {
    const line = attempt(() => readFileSync(`/proc/${row.pid}/cmdline`, "utf8"));
    const name = line === "" ? attempt(() => `[${readFileSync(`/proc/${row.pid}/comm`, "utf8").trim()}]`) : line;
    return (name ?? "").replaceAll("\0", " ").trim().slice(0, COMMAND_CHARACTERS).toWellFormed();
  }

  #readMarkerLink(pid: number): string | undefined {
    return attempt(() => readlinkSync(`/proc/${pid}/fd/${this.#marker.descriptor}`));
  }

  #readSince(rootPid: number): readonly (Stat | undefined)[] {
    return this.#pidsSince(rootPid).map((pid) => readStat(pid));
  }

  #pidsSince(rootPid: number): readonly number[] {
    const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
    const forks = readForkCount();
    return newcomers(pids, {
      first: rootPid,
      latest: Number(attempt(() => readFileSync("/proc/loadavg", "latin1"))?.split(" ")[4]),
      started: forks === 0 ? Number.NaN : forks - this.#forksBefore,
      circle: Number(attempt(() => readFileSync("/proc/sys/kernel/pid_max", "latin1"))),
    });
  }
}

/**
 * Leaves out the ids that were given out before `first`. Where a number is unknown (NaN, 0) or so many processes were
 * started that the circle may have closed, none is left out.
 */
export function newcomers(pids: readonly number[], ids: PidCircle): readonly number[] {
  const { first, latest, started, circle } = ids;
  if (!(latest > 0 && started + pids.length < circle / 2)) return pids;
  if (latest >= first) return pids.filter((pid) => pid >= first && pid <= latest);
  return pids.filter((pid) => pid >= first || pid <= latest);
}

function readStat(pid: number): Stat | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (stat === undefined) return undefined;
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0] ?? "";
  const row: ProcessRow = {
    pid,
    parentPid: Number(fields[1]),
    groupId: Number(fields[2]),
    sessionId: Number(fields[3]),
    startedAt: fields[19] ?? "",
    isStopped: state === "T" || state === "t",
  };
  // A main thread that ended before its fellows looks like a zombie, and is none.
  return { row, isOver: state === "X" || (state === "Z" && Number(fields[17]) <= 1) };
}

function ownChain(): ReadonlySet<number> {
  const chain = new Set<number>();
  for (let pid = process.pid; pid > 0 && !chain.has(pid); pid = readStat(pid)?.row.parentPid ?? 0) chain.add(pid);
  return chain;
}

/** Processes started since boot, threads included; 0 where the system does not say. */
function readForkCount(): number {
  const stat = attempt(() => readFileSync("/proc/stat", "latin1"));
  return Number(/^processes (\d+)/m.exec(stat ?? "")?.[1] ?? 0);
}

function lockLimitOf(limits: string): number {
  return Number(/^Max file locks +(\d+)/m.exec(limits)?.[1]);
}

/** Processes end while they are read, and some are not ours to look into: both read as undefined. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
