import { expect, it, vi } from "vitest";
import { testApp } from "../../../test/support/test-app.ts";

vi.mock("../../process/find-ripgrep.ts", () => ({
  findRipgrep: async (onPath: (name: string) => string | undefined) => onPath("rg"),
}));

it("says how to get ripgrep when there is none", async () => {
  const pawl = await testApp({ environment: { PATH: "" } });
  pawl.file("a.txt", "x\n");
  const { error } = await pawl.call("Grep", { pattern: "x" });
  expect(error).toMatchObject({
    code: "unavailable",
    message: "ripgrep (rg) was not found: neither with Pawl nor on PATH",
  });
  expect(error?.hint).toContain("apt-get install ripgrep");
  expect((await pawl.call("Glob", { pattern: "*.txt" })).success).toBe(true);
});
