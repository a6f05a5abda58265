// One payload, many dialects: synonyms, spellings and types of what clients send become the tool's own parameters.
import type { z } from "zod";
import { ToolError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Result } from "../core/result.ts";
import { coerce, isAbsent, isOptional, sameValue } from "./coerce-value.ts";

/** Parameters that clients add to any call; left unread, and reported. */
const HARMLESS = new Set(["description", "explanation", "instruction", "reason", "justification", "title", "origin"]);

/** The parts of a tool that normalisation needs. */
export interface Parameters {
  readonly name: string;
  readonly input: z.ZodObject;
  readonly synonyms: Readonly<Record<string, string>>;
  readonly emptyIsData: readonly string[];
  readonly ignoredParameters: readonly string[];
  reshape(payload: Record<string, unknown>): Record<string, unknown>;
}

export interface NormalizedInput {
  readonly values: Record<string, unknown>;
  readonly ignored: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * Turns any payload into the tool's own parameter names and types. Refuses two spellings of one parameter that
 * disagree, and names that mean nothing here, with the nearest that does.
 */
export function normalizeInput(tool: Parameters, payload: unknown): Result<NormalizedInput, ToolError> {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    const got = Array.isArray(payload) ? "a list" : payload === null ? "null" : `a ${typeof payload}`;
    return failure(`${tool.name} takes a JSON object, not ${got}`, exampleOf(tool));
  }
  try {
    const { rest, timeoutMs } = takeTimeout(tool, payload as Record<string, unknown>);
    const named = nameParameters(tool, rest);
    const values = coerceAll(tool, tool.reshape(named.values));
    return { ok: true, value: { values, ignored: named.ignored, ...(timeoutMs !== undefined && { timeoutMs }) } };
  } catch (error) {
    if (error instanceof ToolError) return { ok: false, error };
    throw error;
  }
}

/**
 * `timeout_ms` and `timeout_seconds` are accepted everywhere, in the unit that they name. A tool with a `timeout` of its
 * own (milliseconds) gets them as that; for any other they are the limit of the call.
 */
function takeTimeout(
  tool: Parameters,
  payload: Record<string, unknown>,
): { rest: Record<string, unknown>; timeoutMs?: number } {
  const { timeout_ms: milliseconds, timeout_seconds: seconds, ...rest } = payload;
  const given = [inMilliseconds("timeout_ms", milliseconds, 1), inMilliseconds("timeout_seconds", seconds, 1_000)];
  const [first, second] = given.filter((value) => value !== undefined);
  if (first === undefined) return { rest };
  const own = Object.hasOwn(tool.input.shape, "timeout");
  const bare = own && !isAbsent(rest.timeout, false) ? Number(rest.timeout) : first;
  if ((second !== undefined && second !== first) || bare !== first) {
    throw new ToolError("invalid_input", "timeout, timeout_ms and timeout_seconds say different things", {
      hint: "Send one of them.",
    });
  }
  return own ? { rest: { ...rest, timeout: first } } : { rest, timeoutMs: first };
}

function inMilliseconds(name: string, value: unknown, factor: number): number | undefined {
  if (isAbsent(value, false)) return undefined;
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof amount === "number" && Number.isFinite(amount) && amount > 0) return Math.ceil(amount * factor);
  throw new ToolError("invalid_input", `${name} is ${JSON.stringify(value)?.slice(0, 100)}`, {
    hint: "Give a number above 0.",
  });
}

function nameParameters(
  tool: Parameters,
  payload: Record<string, unknown>,
): { values: Record<string, unknown>; ignored: string[] } {
  const values: Record<string, unknown> = {};
  const spelledAs = new Map<string, string>();
  const ignored: string[] = [];
  const names = namesOf(tool);
  for (const [key, value] of Object.entries(payload)) {
    const name = names.find(key);
    if (name === undefined) {
      if (HARMLESS.has(key) || tool.ignoredParameters.includes(key)) ignored.push(key);
      else throw unknownParameter(tool, key, names.all);
      continue;
    }
    const earlier = spelledAs.get(name);
    if (earlier === undefined) {
      spelledAs.set(name, key);
      values[name] = value;
    } else if (!agree(tool, name, [values[name], value])) {
      throw new ToolError("invalid_input", `${earlier} and ${key} are the same parameter with different values`, {
        hint: `Send only ${name}.`,
      });
    }
  }
  return { values, ignored };
}

function namesOf(tool: Parameters): { all: string[]; find: (key: string) => string | undefined } {
  const own = Object.keys(tool.input.shape);
  const folded = new Map<string, string>();
  for (const [synonym, name] of Object.entries(tool.synonyms)) folded.set(fold(synonym), name);
  for (const name of own) folded.set(fold(name), name);
  const exact = new Set(own);
  const find = (key: string): string | undefined => {
    if (exact.has(key)) return key;
    return Object.hasOwn(tool.synonyms, key) ? tool.synonyms[key] : folded.get(fold(key));
  };
  return { all: [...own, ...Object.keys(tool.synonyms)], find };
}

/** Case and underscores do not matter; a leading dash does (`-n` is not `n`). */
function fold(key: string): string {
  return key.toLowerCase().replaceAll("_", "");
}

function agree(tool: Parameters, name: string, [first, second]: readonly [unknown, unknown]): boolean {
  const schema = tool.input.shape[name];
  if (!schema) return sameValue(first, second);
  return sameValue(coerce(schema, first), coerce(schema, second));
}

function coerceAll(tool: Parameters, values: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const schema = tool.input.shape[name];
    if (!schema) throw unknownParameter(tool, name, Object.keys(tool.input.shape));
    const emptyIsData = tool.emptyIsData.includes(name);
    if (isOptional(schema) && isAbsent(value, emptyIsData)) continue;
    result[name] = coerce(schema, value);
  }
  return result;
}

function unknownParameter(tool: Parameters, key: string, names: readonly string[]): ToolError {
  const known = Object.keys(tool.input.shape);
  const accepted = known.length === 0 ? "It takes none." : `It takes ${known.join(", ")}.`;
  const hint = [didYouMean(key, names), accepted].filter(Boolean).join(" ");
  return new ToolError("invalid_input", `${tool.name} has no parameter ${JSON.stringify(key.slice(0, 100))}`, { hint });
}

function exampleOf(tool: Parameters): string {
  const required = Object.entries(tool.input.shape).filter(([, schema]) => !isOptional(schema));
  return required.length === 0 ? "{} will do." : `It needs ${required.map(([name]) => name).join(", ")}.`;
}

function failure(message: string, hint: string): Result<NormalizedInput, ToolError> {
  return { ok: false, error: new ToolError("invalid_input", message, { hint }) };
}
