// What is wrong with a payload, in one sentence that names the field, the value and what is accepted.
import type { z } from "zod";
import { ToolError } from "../core/errors.ts";
import { unwrap } from "./coerce-value.ts";

interface Described {
  readonly name: string;
  readonly input: z.ZodObject;
}

/** An `invalid_input` for the first issues that zod found in `values`. */
export function describeIssues(
  tool: Described,
  issues: readonly z.core.$ZodIssue[],
  values: Record<string, unknown>,
): ToolError {
  const sentences = issues.slice(0, 3).map((issue) => sentenceOf(issue, values));
  const more = issues.length > 3 ? ` (and ${issues.length - 3} more)` : "";
  return new ToolError("invalid_input", `${sentences.join("; ")}${more}`, { hint: hintOf(tool, issues[0]) });
}

function sentenceOf(issue: z.core.$ZodIssue, values: Record<string, unknown>): string {
  const where = pathOf(issue.path);
  const value = valueAt(values, issue.path);
  if (issue.code === "invalid_type" && value === undefined) return `${where} is missing`;
  if (issue.code === "unrecognized_keys")
    return `${where} has no field ${issue.keys.map((key) => show(key)).join(", ")}`;
  if (issue.code === "custom") return `${where}: ${issue.message}`;
  return `${where} is ${show(value)}; accepted: ${acceptedBy(issue)}`;
}

function acceptedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "a whole number" : `a ${issue.expected}`;
    case "invalid_value":
      return issue.values.map((value) => show(value)).join(", ");
    case "too_small":
      return `${measureOf(issue.origin)}at least ${issue.minimum}`;
    case "too_big":
      return `${measureOf(issue.origin)}at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function measureOf(origin: string): string {
  if (origin === "string") return "a length of ";
  return origin === "array" ? "a number of items of " : "";
}

function hintOf(tool: Described, issue: z.core.$ZodIssue | undefined): string {
  const name = issue?.path[0];
  const schema = typeof name === "string" ? tool.input.shape[name] : undefined;
  const meaning = schema && ((schema as z.ZodType).description ?? (unwrap(schema) as z.ZodType).description);
  return meaning ? `${String(name)}: ${meaning}` : `\`pawl show-tool ${tool.name}\` lists the parameters.`;
}

function pathOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "The payload";
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index ? "." : ""}${String(part)}`))
    .join("");
}

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  let current: unknown = values;
  for (const part of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<PropertyKey, unknown>)[part];
  }
  return current;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
