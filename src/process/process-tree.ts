import type { ProcessRow, ProcessTable } from "./process-table.ts";

const FIRST_SAMPLE_MS = 25;
const LONGEST_PAUSE_MS = 1000;

/**
 * The processes that descend from one root, also those that left its group and session. A process belongs to the tree
 * when it is in the root's group or session, has a parent in the tree, carries the root's marker, or was in the tree at
 * an earlier look; never because of its name.
 */
export class ProcessTree {
  readonly rootPid: number;
  readonly table: ProcessTable;
  readonly ownsGroup: boolean;
  readonly #adopted: Promise<ProcessRow | undefined>;
  #seen: ReadonlyMap<number, string> = new Map();
  #timer: NodeJS.Timeout | undefined;

  /**
   * Call it in the same turn of the event loop as the start of the root.
   * @param options.ownsGroup the root was started as leader of its own group and session.
   */
  constructor(options: { readonly rootPid: number; readonly table: ProcessTable; readonly ownsGroup: boolean }) {
    this.rootPid = options.rootPid;
    this.table = options.table;
    this.ownsGroup = options.ownsGroup;
    this.#adopted = options.table.adopt(options.rootPid).catch(() => undefined);
  }

  /** Everything in the tree that lives now, parents before their children. */
  async find(): Promise<readonly ProcessRow[]> {
    const rows = await this.table.list();
    const members = await this.#collect(rows);
    const strangers = rows.filter((row) => !members.has(row.pid));
    addWithChildren(
      strangers.filter((row) => this.table.isMarked(row)),
      { rows, members },
    );
    this.#remember(members);
    return [...members.values()];
  }

  /** Looks at the tree now and then until `stopWatching`, so that what leaves it later is still known. */
  watch(): void {
    const look = async (pauseMs: number): Promise<void> => {
      // A look that fails is made up for by the next.
      const members = await this.table.list().then(
        (rows) => this.#collect(rows),
        () => undefined,
      );
      // What a late look saw is older than what `find` did.
      if (this.#timer === undefined) return;
      if (members) this.#remember(members);
      schedule(Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
    };
    const schedule = (pauseMs: number): void => {
      this.#timer = setTimeout(() => void look(pauseMs), pauseMs);
      this.#timer.unref();
    };
    schedule(FIRST_SAMPLE_MS);
  }

  stopWatching(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #collect(rows: readonly ProcessRow[]): Promise<Map<number, ProcessRow>> {
    const root = await this.#adopted;
    const members = new Map<number, ProcessRow>();
    const leader = rows.find((row) => row.pid === this.rootPid);
    const isRecycled = leader !== undefined && root !== undefined && leader.startedAt !== root.startedAt;
    const isInside = (row: ProcessRow): boolean => {
      if (this.#seen.get(row.pid) === row.startedAt) return true;
      if (isRecycled) return false;
      if (row.pid === this.rootPid) return true;
      return this.ownsGroup && (row.groupId === this.rootPid || row.sessionId === this.rootPid);
    };
    const first = leader && isInside(leader) ? [leader] : [];
    addWithChildren([...first, ...rows.filter(isInside)], { rows, members });
    return members;
  }

  #remember(members: ReadonlyMap<number, ProcessRow>): void {
    this.#seen = new Map([...members.values()].map((row) => [row.pid, row.startedAt]));
  }
}

function addWithChildren(
  seeds: readonly ProcessRow[],
  into: { readonly rows: readonly ProcessRow[]; readonly members: Map<number, ProcessRow> },
): void {
  if (seeds.length === 0) return;
  const children = Map.groupBy(into.rows, (row) => row.parentPid);
  const open = seeds.toReversed();
  for (let row = open.pop(); row; row = open.pop()) {
    if (into.members.has(row.pid)) continue;
    into.members.set(row.pid, row);
    open.push(...(children.get(row.pid) ?? []));
  }
}
