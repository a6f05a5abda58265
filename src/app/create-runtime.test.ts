import { describe, expect, it } from "vitest";
import { testFolders } from "../../test/support/test-app.ts";
import { createRuntime } from "../index.ts";

describe("createRuntime (P-002)", () => {
  it("runs typed calls through the same door, and closes by itself", async () => {
    const { workspace, home } = testFolders();
    await using runtime = await createRuntime({ workspace, home, callerId: "script:test" });
    const heard: string[] = [];
    const leave = runtime.onEvent((event) => void heard.push(event.type));
    const result = await runtime.call("BashTool", { command: "echo typed" });
    expect(result.data?.exit_code).toBe(0);
    expect(result.text).toBe("typed");
    leave();
    expect((await runtime.callByName("nope", {})).error?.code).toBe("unknown_tool");
    expect(heard).toContain("tool.executed");
  });

  it("may lower its role, never raise it", async () => {
    const { workspace, home } = testFolders();
    await using reader = await createRuntime({ workspace, home, role: "read" });
    expect((await reader.call("BashTool", { command: "true" })).error?.code).toBe("denied");
    process.env.PAWL_ROLE = "read";
    try {
      await using lowered = await createRuntime({ workspace, home, role: "execute" });
      expect((await lowered.call("BashTool", { command: "true" })).error?.code).toBe("denied");
    } finally {
      delete process.env.PAWL_ROLE;
    }
  });

  it("may be closed twice, and then says that it is closed", async () => {
    const { workspace, home } = testFolders();
    await using runtime = await createRuntime({ workspace, home });
    await runtime.close();
    await runtime.close();
    expect((await runtime.call("BashTool", { command: "true" })).error).toMatchObject({
      code: "unavailable",
      message: "This runtime is closed",
    });
  });

  it("keeps sessions apart, and cancels", async () => {
    const { workspace, home } = testFolders();
    await using runtime = await createRuntime({ workspace, home, sessionId: "mine" });
    await runtime.call("EnterPlanModeTool", {});
    expect((await runtime.call("BashTool", { command: "true" })).error?.code).toBe("denied");
    expect((await runtime.call("BashTool", { command: "true" }, { sessionId: "other" })).success).toBe(true);
    const cancelled = await runtime.call(
      "BashTool",
      { command: "sleep 30" },
      { sessionId: "other", signal: AbortSignal.abort() },
    );
    expect(cancelled.error?.code).toBe("cancelled");
  });

  it("uses the process's own directory, and rejects for a home that is no place", async () => {
    const { home } = testFolders();
    await using runtime = await createRuntime({ home });
    expect((await runtime.call("BashTool", { command: "pwd" })).text).toBe(process.cwd());
    await expect(createRuntime({ home: "/dev/null/x" })).rejects.toMatchObject({ code: expect.any(String) });
  });
});
