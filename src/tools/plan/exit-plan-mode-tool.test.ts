import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { ESCAPES, layTrap } from "../../../test/support/escapes.ts";
import { testApp } from "../../../test/support/test-app.ts";
import { findSession } from "../../store/session-queries.ts";

async function planning() {
  const pawl = await testApp();
  const { meta } = await pawl.call("EnterPlanMode", {});
  const exit = (payload: Record<string, unknown>) => pawl.call("ExitPlanMode", payload);
  const mode = async () => (await findSession(pawl.app.services.store.db, meta.session_id))?.mode;
  return { pawl, exit, mode };
}

describe("ExitPlanModeV2Tool with a plan in a file", () => {
  it.each(["plan_file_path", "planFilePath", "plan_filename", "PLAN_FILENAME", "plan_path"])(
    "reads the file that %s names, keeps the plan and ends plan mode",
    async (name) => {
      const { pawl, exit, mode } = await planning();
      const path = pawl.file("plans/plan.md", "\ufeff# Plan\n");
      expect(await exit({ [name]: "plans/plan.md" })).toMatchObject({
        success: true,
        text: "Plan mode has ended: tools may write and run commands again.\n\n# Plan\n",
        data: { mode: "default", plan: "# Plan\n", plan_file_path: path },
      });
      expect(await mode()).toBe("default");
    },
  );

  it("takes a plan beside it when they are the same, and refuses another", async () => {
    const { pawl, exit, mode } = await planning();
    pawl.file("plan.md", "one");
    expect((await exit({ plan: "two", planFilePath: "plan.md" })).error).toMatchObject({
      code: "invalid_input",
      message: "plan and the content of plan.md are different plans",
    });
    expect(await mode()).toBe("plan");
    expect((await exit({ plan: "one", planFilePath: "plan.md" })).success).toBe(true);
  });

  it("needs no plan, and says so in its data", async () => {
    const { exit } = await planning();
    expect((await exit({ allowedPrompts: [{ tool: "Bash", prompt: "run tests" }] })).data).toMatchObject({
      plan: null,
      plan_file_path: null,
    });
  });

  it.each(ESCAPES)("denies %s (REQ-062-123)", async (escape) => {
    const { pawl, exit, mode } = await planning();
    const result = await exit({ plan_file_path: layTrap(pawl, escape).path });
    expect(result.error?.code).toBe("denied");
    expect(JSON.stringify(result)).not.toContain("secret\\n");
    expect(await mode()).toBe("plan");
  });

  it.each<[string, (path: string) => void, string]>([
    ["a missing file", () => undefined, "not_found"],
    ["a folder", (path) => mkdirSync(path), "invalid_input"],
    ["a named pipe", (path) => execFileSync("mkfifo", [path]), "invalid_input"],
    ["a file that is no UTF-8", (path) => writeFileSync(path, Buffer.of(0xff, 0x41)), "invalid_input"],
    ["a plan that is too long", (path) => writeFileSync(path, "x".repeat(200_001)), "limit_exceeded"],
    ["a file that is far too large", (path) => writeFileSync(path, "x".repeat(800_001)), "limit_exceeded"],
  ])("refuses %s at once, and stays in plan mode", async (_name, make, code) => {
    const { pawl, exit, mode } = await planning();
    make(join(pawl.workspace, "plan.md"));
    const result = await exit({ plan_file_path: "plan.md" });
    expect(result.error?.code).toBe(code);
    expect(result.meta.duration_ms).toBeLessThan(2000);
    expect(await mode()).toBe("plan");
  });

  it("is refused outside plan mode, before the file is read", async () => {
    const pawl = await testApp();
    expect((await pawl.call("ExitPlanMode", { plan_file_path: "absent.md" })).error?.code).toBe("conflict");
  });
});
