/** One living process; zombies are none. */
export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  readonly sessionId: number;
  /** Start time in the table's own unit. Together with `pid` it names a process for good. */
  readonly startedAt: string;
  readonly isStopped: boolean;
}

/** The system's processes, as far as they can belong to the tree of one root. One table serves one root. */
export interface ProcessTable {
  /**
   * Takes a process that was just started, in the same turn of the event loop, as the root.
   * Undefined when it is gone already and the system says no more about it.
   */
  adopt(rootPid: number): Promise<ProcessRow | undefined>;
  /** All processes that started with the root or later, never this one or an ancestor of it. */
  list(): Promise<readonly ProcessRow[]>;
  /** True when the process carries the root's marker; false also where the system does not let us see. */
  isMarked(row: ProcessRow): boolean;
  /** The command line, cut to 200 characters; empty when the process is gone. */
  commandOf(row: ProcessRow): string;
  /** Ends a tree by the system's own means, where signals cannot. */
  endNatively?(rootPid: number): Promise<void>;
}

export const COMMAND_CHARACTERS = 200;
