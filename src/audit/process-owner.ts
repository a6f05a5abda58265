// Names a process so that a later one with the same pid is not taken for it.
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** `host:pid:start`; `start` is empty where the system does not tell it. */
export function thisProcess(): string {
  return `${hostname()}:${process.pid}:${startOf(process.pid) ?? ""}`;
}

/** False only when it is certain that the process is gone; a process of another host counts as alive. */
export function processIsAlive(owner: string): boolean {
  const [host = "", pid = "", start = ""] = owner.split(/:(?=\d*:\d*$|\d*$)/);
  if (host !== hostname()) return true;
  const current = startOf(Number(pid));
  if (current !== undefined) return start === "" || current === start;
  return signalable(Number(pid)) && start === "";
}

/** The start time in clock ticks since boot: field 22 of /proc/PID/stat (proc_pid_stat(5)). */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function signalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
