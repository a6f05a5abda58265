// Around the whole suite: everything it makes lies in one temporary folder, and nothing of it may be left at the end.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const MARK = "PAWL_TEST_RUN";
/** Milliseconds that a process which is just ending may take. */
const PATIENCE_MS = 3_000;

/** vitest runs the function that this returns after the last test; what it throws fails the run. */
export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pawl-suite-"));
  // Some tests act as another user in folders of theirs in here.
  chmodSync(folder, 0o755);
  process.env[MARK] = folder;
  process.env.TMPDIR = folder;
  process.env.PAWL_HOME = join(folder, "home-of-a-test-that-names-none");
  process.env.XDG_CACHE_HOME = join(folder, "cache");
  return async () => {
    const alive = await survivors(folder);
    const files = readdirSync(folder).filter((name) => !isOfRunner(name));
    rmSync(folder, { recursive: true, force: true });
    const left = [...alive.map((line) => `process ${line}`), ...files.map((name) => `file ${name}`)];
    if (left.length > 0) throw new Error(`The suite left behind:\n${left.join("\n")}`);
  };
}

/** vitest and Node keep caches of their own there. */
function isOfRunner(name: string): boolean {
  return /^(?:node-compile-cache|vite|vitest|cache$|node-coverage)/.test(name);
}

async function survivors(folder: string): Promise<string[]> {
  for (const started = Date.now(); ;) {
    const alive = processesOf(folder);
    if (alive.length === 0 || Date.now() - started > PATIENCE_MS) return alive;
    await delay(50);
  }
}

/** Every process that inherited the mark of this run, but the runner's own. */
function processesOf(folder: string): string[] {
  const own = new Set(ancestry(process.pid));
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || own.has(Number(name))) return [];
    try {
      const environment = readFileSync(`/proc/${name}/environ`, "utf8");
      if (!environment.split("\0").includes(`${MARK}=${folder}`)) return [];
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return command === "" || isVitestWorker(command) ? [] : [`${name} ${command}`];
    } catch {
      return [];
    }
  });
}

function isVitestWorker(command: string): boolean {
  return /vitest|esbuild --service|rolldown/.test(command);
}

function ancestry(pid: number): number[] {
  if (pid <= 1) return [];
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return [pid, ...ancestry(Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]))];
}
