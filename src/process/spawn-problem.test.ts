import { describe, expect, it } from "vitest";
import type { ToolError } from "../core/errors.ts";
import { spawnProblem } from "./spawn-problem.ts";

function problem(code: string, cwd = "/"): readonly [string, string] {
  const error = Object.assign(new Error(`spawn tool ${code}`), { code });
  const { code: ours, message } = spawnProblem(error, { file: "tool", args: ["é"], cwd }) as ToolError;
  return [ours, message];
}

describe("spawnProblem", () => {
  it.each([
    ["EAGAIN", "unavailable", "tool could not be started: the system is out of processes (EAGAIN)"],
    ["ENOMEM", "unavailable", "tool could not be started: the system is out of memory (ENOMEM)"],
    ["EMFILE", "unavailable", "tool could not be started: the system is out of open files (EMFILE)"],
    ["ENOEXEC", "unavailable", "The program tool cannot be executed by this user (ENOEXEC)"],
    ["EIO", "unavailable", "tool could not be started (EIO)"],
    ["E2BIG", "limit_exceeded", "The arguments of tool are too long: 3 bytes besides the environment (E2BIG)"],
    ["ERR_INVALID_ARG_VALUE", "invalid_input", "An argument, a variable or the directory for tool has a NUL character"],
  ])("says what %s means", (system, code, message) => {
    expect(problem(system)).toEqual([code, message]);
  });

  it("hands back what is no system error", () => {
    const error = new TypeError("ours");
    expect(spawnProblem(error, { file: "tool", args: [], cwd: "/" })).toBe(error);
  });
});
