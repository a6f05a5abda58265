import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolOutput } from "../core/result.ts";
import { BaseTool, type CallUses } from "./base-tool.ts";

const input = z.strictObject({
  file_path: z.string().describe("The file."),
  limit: z.int().min(1).max(100).optional().describe("Lines; 1 to 100."),
  mode: z.enum(["content", "count"]).default("content").describe("What comes back."),
  all: z.boolean().optional().describe("Everything."),
  text: z.string().optional().describe("Data."),
  edits: z
    .array(z.strictObject({ from: z.string(), to: z.string() }))
    .optional()
    .describe("A list."),
  "-n": z.boolean().optional().describe("Numbers."),
  n: z.int().optional().describe("Another."),
});

class SampleTool extends BaseTool<typeof input> {
  readonly name = "SampleTool";
  readonly description = "A sample.";
  readonly input = input;
  readonly output = z.unknown();
  override readonly synonyms = { path: "file_path", filename: "file_path" };
  override readonly emptyIsData = ["text"];
  override readonly ignoredParameters = ["login"];
  override uses(): CallUses {
    return { paths: [] };
  }
  override async execute(): Promise<ToolOutput<unknown>> {
    return { text: "", data: null };
  }
}

const tool = new SampleTool();

function paramsOf(payload: unknown): unknown {
  const checked = tool.validate(payload);
  return checked.ok ? checked.value.params : checked.error.message;
}

describe("a payload in another dialect (REQ-062-125)", () => {
  it.each([
    [{ file_path: "a" }, { file_path: "a", mode: "content" }],
    [{ path: "a" }, { file_path: "a", mode: "content" }],
    [{ filePath: "a" }, { file_path: "a", mode: "content" }],
    [{ FILE_PATH: "a" }, { file_path: "a", mode: "content" }],
    [
      { path: "a", filename: "a" },
      { file_path: "a", mode: "content" },
    ],
    [
      { path: "a", limit: "5" },
      { file_path: "a", mode: "content", limit: 5 },
    ],
    [
      { path: "a", limit: 5, Limit: "5" },
      { file_path: "a", mode: "content", limit: 5 },
    ],
    [
      { path: "a", all: "True" },
      { file_path: "a", mode: "content", all: true },
    ],
    [
      { path: "a", mode: "COUNT" },
      { file_path: "a", mode: "count" },
    ],
    [
      { path: "a", limit: null, all: "", mode: "undefined" },
      { file_path: "a", mode: "content" },
    ],
    [
      { path: "a", text: "" },
      { file_path: "a", mode: "content", text: "" },
    ],
    [
      { path: "a", text: null },
      { file_path: "a", mode: "content" },
    ],
    [{ path: 7 }, { file_path: "7", mode: "content" }],
    [
      { path: "a", edits: '[{"from":"x","to":"y"}]' },
      { file_path: "a", mode: "content", edits: [{ from: "x", to: "y" }] },
    ],
    [
      { path: "a", "-n": "true", n: "3" },
      { file_path: "a", mode: "content", "-n": true, n: 3 },
    ],
  ])("%j is taken as %j", (payload, params) => {
    expect(paramsOf(payload)).toEqual(params);
  });

  it.each([
    [{}, "file_path is missing"],
    [{ path: "a", filename: "b" }, "path and filename are the same parameter with different values"],
    [{ path: "a", limt: 5 }, 'SampleTool has no parameter "limt"'],
    [{ path: "a", limit: 0 }, "limit is 0; accepted: at least 1"],
    [{ path: "a", limit: 101 }, "limit is 101; accepted: at most 100"],
    [{ path: "a", limit: "many" }, 'limit is "many"; accepted: a number'],
    [{ path: "a", limit: 1.5 }, "limit is 1.5; accepted: a whole number"],
    [{ path: "a", mode: "all" }, 'mode is "all"; accepted: "content", "count"'],
    [{ path: "a", all: "maybe" }, 'all is "maybe"; accepted: a boolean'],
    [{ path: ["a"] }, 'file_path is ["a"]; accepted: a string'],
    [{ path: "a", edits: [{ from: "x" }] }, "edits[0].to is missing"],
    [{ path: "a", edits: [{ from: "x", to: "y", by: 1 }] }, 'edits[0] has no field "by"'],
    [{ path: "a", __proto__x: 1 }, 'SampleTool has no parameter "__proto__x"'],
    [JSON.parse('{"path":"a","__proto__":1}'), 'SampleTool has no parameter "__proto__"'],
    [{ path: "a", constructor: 1 }, 'SampleTool has no parameter "constructor"'],
    [[], "SampleTool takes a JSON object, not a list"],
    [null, "SampleTool takes a JSON object, not null"],
    ["x", "SampleTool takes a JSON object, not a string"],
  ])("%j is refused: %s", (payload, message) => {
    expect(paramsOf(payload)).toBe(message);
  });

  it("names the nearest parameter, and what all there are", () => {
    const checked = tool.validate({ path: "a", limt: 5 });
    expect(checked.ok ? "" : checked.error.hint).toMatch(/^Did you mean limit\? It takes file_path, limit,/);
  });

  it("leaves harmless extras unread and says so", () => {
    expect(tool.validate({ path: "a", description: "why", login: true })).toMatchObject({
      ok: true,
      value: { ignored: ["description", "login"] },
    });
  });

  it.each([
    [{ path: "a", timeout_ms: 500 }, 500],
    [{ path: "a", timeout_seconds: "2" }, 2_000],
    [{ path: "a", timeout_ms: 2_000, timeout_seconds: 2 }, 2_000],
  ])("%j asks for %i ms", (payload, timeoutMs) => {
    expect(tool.validate(payload)).toMatchObject({ ok: true, value: { timeoutMs } });
  });

  it.each([
    [{ path: "a", timeout_ms: 1, timeout_seconds: 2 }],
    [{ path: "a", timeout_ms: -1 }],
    [{ path: "a", timeout_ms: "soon" }],
    [{ path: "a", timeout_seconds: {} }],
  ])("%j is refused for its timeout", (payload) => {
    expect(tool.validate(payload)).toMatchObject({ ok: false, error: { code: "invalid_input" } });
  });

  it("gets a typed answer whatever the payload is", () => {
    fc.assert(
      fc.property(fc.anything(), (payload) => {
        const checked = tool.validate(payload);
        return checked.ok || checked.error.code === "invalid_input";
      }),
    );
  });

  it("means the same when its valid parameters are spelled in another way", () => {
    const upper = (key: string): string => key.toUpperCase();
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 100 }), (path, limit) => {
        fc.pre(path !== "null" && path !== "undefined");
        expect(paramsOf({ [upper("file_path")]: path, Limit: String(limit) })).toEqual(
          paramsOf({ file_path: path, limit }),
        );
      }),
    );
  });
});
