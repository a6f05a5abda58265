import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS } from "../../src/registry/catalog/all-tools.ts";
import { runCli } from "../support/run-cli.ts";
import { testApp, testFolders } from "../support/test-app.ts";

describe("the bundle", () => {
  it.each(ALL_TOOLS.map((row) => [row.name, row] as const))(
    "does what the examples of %s say, with cached code and without",
    async (name, row) => {
      const { registry } = (await testApp()).app.services;
      const { examples } = await registry.load(row);
      for (const example of examples) {
        for (const _again of [1, 2]) {
          const { workspace, home } = testFolders();
          for (const [path, text] of Object.entries(example.files ?? {})) {
            mkdirSync(dirname(join(workspace, path)), { recursive: true });
            writeFileSync(join(workspace, path), text);
          }
          const run = await runCli(["exec-tool", name, JSON.stringify(example.payload)], { cwd: workspace, home });
          expect(`${run.stdout}${run.stderr}`, example.title).toContain(example.shows);
        }
      }
    },
  );

  it("judges by the grammar, spills long output, and writes settings", async () => {
    const { workspace: cwd, home } = testFolders();
    expect((await runCli(["exec-tool", "Bash", 'echo "a$(echo 1)" | cat'], { cwd, home })).stdout).toBe("a1\n");
    expect((await runCli(["exec-tool", "Bash", 'rm -rf "/"'], { cwd, home })).status).toBe(3);
    expect((await runCli(["exec-tool", "Bash", "seq 1 90000"], { cwd, home })).stdout).toContain("90000");
    expect((await runCli(["exec-command", "config", "role=write"], { cwd, home })).status).toBe(0);
    expect((await runCli(["exec-tool", "Bash", "true"], { cwd, home })).status).toBe(3);
  });

  it("keeps the compiled code of calls only, whole, and mends a damaged one", async () => {
    const { root, workspace: cwd, home } = testFolders();
    const environment = { XDG_CACHE_HOME: join(root, "cache") };
    const folder = join(root, "cache/pawl/compiled");
    await runCli(["--version"], { cwd, home, environment });
    expect(() => readdirSync(folder)).toThrow("ENOENT");
    const call = (): Promise<{ stdout: string }> =>
      runCli(["exec-tool", "Bash", "echo hi"], { cwd, home, environment });
    await Promise.all([call(), call(), call()]);
    const kept = readdirSync(folder);
    expect(kept.every((name) => /^[\w.-]+\.cjs-[\w.-]+-\d+-\d+$/.test(name))).toBe(true);
    for (const name of kept) writeFileSync(join(folder, name), "damaged");
    expect((await call()).stdout).toBe("hi\n");
    expect((await call()).stdout).toBe("hi\n");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "a file in its place");
    expect((await call()).stdout).toBe("hi\n");
  });
});
