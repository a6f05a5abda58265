import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { COMMAND_CHARACTERS, type ProcessRow, type ProcessTable } from "./process-table.ts";

const COLUMNS = "pid=,ppid=,pgid=,sess=,stat=,lstart=,command=";
// macOS prints the session as an address; a command that starts its own session is found by group and parents.
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s?(.*)$/;
const TIME_LIMIT_MS = 5000;
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

const execute = promisify(execFile);

/** Reads what ps(1) prints, for macOS and the BSDs. Environments and descriptors of others stay unseen there. */
export class PsProcessTable implements ProcessTable {
  readonly #commands = new Map<number, string>();

  async adopt(rootPid: number): Promise<ProcessRow | undefined> {
    const rows = await this.#readAll();
    return rows.find((row) => row.pid === rootPid);
  }

  async list(): Promise<readonly ProcessRow[]> {
    const rows = await this.#readAll();
    const ours = ownChain(rows);
    return rows.filter((row) => !ours.has(row.pid));
  }

  isMarked(): boolean {
    return false;
  }

  commandOf(row: ProcessRow): string {
    return this.#commands.get(row.pid) ?? "";
  }

  async #readAll(): Promise<readonly ProcessRow[]> {
    const { stdout } = await execute("ps", ["-axww", "-o", COLUMNS], {
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      timeout: TIME_LIMIT_MS,
      maxBuffer: OUTPUT_LIMIT_BYTES,
    });
    this.#commands.clear();
    return stdout.split("\n").flatMap((line) => {
      const match = LINE.exec(line);
      if (!match || match[5]?.startsWith("Z") === true) return [];
      this.#commands.set(Number(match[1]), (match[7] ?? "").slice(0, COMMAND_CHARACTERS).toWellFormed());
      return [toRow(match)];
    });
  }
}

function toRow(match: RegExpExecArray): ProcessRow {
  return {
    pid: Number(match[1]),
    parentPid: Number(match[2]),
    groupId: Number(match[3]),
    sessionId: Number(match[4]),
    startedAt: match[6] ?? "",
    isStopped: match[5]?.startsWith("T") ?? false,
  };
}

function ownChain(rows: readonly ProcessRow[]): ReadonlySet<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.parentPid]));
  const chain = new Set<number>();
  for (let pid = process.pid; pid > 0 && !chain.has(pid); pid = parents.get(pid) ?? 0) chain.add(pid);
  return chain;
}
