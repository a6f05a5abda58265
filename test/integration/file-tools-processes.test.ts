// Several Pawl processes at work on one file.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ToolResult } from "../../src/core/result.ts";
import { runCli } from "../support/run-cli.ts";
import { testFolders } from "../support/test-app.ts";

const LANES = 3;
const CALLS = 6;

/** Runs lanes side by side, the calls of each one after the other; a call that is told a conflict is repeated. */
async function runLanes(tool: string, payloadOf: (call: number) => object, place: { workspace: string; home: string }) {
  const once = async (call: number): Promise<number> => {
    const words = ["exec-tool", tool, "-", "--json", "--session", `lane-${call % LANES}`];
    const input = JSON.stringify(payloadOf(call));
    const { stdout } = await runCli(words, { cwd: place.workspace, home: place.home, input });
    const result = JSON.parse(stdout) as ToolResult;
    if (result.success) return 0;
    expect(result.error).toMatchObject({ code: "conflict" });
    return 1 + (await once(call));
  };
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let index = 0; index < CALLS; index++) await once(index * LANES + lane);
  });
  await Promise.all(lanes);
}

const numbers = Array.from({ length: LANES * CALLS }, (_, index) => index);

describe("processes that change one file at the same time", () => {
  it("lose no edit: each is made, or told as a conflict", async () => {
    const place = testFolders();
    const path = join(place.workspace, "a.txt");
    writeFileSync(path, numbers.map((call) => `<${call}>\n`).join(""));
    const edit = (call: number) => ({ file_path: "a.txt", old_string: `<${call}>`, new_string: `done ${call}` });
    await runLanes("Edit", edit, place);
    expect(readFileSync(path, "utf8")).toBe(numbers.map((call) => `done ${call}\n`).join(""));
  });

  it("lose no line that they append", async () => {
    const place = testFolders();
    await runLanes("Write", (call) => ({ file_path: "a.txt", content: `${call}\n`, mode: "append" }), place);
    const lines = readFileSync(join(place.workspace, "a.txt"), "utf8").trimEnd().split("\n").map(Number);
    expect(lines.sort((a, b) => a - b)).toEqual(numbers);
  });
});
