// A process that keeps swapping a folder and a link, as an attacker would to get between a check and a use.
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Swaps two names again and again, until it is disposed of; at the longest for 30 seconds. */
export async function swapInLoop(one: string, other: string): Promise<Disposable> {
  const child = spawn(process.execPath, ["-e", SCRIPT, one, other], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return { [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

// What others make under the name while it is free is in the way, and removed.
const SCRIPT = `
  const { renameSync, rmSync } = require("node:fs");
  const [one, other] = process.argv.slice(1);
  const [spare, end] = [one + ".spare", Date.now() + 30_000];
  const move = (from, to) => {
    for (;;) {
      try { return renameSync(from, to); } catch {}
      try { rmSync(to, { recursive: true, force: true }); } catch {}
    }
  };
  console.log("ready");
  while (Date.now() < end) {
    move(one, spare); move(other, one); move(spare, other);
    for (const next = performance.now() + 0.2; performance.now() < next;);
  }`;
