import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "./figure.ts";

const SIZE = 1024 ** 3;

/** The last 100 lines of a 1 GB file from the built command line, by the most memory that the process ever held. */
export async function benchTail(root: string, folder: string): Promise<Figure[]> {
  const path = join(folder, "large.log");
  makeFile(path);
  const report = join(folder, "rss");
  const hook = join(folder, "report-rss.mjs");
  writeFileSync(
    hook,
    `import { writeFileSync } from "node:fs";
process.on("exit", () => writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)));`,
  );
  const environment = { ...process.env, PAWL_HOME: join(folder, "home"), XDG_CACHE_HOME: join(folder, "cache") };
  const peak = (words: readonly string[]): number => {
    const { status, stderr } = spawnSync(process.execPath, ["--import", hook, ...words], {
      cwd: folder,
      env: environment,
    });
    if (status !== 0) throw new Error(String(stderr));
    return Number(readFileSync(report, "utf8")) / 1_024;
  };
  const bare = peak(["-e", "0"]);
  const pawl = peak([
    join(root, "bin/pawl.cjs"),
    "exec-tool",
    "FileReadTool",
    JSON.stringify({ file_path: path, tail: 100 }),
  ]);
  return [
    {
      name: "the last 100 lines of a 1 GB file",
      measured: `${pawl.toFixed(0)} MB at most`,
      baseline: `node -e 0: ${bare.toFixed(0)} MB`,
      wanted: "under 120 MB",
      holds: pawl < 120,
    },
  ];
}

function makeFile(path: string): void {
  const chunk = Buffer.from("an ordinary line of a log file, 64 characters long, give or take\n".repeat(16_384));
  const file = openSync(path, "w");
  for (let written = 0; written < SIZE; written += chunk.length) writeSync(file, chunk);
  closeSync(file);
}
