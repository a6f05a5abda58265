// Values as clients send them (numbers as strings, lists as JSON text) become the type that the schema asks for.
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";

type AnySchema = z.core.$ZodType;

/** The value in the schema's type when the conversion is unambiguous; otherwise the value as it is. */
export function coerce(schema: AnySchema, value: unknown): unknown {
  const inner = unwrap(schema);
  switch (inner._zod.def.type) {
    case "number":
    case "int":
      return typeof value === "string" ? numberFrom(value) : value;
    case "boolean":
      return booleanFrom(value);
    case "literal":
      return literalFrom(inner, value);
    case "string":
      return Number.isSafeInteger(value) ? String(value) : value;
    case "enum":
      return enumFrom(inner, value);
    case "array":
      return listFrom(inner, value);
    case "object":
    case "record":
      return jsonFrom(value, (parsed) => typeof parsed === "object" && parsed !== null && !Array.isArray(parsed));
    default:
      return value;
  }
}

/** True when the parameter may be left out. */
export function isOptional(schema: AnySchema): boolean {
  return schema._zod.optin !== undefined;
}

/** What clients send for "nothing": null, and unless it is data, the empty string and its spelled-out kin. */
export function isAbsent(value: unknown, emptyIsData: boolean): boolean {
  if (value === null || value === undefined) return true;
  return !emptyIsData && (value === "" || value === "null" || value === "undefined");
}

export function sameValue(first: unknown, second: unknown): boolean {
  return isDeepStrictEqual(first, second);
}

/** The schema inside `optional`, `default` and the like. */
export function unwrap(schema: AnySchema): AnySchema {
  let current = schema;
  for (;;) {
    const def = current._zod.def as { innerType?: AnySchema; in?: AnySchema };
    const inner = def.innerType ?? def.in;
    if (!inner) return current;
    current = inner;
  }
}

function numberFrom(text: string): unknown {
  return /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text) ? Number(text) : text;
}

function booleanFrom(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  return word === "true" ? true : word === "false" ? false : value;
}

function literalFrom(schema: AnySchema, value: unknown): unknown {
  const { values } = schema._zod.def as unknown as { values: readonly unknown[] };
  const match = values.find((literal) => typeof value === "string" && String(literal) === value.trim().toLowerCase());
  return match ?? value;
}

function enumFrom(schema: AnySchema, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const { entries } = schema._zod.def as unknown as { entries: Record<string, string | number> };
  const wanted = value.trim().toLowerCase();
  return Object.values(entries).find((entry) => String(entry).toLowerCase() === wanted) ?? value;
}

function listFrom(schema: AnySchema, value: unknown): unknown {
  const list = jsonFrom(value, Array.isArray);
  if (!Array.isArray(list)) return list;
  const { element } = schema._zod.def as unknown as { element: AnySchema };
  return list.map((item) => coerce(element, item));
}

function jsonFrom(value: unknown, fits: (parsed: unknown) => boolean): unknown {
  if (typeof value !== "string") return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return fits(parsed) ? parsed : value;
  } catch {
    return value;
  }
}
