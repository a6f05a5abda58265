import { execFile } from "node:child_process";
import type { ProcessRow, ProcessTable } from "./process-table.ts";

const TIME_LIMIT_MS = 10_000;

/**
 * Windows ends a tree from its living root with taskkill. It keeps no groups, and a child whose parent has ended
 * cannot be found again, so what a command leaves behind when it ends by itself is not listed.
 */
export class WindowsProcessTable implements ProcessTable {
  readonly #taskkill: string;

  constructor(taskkill = "taskkill") {
    this.#taskkill = taskkill;
  }

  async adopt(): Promise<undefined> {
    return undefined;
  }

  async list(): Promise<readonly ProcessRow[]> {
    return [];
  }

  isMarked(): boolean {
    return false;
  }

  commandOf(): string {
    return "";
  }

  /** Never rejects: a tree that has ended already is what was asked for. */
  async endNatively(rootPid: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const options = { timeout: TIME_LIMIT_MS, windowsHide: true };
    execFile(this.#taskkill, ["/T", "/F", "/PID", String(rootPid)], options, () => resolve());
    await promise;
  }
}
