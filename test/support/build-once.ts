// Builds the command line once for the whole suite, beside node_modules so that its one outside import is found.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** Sets PAWL_TEST_CLI to the launcher; vitest runs what this returns at the end. */
export default function setup(): () => void {
  const folder = join(ROOT, "node_modules", ".cache", `pawl-suite-${process.pid}`);
  const built = spawnSync("tsdown", ["--out-dir", join(folder, "dist"), "--logLevel", "error"], {
    cwd: ROOT,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (built.status !== 0) throw new Error(`The build failed: ${built.stdout}${built.stderr}${built.error ?? ""}`);
  cpSync(join(ROOT, "bin"), join(folder, "bin"), { recursive: true });
  process.env.PAWL_TEST_CLI = join(folder, "bin", "pawl.cjs");
  return () => rmSync(folder, { recursive: true, force: true });
}
