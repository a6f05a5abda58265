import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ToolError } from "../core/errors.ts";
import { fakeTool } from "../../test/support/fake-tool.ts";
import { testApp } from "../../test/support/test-app.ts";

/** Ends when its signal fires, as a good tool does. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("whatever the tool says")));
  });
}

describe("a deadline (P-013)", () => {
  it("ends the call, and is told as a timeout whatever the tool throws", async () => {
    const pawl = await testApp({ tools: [fakeTool((_params, context) => untilAborted(context.signal))] });
    const result = await pawl.call("Probe", {}, { timeoutMs: 20 });
    expect(result.error).toEqual({
      code: "timeout",
      message: "ProbeTool was ended after 0.02 s, its time limit",
      hint: "A call may ask for up to 60 s.",
      retryable: true,
    });
  });

  it.each([
    ["the request", {}, { timeoutMs: 70 }, 70],
    ["the payload", { timeout_ms: 80 }, {}, 80],
    ["the payload in seconds", { timeout_seconds: 2 }, {}, 2_000],
    ["the ceiling", { timeout_seconds: 500 }, {}, 60_000],
    ["the tool's own default", {}, {}, 30_000],
  ])("is set by %s", async (_name, payload, request, timeoutMs) => {
    const pawl = await testApp({ tools: [fakeTool(async (_params, context) => ({ data: context.timeoutMs }))] });
    expect((await pawl.call("Probe", payload, request)).data).toBe(timeoutMs);
  });

  it("keeps what the tool had reached", async () => {
    const tool = fakeTool(async (_params, context) => {
      await untilAborted(context.signal).catch(() => {});
      throw new ToolError("timeout", "late", { partial: { text: "half of it", data: { lines: 3 } } });
    });
    const pawl = await testApp({ tools: [tool] });
    expect(await pawl.call("Probe", {}, { timeoutMs: 10 })).toMatchObject({
      success: false,
      data: { lines: 3 },
      text: expect.stringContaining("half of it"),
    });
  });
});

describe("a cancel (P-013)", () => {
  it("ends a call that runs", async () => {
    const ending = new AbortController();
    const tool = fakeTool((_params, context) => {
      queueMicrotask(() => ending.abort());
      return untilAborted(context.signal);
    });
    const pawl = await testApp({ tools: [tool] });
    expect((await pawl.call("Probe", {}, { signal: ending.signal })).error?.code).toBe("cancelled");
  });

  it("keeps a call from running that has not begun", async () => {
    let ran = false;
    const tool = fakeTool(async () => {
      ran = true;
      return {};
    });
    const pawl = await testApp({ tools: [tool] });
    expect((await pawl.call("Probe", {}, { signal: AbortSignal.abort() })).error?.code).toBe("cancelled");
    expect(ran).toBe(false);
  });
});

describe("long output (P-012)", () => {
  const long = Array.from({ length: 9_000 }, (_, n) => `line ${n}`).join("\n");

  it("is cut in the middle at line ends, and kept whole in a file", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({ text: long }))] });
    const { text, meta } = await pawl.call("Probe", {});
    expect(text.length).toBeLessThan(31_000);
    expect(text).toMatch(/^line 0\nline 1\n/);
    expect(text).toMatch(/\nline 8999$/);
    expect(text).toContain(meta.spill_path);
    expect(meta.truncated).toBe(true);
    expect(readFileSync(meta.spill_path ?? "", "utf8")).toBe(long);
  });

  it("of a failed call is cut and kept too", async () => {
    const tool = fakeTool(async () => {
      throw new ToolError("command_failed", "no", { partial: { text: long } });
    });
    const pawl = await testApp({ tools: [tool] });
    const { text, meta, success } = await pawl.call("Probe", {});
    expect(success).toBe(false);
    expect(text.length).toBeLessThan(31_000);
    expect(readFileSync(meta.spill_path ?? "", "utf8")).toBe(long);
  });

  it("is cut all the same when the file cannot be written, and says why", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({ text: long }))] });
    writeFileSync(join(pawl.home, "output"), "in the way");
    const { text, meta, success } = await pawl.call("Probe", {});
    expect(success).toBe(true);
    expect(text.length).toBeLessThan(31_000);
    expect(text).toContain("could not be kept in a file: EEXIST");
    expect(meta.spill_path).toBeUndefined();
  });

  it("is kept for as many days as the settings say", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({ text: long }))] });
    const folder = join(pawl.home, "output");
    mkdirSync(folder);
    for (const name of ["call_old.txt", "call_new.txt", "not-ours.txt"]) writeFileSync(join(folder, name), "");
    const eightDaysAgo = (Date.now() - 8 * 86_400_000) / 1_000;
    for (const name of ["call_old.txt", "not-ours.txt"]) utimesSync(join(folder, name), eightDaysAgo, eightDaysAgo);
    const { meta } = await pawl.call("Probe", {});
    expect(readdirSync(folder).sort()).toEqual(["call_new.txt", `${meta.call_id}.txt`, "not-ours.txt"].sort());
  });
});

describe("what a tool is given (REQ-062-074)", () => {
  it("is the call, the session, the place, the agent and a look at the policy", async () => {
    const pawl = await testApp({
      tools: [
        fakeTool(async (_params, context) => ({
          data: {
            callId: context.callId,
            correlationId: context.correlationId,
            caller: context.caller,
            workspaceRoot: context.workspaceRoot,
            workingDirectory: context.workingDirectory,
            repository: context.repository(),
            agent: context.agentAssignment,
            inside: context.mayTouch(join(context.workspaceRoot, "x"), "write"),
            outside: context.mayTouch("/etc/passwd", "read"),
          },
        })),
      ],
    });
    mkdirSync(join(pawl.workspace, ".git"));
    writeFileSync(join(pawl.workspace, ".git/HEAD"), "ref: refs/heads/topic/one\n");
    const { data, meta } = await pawl.call("Probe", {}, { correlationId: "job-1" });
    expect(data).toEqual({
      callId: meta.call_id,
      correlationId: "job-1",
      caller: { id: "user:test", kind: "local_user", role: "execute" },
      workspaceRoot: pawl.workspace,
      workingDirectory: pawl.workspace,
      repository: { root: pawl.workspace, branch: "topic/one" },
      agent: "U:Qa",
      inside: true,
      outside: false,
    });
  });

  it("is no path that it did not name beforehand", async () => {
    const pawl = await testApp({
      tools: [fakeTool(async (_params, context) => ({ text: context.authorizedPath("/etc/passwd").canonical }))],
    });
    expect((await pawl.call("Probe", {})).error?.code).toBe("denied");
  });

  it("is the root of the repository as workspace, from any folder in it", async () => {
    const pawl = await testApp({
      tools: [
        fakeTool(async (_params, context) => ({
          data: [context.workspaceRoot, context.workingDirectory, context.repository()],
        })),
      ],
    });
    mkdirSync(join(pawl.workspace, ".git"));
    mkdirSync(join(pawl.workspace, "a/b"), { recursive: true });
    const { data } = await pawl.call("Probe", {}, { cwd: join(pawl.workspace, "a/b") });
    expect(data).toEqual([pawl.workspace, join(pawl.workspace, "a/b"), undefined]);
    writeFileSync(join(pawl.workspace, ".git/HEAD"), "0123456789abcdef\n");
    rmSync(join(pawl.workspace, "a"), { recursive: true });
    expect((await pawl.call("Probe", {})).data).toEqual([pawl.workspace, pawl.workspace, { root: pawl.workspace }]);
  });

  it.each([
    ["missing", "not_found"],
    ["a-file", "invalid_input"],
    ["nul\0", "invalid_input"],
  ])("is nothing when the working directory is %j", async (cwd, code) => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({}))] });
    pawl.file("a-file", "");
    expect((await pawl.call("Probe", {}, { cwd: join(pawl.workspace, cwd) })).error?.code).toBe(code);
  });

  it.each(["", "a b", "../x", "x".repeat(65), ".hidden"])("is no session when its id is %j", async (sessionId) => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({}))] });
    expect((await pawl.call("Probe", {}, { sessionId })).error?.code).toBe("invalid_input");
  });
});

describe("events of a call (REQ-062-075)", () => {
  it("tell its start, its progress and its end, under one correlation id", async () => {
    const tool = fakeTool(async (_params, context) => {
      context.progress("half way");
      return {};
    });
    const pawl = await testApp({ tools: [tool] });
    await pawl.call("Probe", {}, { correlationId: "job-1" });
    expect(pawl.events.map((event) => ("phase" in event ? `${event.type} ${event.phase}` : event.type))).toEqual([
      "session.created",
      "tool.executed started",
      "tool.progress",
      "tool.executed completed",
    ]);
    expect(pawl.events.slice(1).every((event) => "correlationId" in event && event.correlationId === "job-1")).toBe(
      true,
    );
  });

  it("tell an error with its code", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({}))] });
    await pawl.call("Probe", { nope: 1 });
    expect(pawl.events).toEqual([
      expect.objectContaining({ type: "session.created" }),
      expect.objectContaining({ type: "tool.error", tool: "ProbeTool", code: "invalid_input" }),
    ]);
  });
});

describe("a store that fails in the middle", () => {
  it("is told, and what ran is not reported as done", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({ text: "done" }))] });
    await pawl.call("Probe", {});
    const failing = Object.assign(Object.create(pawl.app.services.audit) as typeof pawl.app.services.audit, {
      append: () => Promise.reject(new ToolError("io_error", "the disk is full")),
    });
    const { runCall } = await import("./run-call.ts");
    const result = await runCall(
      { ...pawl.app.services, audit: failing },
      { tool: "Probe", payload: {}, cwd: pawl.workspace },
      { id: "u", kind: "library", role: "read" },
    );
    expect(result).toMatchObject({
      success: false,
      error: { code: "io_error", message: "The call ran, but could not be recorded: the disk is full" },
    });
    expect(pawl.events.at(-1)).toMatchObject({ type: "tool.error", code: "io_error" });
  });

  it("keeps a call that would change something from running", async () => {
    let ran = false;
    const tool = fakeTool(
      async () => {
        ran = true;
        return {};
      },
      { access: "write" },
    );
    const pawl = await testApp({ tools: [tool] });
    const failing = Object.assign(Object.create(pawl.app.services.audit) as typeof pawl.app.services.audit, {
      open: () => Promise.reject(new ToolError("io_error", "the disk is full")),
    });
    const { runCall } = await import("./run-call.ts");
    const result = await runCall(
      { ...pawl.app.services, audit: failing },
      { tool: "Probe", payload: {}, cwd: pawl.workspace },
      { id: "u", kind: "library", role: "write" },
    );
    expect(result.error?.code).toBe("io_error");
    expect(ran).toBe(false);
  });
});
