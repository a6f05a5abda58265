// Settings by dotted path, as `config` shows and takes them.
import { ToolError } from "../core/errors.ts";

/** `{ a: { b: 1 } }` → `{ "a.b": 1 }`; lists are values. */
export function flattenSettings(value: Readonly<Record<string, unknown>>, prefix = ""): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    if (isObject(item)) Object.assign(flat, flattenSettings(item, path));
    else flat[path] = item;
  }
  return flat;
}

/** `KEY=VALUE`; the value is JSON where it parses as such, else text; empty means: back to the default. */
export function parseSetting(assignment: string): { key: string; value: unknown } {
  const at = assignment.indexOf("=");
  const key = assignment.slice(0, at);
  const text = assignment.slice(at + 1);
  if (key === "")
    throw new ToolError("invalid_input", `${JSON.stringify(assignment)} names no setting`, {
      hint: "Write KEY=VALUE.",
    });
  return { key, value: text === "" ? undefined : jsonOrText(text) };
}

/** A copy with the setting at `key` replaced, or removed when `value` is undefined. */
export function withSetting(
  file: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): Record<string, unknown> {
  const [first = "", ...rest] = key.split(".");
  const { [first]: present, ...others } = file;
  if (rest.length > 0)
    return { ...others, [first]: withSetting(isObject(present) ? present : {}, rest.join("."), value) };
  return value === undefined ? others : { ...others, [first]: value };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
