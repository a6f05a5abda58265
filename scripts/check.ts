// Everything that a commit has to pass, but the tests: `npm run check`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { VERSION } from "../src/core/version.ts";

const STEPS: readonly (readonly [string, string])[] = [
  ["format", "oxfmt --check ."],
  ["lint", "oxlint --type-aware --deny-warnings src test scripts bench"],
  ["types", "tsc"],
  ["architecture", "vitest run test/architecture.test.ts --silent --reporter=dot"],
  ["generated files", "node scripts/generate.ts --check"],
  ["dead exports", "knip"],
];

const failed = STEPS.filter(([name, command]) => !passes(name, command)).map(([name]) => name);
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
if (version !== VERSION) failed.push(`version: package.json says ${version}, src/core/version.ts says ${VERSION}`);
console.log(failed.length === 0 ? "check: all good" : `check: failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes(name: string, command: string): boolean {
  const started = performance.now();
  // Through the shell for the PATH that npm sets up.
  const { status } = spawnSync(command, { shell: true, stdio: "inherit" });
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${((performance.now() - started) / 1_000).toFixed(1)} s)`);
  return status === 0;
}
