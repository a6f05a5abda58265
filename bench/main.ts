// The figures that Pawl promises, each beside its baseline, taken in one run: `npm run bench [NAME …]`.
// Needs a build (`npm run build`); everything is made in a temporary folder, which is removed.
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { benchColdStart } from "./cold-start.ts";
import type { Figure } from "./figure.ts";
import { benchGrep } from "./grep.ts";
import { benchPipeline } from "./pipeline.ts";
import { benchTail } from "./tail.ts";

const ROOT = resolve(import.meta.dirname, "..");
const BENCHES: Readonly<Record<string, (folder: string) => Promise<Figure[]>>> = {
  "cold-start": (folder) => benchColdStart(ROOT, folder),
  pipeline: benchPipeline,
  grep: benchGrep,
  tail: (folder) => benchTail(ROOT, folder),
};

if (!existsSync(join(ROOT, "dist/pawl.cjs"))) throw new Error("Build first: npm run build");
const wanted = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : Object.keys(BENCHES);
let missed = 0;
for (const name of names) {
  const bench = BENCHES[name];
  if (!bench) throw new Error(`No bench is named ${name}; there are ${Object.keys(BENCHES).join(", ")}`);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-bench-")));
  try {
    for (const figure of await bench(folder)) {
      missed += figure.holds ? 0 : 1;
      console.log(
        `${figure.holds ? "ok    " : "MISSED"} ${figure.name}: ${figure.measured} (${figure.baseline}); wanted ${figure.wanted}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exitCode = missed > 0 ? 1 : 0;
