import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listAudit } from "../audit/audit-query.ts";
import { ToolError } from "../core/errors.ts";
import { fakeTool } from "../../test/support/fake-tool.ts";
import { testApp } from "../../test/support/test-app.ts";

describe("a call", () => {
  it("answers with text, data and meta (REQ-062-073)", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({ text: "hi", data: { n: 1 } }))] });
    const result = await pawl.call("ProbeTool", {});
    expect(result).toEqual({
      success: true,
      text: "hi",
      data: { n: 1 },
      meta: {
        call_id: expect.stringMatching(/^call_/),
        tool: "ProbeTool",
        session_id: expect.stringMatching(/^ws-/),
        duration_ms: expect.any(Number),
      },
    });
  });

  it("finds a tool by any of its names, whatever the case", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({}))] });
    for (const name of ["ProbeTool", "Probe", "probe", "PROBE_TOOL", "probe-tool"]) {
      expect((await pawl.call(name, {})).success).toBe(true);
    }
  });

  it("answers an unknown name with the nearest (S-003)", async () => {
    const pawl = await testApp();
    const result = await pawl.call("Bsh", {});
    expect(result.error).toMatchObject({ code: "unknown_tool", message: 'No tool is named "Bsh"' });
    expect(result.error?.hint).toContain("Bash");
  });

  it.each([
    ["an empty payload", "", null],
    ["plain text", "some words", "some words"],
    ["a JSON string", '"some words"', "some words"],
    ["a number", "42", "42"],
    ["a JSON object", '{"input":"x"}', "x"],
    ["text with braces that is no JSON", "{ echo a; }", "{ echo a; }"],
  ])("takes %s (S-001)", async (_name, payload, seen) => {
    const pawl = await testApp({ tools: [fakeTool(async (params) => ({ data: params.input }))] });
    const result = await pawl.call("Probe", payload);
    expect(result).toMatchObject({ success: true });
    expect(result.data).toBe(seen);
  });

  it.each([
    ["broken JSON", '{"input": "x"', "invalid_input"],
    ["a list", "[1]", "invalid_input"],
    ["an unknown parameter", { inputt: "x" }, "invalid_input"],
    ["more than 10 MB", "x".repeat(10 * 1024 * 1024 + 1), "limit_exceeded"],
    ["nesting without end", `{"input":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, "limit_exceeded"],
  ])("refuses %s and puts it on record (REQ-062-125)", async (_name, payload, code) => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({}))] });
    const result = await pawl.call("Probe", payload);
    expect(result.error?.code).toBe(code);
    const [row] = await listAudit(pawl.app.services.store, { limit: 1 });
    expect(row?.record).toMatchObject({
      tool: "ProbeTool",
      outcome: "failed",
      error: { code },
      decision: { allowed: false },
    });
  });

  it("refuses a payload that leads back to itself", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({}))] });
    const loop: Record<string, unknown> = {};
    loop.input = loop;
    expect((await pawl.call("Probe", loop)).error?.code).toBe("limit_exceeded");
  });

  it("writes its audit row before it answers (REQ-062-126, P-006)", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({ text: "seen" }), { access: "execute" })] });
    const result = await pawl.call("Probe", { input: "x", description: "why" });
    expect(result.meta.ignored_params).toEqual(["description"]);
    const [row] = await listAudit(pawl.app.services.store, { limit: 1 });
    expect(row?.record).toMatchObject({
      call_id: result.meta.call_id,
      tool: "ProbeTool",
      caller: { id: "user:test", kind: "local_user", role: "execute" },
      arguments: { input: "x" },
      decision: { allowed: true, by: "article" },
      outcome: "completed",
      result: { text: "seen", characters: 4 },
    });
  });

  it("turns any throw into a typed error without a stack, and logs the stack", async () => {
    const pawl = await testApp({
      tools: [
        fakeTool(async () => {
          throw new TypeError("secret inner detail");
        }),
      ],
    });
    const result = await pawl.call("Probe", {});
    expect(result.error?.code).toBe("internal");
    expect(JSON.stringify(result)).not.toContain("secret inner detail");
    const log = readFileSync(join(pawl.home, "logs/errors.jsonl"), "utf8");
    expect(JSON.parse(log)).toMatchObject({
      call_id: result.meta.call_id,
      stack: expect.stringContaining("secret inner detail"),
    });
  });

  it("carries the partial outcome of a failed tool", async () => {
    const pawl = await testApp({
      tools: [
        fakeTool(async () => {
          throw new ToolError("conflict", "It changed", {
            hint: "Look again.",
            partial: { text: "half", data: { n: 1 } },
          });
        }),
      ],
    });
    expect(await pawl.call("Probe", {})).toMatchObject({
      success: false,
      text: "half\nconflict: It changed\nLook again.",
      data: { n: 1 },
      error: { code: "conflict", message: "It changed", hint: "Look again.", retryable: false },
    });
  });

  it("tells a system error of the tool as one of the file system", async () => {
    const pawl = await testApp({
      tools: [
        fakeTool(async () => {
          throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
        }),
      ],
    });
    expect((await pawl.call("Probe", {})).error?.code).toBe("io_error");
  });
});

describe("a decision", () => {
  it.each([
    ["read", "write"],
    ["read", "execute"],
    ["write", "execute"],
  ] as const)("keeps the role %s from a tool that may %s (REQ-062-121)", async (role, access) => {
    let ran = false;
    const tool = fakeTool(
      async () => {
        ran = true;
        return {};
      },
      { access },
    );
    const pawl = await testApp({ tools: [tool] });
    const result = await pawl.call("Probe", {}, { caller: { role } });
    expect(result.error?.code).toBe("denied");
    expect(ran).toBe(false);
    const [row] = await listAudit(pawl.app.services.store, { limit: 1 });
    expect(row?.record).toMatchObject({ outcome: "refused", decision: { allowed: false, by: "role" } });
  });

  it("asks for what needs approval, and takes the person's own word (REQ-062-070)", async () => {
    const pawl = await testApp({ tools: [fakeTool(async () => ({}), { requiresApproval: true })] });
    expect((await pawl.call("Probe", {})).error?.code).toBe("approval_required");
    expect((await pawl.call("Probe", {}, { approve: true })).success).toBe(true);
    const [row] = await listAudit(pawl.app.services.store, { limit: 1 });
    expect(row?.record.decision).toMatchObject({ allowed: true, by: "approval" });
  });

  it("binds the next call to plan mode, which no approval lifts", async () => {
    const probe = fakeTool(async () => ({}), { access: "write" });
    const { ALL_TOOLS } = await import("../registry/catalog/all-tools.ts");
    const pawl = await testApp({ tools: [...ALL_TOOLS, probe] });
    expect((await pawl.call("Probe", {})).success).toBe(true);
    expect((await pawl.call("EnterPlanMode", {})).success).toBe(true);
    expect((await pawl.call("Probe", {}, { approve: true })).error?.code).toBe("denied");
    expect((await pawl.call("Probe", {}, { sessionId: "another" })).success).toBe(true);
    expect((await pawl.call("ExitPlanMode", { plan: "do it" })).success).toBe(true);
    expect((await pawl.call("Probe", {})).success).toBe(true);
  });
});

describe("a path of a call (REQ-062-123)", () => {
  const canonicalOf = fakeTool(async (params, context) => ({
    text: context.authorizedPath(params.path ?? "").canonical,
  }));

  it.each([
    ["dots", "../out/s.txt"],
    ["a neighbour with the same beginning", "../ws-evil/s.txt"],
    ["an absolute path", "/etc/passwd"],
    ["the home directory", "~/x"],
    ["a link to a file", "link"],
    ["a link to a directory", "dir/s.txt"],
    ["a link to what does not exist yet", "dangling"],
    ["a link in a link", "twice"],
    ["dots behind a link", "dir/../s.txt/../../out/s.txt"],
    ["a NUL byte", "a\0b"],
    ["a link that leads to itself", "self"],
    ["a file URL", "file:///etc/passwd"],
    ["Pawl's own home", "../home/pawl.sqlite"],
  ])("is denied when it leaves the workspace by %s", async (_name, path) => {
    const pawl = await testApp({ tools: [canonicalOf] });
    const out = join(pawl.workspace, "../out");
    mkdirSync(out);
    mkdirSync(join(pawl.workspace, "../ws-evil"));
    writeFileSync(join(out, "s.txt"), "secret");
    symlinkSync(join(out, "s.txt"), join(pawl.workspace, "link"));
    symlinkSync(out, join(pawl.workspace, "dir"));
    symlinkSync(join(out, "new.txt"), join(pawl.workspace, "dangling"));
    symlinkSync("link", join(pawl.workspace, "twice"));
    symlinkSync("self", join(pawl.workspace, "self"));
    const result = await pawl.call("Probe", { path });
    expect(result).toMatchObject({ success: false, error: { code: "denied" } });
    expect(readdirSync(out)).toEqual(["s.txt"]);
  });

  it.each([
    ["relative", "a/b.txt", "a/b.txt"],
    ["with dots that stay inside", "a/../b.txt", "b.txt"],
    ["through a link that stays inside", "in/x", "real/x"],
    ["with brackets, blanks and other letters", "a (1)/[id]/ü 中.txt", "a (1)/[id]/ü 中.txt"],
    ["that begins with dots", "..hidden/x", "..hidden/x"],
  ])("is allowed %s", async (_name, path, canonical) => {
    const pawl = await testApp({ tools: [canonicalOf] });
    mkdirSync(join(pawl.workspace, "real"));
    symlinkSync("real", join(pawl.workspace, "in"));
    expect((await pawl.call("Probe", { path })).text).toBe(join(pawl.workspace, canonical));
  });

  it("may lie in a directory that the settings add", async () => {
    const pawl = await testApp({ tools: [canonicalOf] });
    const extra = join(pawl.workspace, "../extra");
    mkdirSync(extra);
    const other = await testApp({ tools: [canonicalOf], config: { workspace: { additional_directories: [extra] } } });
    expect((await other.call("Probe", { path: join(extra, "x") })).text).toBe(join(extra, "x"));
  });
});
