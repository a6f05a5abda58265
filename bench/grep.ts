import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../src/app/create-app.ts";
import { loadConfig } from "../src/config/load-config.ts";
import { findRipgrep } from "../src/process/find-ripgrep.ts";
import { type Figure, timeInTurn } from "./figure.ts";

const FILES = 50_000;
const ROUNDS = 9;

/** GrepTool in a running Pawl, against ripgrep with its output read, over the same files. */
export async function benchGrep(folder: string): Promise<Figure[]> {
  const tree = join(folder, "tree");
  makeTree(tree);
  const rg = await findRipgrep(() => undefined);
  if (!rg) throw new Error("ripgrep is missing");
  const app = await createApp({ config: await loadConfig({ home: join(folder, "home") }) });
  const caller = { id: "user:bench", kind: "library", role: "read" } as const;
  const grep = (mode: string) => async (): Promise<void> => {
    const payload = { pattern: "needle", output_mode: mode, head_limit: 250 };
    const result = await app.runCall({ tool: "GrepTool", payload, cwd: tree }, caller);
    if (!result.success) throw new Error(result.text);
  };
  const bare = (words: readonly string[]) => (): void => {
    const { status, stderr } = spawnSync(rg, [...words, "needle", "."], { cwd: tree, maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error(String(stderr));
  };
  const figures: Figure[] = [];
  for (const [mode, words] of [
    ["files_with_matches", ["-l"]],
    ["content", ["-n"]],
  ] as const) {
    const jobs = [bare(words), grep(mode)];
    for (const job of jobs) await Promise.resolve(job());
    const [bareMs = Number.NaN, pawlMs = Number.NaN] = await timeInTurn(ROUNDS, jobs);
    const ratio = pawlMs / bareMs;
    figures.push({
      name: `Grep over ${FILES} files, ${mode}`,
      measured: `${ratio.toFixed(2)} times, ${pawlMs.toFixed(0)} ms`,
      baseline: `ripgrep: ${bareMs.toFixed(0)} ms`,
      wanted: "at most 1.2 times",
      holds: ratio <= 1.2,
    });
  }
  await app.close();
  return figures;
}

function makeTree(tree: string): void {
  for (let index = 0; index < FILES; index++) {
    const directory = join(tree, `d${Math.floor(index / 500)}`);
    if (index % 500 === 0) mkdirSync(directory, { recursive: true });
    const line = index % 100 === 0 ? "a needle in it" : "hay and more hay";
    writeFileSync(join(directory, `f${index}.txt`), `${`some ordinary text of file ${index}\n`.repeat(10)}${line}\n`);
  }
}
