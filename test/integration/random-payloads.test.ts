// Whatever a client sends, a tool answers with a result or a typed error: generated from the schema, broken at random.
import { setTimeout as delay } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../../src/core/errors.ts";
import type { ToolResult } from "../../src/core/result.ts";
import { ALL_TOOLS } from "../../src/registry/catalog/all-tools.ts";
import { inputSchema } from "../../src/registry/describe-tool.ts";
import { testApp, type TestApp } from "../support/test-app.ts";

const RUNS = 200;
/** Milliseconds after which a call counts as hung. */
const PATIENCE_MS = 30_000;
/** Parameters that are run as a command. */
const COMMANDS = /^(?:command|cmd|script|input|code)$/i;

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

describe.each(ALL_TOOLS.map((row) => [row.name, row] as const))("%s", (name, row) => {
  it(`answers ${RUNS} random payloads with a result or a typed error (REQ-062-125)`, { timeout: 600_000 }, async () => {
    const pawl = await testApp();
    for (const file of ["a.txt", "b/c.md"]) pawl.file(file, "one\ntwo\n");
    const tool = await row.load({ ...pawl.app.services, withFileLock: (critical) => critical() });
    const payloads = brokenPayload(inputSchema(tool), Object.keys(tool.synonyms));
    const check = async (payload: unknown): Promise<void> => {
      if (row.access !== "execute") expectTyped(await call(pawl, name, payload));
      else expectTyped(await call(pawl, name, harmless(payload)));
    };
    await fc.assert(fc.asyncProperty(payloads, check), { numRuns: RUNS });
  });
});

async function call(pawl: TestApp, name: string, payload: unknown): Promise<ToolResult> {
  const late = new AbortController();
  const hang = delay(PATIENCE_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`${name} did not answer ${JSON.stringify(payload)}`);
  });
  hang.catch(() => {});
  try {
    return await Promise.race([pawl.call(name, payload, { timeoutMs: 5_000 }), hang]);
  } finally {
    late.abort();
  }
}

function expectTyped(result: ToolResult): void {
  const { success, error, text } = result;
  expect(typeof success).toBe("boolean");
  expect(success).toBe(error === undefined);
  expect(text).not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
  JSON.stringify(result);
  if (!error) return;
  expect(Object.keys(ERROR_CODES)).toContain(error.code);
  expect(error).not.toMatchObject({ code: "internal" });
  expect(error.message).not.toBe("");
}

/** A payload that fits the schema, with up to two things done to it; at times no payload of that kind at all. */
function brokenPayload(schema: Schema, synonyms: readonly string[]): fc.Arbitrary<unknown> {
  const fitting = valueOf(schema) as fc.Arbitrary<Record<string, unknown>>;
  const broken = fc.tuple(fitting, fc.array(damage(synonyms), { maxLength: 2 })).map(([payload, damages]) => {
    return damages.reduce<Record<string, unknown>>((broken, damage) => damage(broken), payload);
  });
  return fc.oneof(
    { weight: 8, arbitrary: broken },
    { weight: 1, arbitrary: broken.map((payload) => JSON.stringify(payload)) },
    {
      weight: 1,
      arbitrary: fc.tuple(broken, fc.nat({ max: 40 })).map(([value, at]) => JSON.stringify(value).slice(0, -at)),
    },
    { weight: 1, arbitrary: fc.anything() },
  );
}

type Damage = (payload: Record<string, unknown>) => Record<string, unknown>;

function damage(synonyms: readonly string[]): fc.Arbitrary<Damage> {
  const oddValue = fc.oneof(
    fc.anything(),
    fc.constantFrom<unknown>(null, "", "null", [], {}, -1, 0, 1e308, Number.NaN, "9".repeat(400), "\0", "../..", "😀"),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  const oddName = fc.oneof(
    fc.constantFrom("__proto__", "constructor", "x", ""),
    fc.string(),
    fc.constantFrom("timeout_ms", ...synonyms),
  );
  const nameAt = (payload: object, at: number) => Object.keys(payload)[at % Math.max(1, Object.keys(payload).length)];
  return fc.oneof(
    fc.tuple(fc.nat(), oddValue).map(([at, value]): Damage => (payload) => ({
      ...payload,
      [nameAt(payload, at) ?? "x"]: value,
    })),
    fc.tuple(oddName, oddValue).map(([name, value]): Damage => (payload) => ({ ...payload, [name]: value })),
    fc.nat().map((at): Damage => (payload) => {
      const { [nameAt(payload, at) ?? "x"]: _removed, ...rest } = payload;
      return rest;
    }),
    fc.nat().map((at): Damage => (payload) => {
      const { [nameAt(payload, at) ?? "x"]: value, ...rest } = payload;
      return { ...rest, [(nameAt(payload, at) ?? "x").toUpperCase()]: value };
    }),
    fc.nat().map((at): Damage => (payload) => {
      const name = nameAt(payload, at) ?? "x";
      return { ...payload, [name]: JSON.stringify(payload[name]) };
    }),
  );
}

function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueOf));
  switch (schema.type) {
    case "object":
      return objectOf(schema);
    case "array":
      return fc.array(valueOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(4, schema.maxItems ?? 4),
      });
    case "integer":
      return fc.integer({ min: Math.max(schema.minimum ?? -50, -50), max: Math.min(schema.maximum ?? 5_000, 5_000) });
    case "number":
      return fc.double({ min: schema.minimum ?? -50, max: Math.min(schema.maximum ?? 5_000, 5_000), noNaN: true });
    case "boolean":
      return fc.boolean();
    case "string":
      return fc.oneof(
        fc.constantFrom("a.txt", "b/c.md", "b", "new/d.txt", "one", "two\n", "*.txt", ""),
        fc.string({ maxLength: 30 }),
      );
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** With few of the optional parameters: many exclude each other, and would never get past the first check. */
function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const values = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)]));
  const optional = Object.keys(values).filter((name) => !required.includes(name));
  return fc.subarray(optional, { maxLength: Math.min(2, optional.length) }).chain((chosen) => {
    const wanted = new Set([...required, ...chosen]);
    return fc.record(Object.fromEntries(Object.entries(values).filter(([name]) => wanted.has(name))));
  });
}

/** The payload of a tool that executes, with every command an echo: only the shape stays random. */
function harmless(payload: unknown): unknown {
  if (typeof payload === "string") {
    try {
      return JSON.stringify(harmless(JSON.parse(payload)));
    } catch {
      return `echo ${payload.length}`;
    }
  }
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return payload;
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      name,
      COMMANDS.test(name.replaceAll("_", "")) ? echo(value) : value,
    ]),
  );
}

function echo(value: unknown): unknown {
  if (typeof value === "string") return value === "" ? value : `echo ${value.length}`;
  return Array.isArray(value) ? ["echo", ...value.filter((item) => typeof item !== "string")] : value;
}
