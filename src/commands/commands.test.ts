import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listAudit } from "../audit/audit-query.ts";
import type { ToolResult } from "../core/result.ts";
import { testApp, type TestApp } from "../../test/support/test-app.ts";
import { ALL_COMMANDS } from "./all-commands.ts";
import { checkProgram } from "./doctor/checks.ts";
import { PROGRAMS } from "./doctor/programs.ts";
import { runCommand } from "./run-command.ts";

async function run(pawl: TestApp, name: string, prompt = ""): Promise<ToolResult> {
  const request = { name, prompt, cwd: pawl.workspace, signal: new AbortController().signal };
  return runCommand(pawl.app.services, request, { id: "user:test", kind: "local_user", role: "execute" });
}

describe("every slash command (S-002)", () => {
  it.each(ALL_COMMANDS.map((row) => row.name))("%s answers with text and data, and is on record", async (name) => {
    const pawl = await testApp();
    const result = await run(pawl, name);
    expect(result).toMatchObject({ success: true, text: expect.stringMatching(/.+/), data: expect.anything() });
    const [row] = await listAudit(pawl.app.services.store, { limit: 1 });
    expect(row?.record).toMatchObject({ tool: `/${name}`, outcome: "completed" });
  });

  it("is found by alias and with the slash", async () => {
    const pawl = await testApp();
    expect((await run(pawl, "/settings")).success).toBe(true);
    expect((await run(pawl, "/HELP")).success).toBe(true);
  });

  it("is missing with the nearest name", async () => {
    const pawl = await testApp();
    expect((await run(pawl, "statsu")).error).toMatchObject({
      code: "unknown_command",
      hint: expect.stringContaining("status"),
    });
  });
});

describe("config", () => {
  it("shows all settings, or one", async () => {
    const pawl = await testApp();
    expect((await run(pawl, "config")).text).toContain("output.max_characters=30000");
    expect((await run(pawl, "config", "role")).data).toMatchObject({ settings: { role: "execute" } });
  });

  it("changes settings in the file, keeps the others, and takes them back", async () => {
    const pawl = await testApp();
    const file = (): unknown => JSON.parse(readFileSync(pawl.config.configPath, "utf8"));
    await run(pawl, "config", "output.max_characters=5000 role=read");
    expect(file()).toEqual({ output: { max_characters: 5_000 }, role: "read" });
    await run(pawl, "config", "role=");
    expect(file()).toEqual({ output: { max_characters: 5_000 } });
  });

  it.each([
    ["an unknown key", "rolle", 'No setting is named "rolle"'],
    ["an unknown key with a value", "rolle=read", 'No setting is named "rolle"'],
    ["a value that does not fit", "role=root", "role"],
    ["keys mixed with values", "role output.keep_days=3", "mixes"],
  ])("refuses %s and writes nothing", async (_name, prompt, shows) => {
    const pawl = await testApp();
    const result = await run(pawl, "config", prompt);
    expect(result.error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(shows) });
    expect(() => readFileSync(pawl.config.configPath)).toThrow("ENOENT");
  });

  it("does not save over a file that it cannot read", async () => {
    const pawl = await testApp();
    writeFileSync(pawl.config.configPath, "{ broken");
    expect((await run(pawl, "config", "role=read")).error?.code).toBe("invalid_input");
    expect(readFileSync(pawl.config.configPath, "utf8")).toBe("{ broken");
  });

  it("loses no change when two come at once", async () => {
    const pawl = await testApp();
    await Promise.all([run(pawl, "config", "output.keep_days=3"), run(pawl, "config", "store.synchronous=full")]);
    expect(JSON.parse(readFileSync(pawl.config.configPath, "utf8"))).toEqual({
      output: { keep_days: 3 },
      store: { synchronous: "full" },
    });
  });
});

describe("session", () => {
  it("lists, shows, forks and deletes", async () => {
    const pawl = await testApp();
    await pawl.call("EnterPlanMode", {}, { sessionId: "one" });
    expect((await run(pawl, "session", "exists one")).data).toEqual({ exists: true });
    expect((await run(pawl, "session", "fork one two")).success).toBe(true);
    expect((await run(pawl, "session", "show two")).data).toMatchObject({ id: "two", mode: "plan" });
    expect((await run(pawl, "session", "fork one two")).error?.code).toBe("conflict");
    expect((await run(pawl, "session", "delete two")).success).toBe(true);
    expect((await run(pawl, "session", "delete two")).error?.code).toBe("not_found");
    expect((await run(pawl, "session", "show two")).error?.code).toBe("not_found");
    expect((await run(pawl, "session", "exists two")).data).toEqual({ exists: false });
    expect((await run(pawl, "session", "list")).text).toContain("one");
    expect((await run(pawl, "session", "exists ../x")).error?.code).toBe("invalid_input");
    expect((await run(pawl, "session", "exists")).error?.code).toBe("invalid_input");
    expect((await run(pawl, "session", "dance")).error?.code).toBe("invalid_input");
  });

  it("starts anew with clear", async () => {
    const pawl = await testApp();
    await pawl.call("EnterPlanMode", {});
    await run(pawl, "clear");
    expect((await pawl.call("Bash", { command: "true" })).success).toBe(true);
    expect(pawl.events).toContainEqual(expect.objectContaining({ type: "session.changed", change: "cleared" }));
  });
});

describe("memory (P-009)", () => {
  it("names the files from the root of the file system down, each text once", async () => {
    const pawl = await testApp({ environment: { HOME: "/nonexistent" } });
    pawl.file("CLAUDE.md", "# Rules\nbe kind\n");
    pawl.file("AGENTS.md", "# Rules\nbe kind\n");
    pawl.file("CLAUDE.local.md", "mine");
    const listed = await run(pawl, "memory");
    const { files } = listed.data as { files: { path: string; lines: number }[] };
    const own = files.filter((file) => file.path.startsWith(pawl.workspace));
    expect(own).toEqual([
      { path: join(pawl.workspace, "CLAUDE.md"), scope: "project", lines: 2, bytes: 16 },
      { path: join(pawl.workspace, "CLAUDE.local.md"), scope: "project", lines: 1, bytes: 4 },
    ]);
    expect((await run(pawl, "memory", "show")).text).toContain("be kind");
    expect((await run(pawl, "memory", "eat")).error?.code).toBe("invalid_input");
  });
});

describe("permissions", () => {
  it("says what each tool may do here, and why", async () => {
    const pawl = await testApp();
    await pawl.call("EnterPlanMode", {});
    expect((await run(pawl, "permissions", "Bash")).data).toMatchObject({
      mode: "plan",
      tools: [{ tool: "BashTool", decision: "denied", reason: "plan mode" }],
    });
    const reader = { id: "r", kind: "local_user", role: "read" } as const;
    const request = { name: "permissions", prompt: "Bash", cwd: pawl.workspace, signal: new AbortController().signal };
    expect((await runCommand(pawl.app.services, request, reader)).data).toMatchObject({
      tools: [{ decision: "denied", reason: "needs the role execute" }],
    });
  });
});

describe("doctor (REQ-062-105)", () => {
  it("tells a program that works, one that is missing and one that is broken", async () => {
    const pawl = await testApp();
    const bin = join(pawl.workspace, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "pwsh"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
    writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 9\n", { mode: 0o755 });
    const config = { ...pawl.config, environment: { PATH: bin } };
    const statusOf = async (name: string): Promise<unknown> => {
      const program = PROGRAMS.find((candidate) => candidate.name === name);
      if (!program) throw new Error(name);
      return checkProgram(config, program);
    };
    expect(await statusOf("git")).toMatchObject({
      status: "works",
      detail: expect.stringContaining("git version 9"),
      howToGet: "",
    });
    expect(await statusOf("PowerShell")).toMatchObject({
      status: "broken",
      detail: expect.stringContaining("exit code 3"),
    });
    expect(await statusOf("ssh")).toMatchObject({ status: "missing", howToGet: expect.stringContaining("openssh") });
  });

  it("looks at everything that Pawl uses", async () => {
    const pawl = await testApp();
    const { checks } = (await run(pawl, "doctor")).data as {
      checks: { name: string; status: string; how_to_get: string }[];
    };
    const names = checks.map((check) => check.name);
    for (const name of [
      "Node.js",
      "store",
      "disk",
      "ripgrep",
      "git",
      "pseudo-terminal",
      "sandbox",
      "ssh",
      "PowerShell",
      "PostgreSQL",
    ]) {
      expect(names).toContain(name);
    }
    for (const check of checks) expect(check.status === "works" || check.how_to_get !== "").toBe(true);
  });
});
