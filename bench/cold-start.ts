import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Figure, timeInTurn } from "./figure.ts";

const ROUNDS = 31;

/** A whole call from the built command line, against a Node that does nothing. */
export async function benchColdStart(root: string, folder: string): Promise<Figure[]> {
  const environment = { ...process.env, PAWL_HOME: join(folder, "home"), XDG_CACHE_HOME: join(folder, "cache") };
  const run = (words: readonly string[]) => (): void => {
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, env: environment });
    if (status !== 0) throw new Error(`node ${words.join(" ")}: ${String(stderr)}`);
  };
  const bare = run(["-e", "0"]);
  const pawl = run([join(root, "bin/pawl.cjs"), "exec-tool", "BashTool", "true"]);
  for (let warm = 0; warm < 3; warm++) pawl();
  const [bareMs = Number.NaN, pawlMs = Number.NaN] = await timeInTurn(ROUNDS, [bare, pawl]);
  const ratio = pawlMs / bareMs;
  return [
    {
      name: "pawl exec-tool BashTool true, cold",
      measured: `${ratio.toFixed(2)} times, ${pawlMs.toFixed(0)} ms`,
      baseline: `node -e 0: ${bareMs.toFixed(0)} ms`,
      wanted: "at most 2.5 times",
      holds: ratio <= 2.5,
    },
  ];
}
