// A tool as people and programs read about it: command line, generated pages and schemas come from here.
import { z } from "zod";
import { unwrap } from "../tools/coerce-value.ts";
import type { BaseTool } from "../tools/base-tool.ts";
import type { ToolMetadata } from "./tool-metadata.ts";

export interface ParameterDescription {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly synonyms: readonly string[];
}

/** JSON Schema (draft 2020-12) of the tool's input. */
export function inputSchema(tool: BaseTool): Record<string, unknown> {
  return z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" });
}

/** JSON Schema (draft 2020-12) of the tool's data. */
export function outputSchema(tool: BaseTool): Record<string, unknown> {
  const output = tool.output instanceof z.ZodLazy ? (tool.output.unwrap() as z.ZodType) : tool.output;
  return z.toJSONSchema(output, { io: "output", unrepresentable: "any" });
}

export function parametersOf(tool: BaseTool): ParameterDescription[] {
  return Object.entries(tool.input.shape).map(([name, schema]) => {
    const typed = schema as z.ZodType;
    return {
      name,
      type: typeOf(typed),
      required: typed._zod.optin === undefined,
      description: typed.description ?? (unwrap(typed) as z.ZodType).description ?? "",
      synonyms: Object.entries(tool.synonyms).flatMap(([synonym, canonical]) => (canonical === name ? [synonym] : [])),
    };
  });
}

/** The text for a terminal, and the data for a program. */
export function describeTool(row: ToolMetadata, tool: BaseTool): { text: string; data: Record<string, unknown> } {
  const { load: _load, ...metadata } = row;
  const { governance } = row;
  const lines = parametersOf(tool).map((parameter) => {
    const also = parameter.synonyms.length > 0 ? ` Also: ${parameter.synonyms.join(", ")}.` : "";
    return `  ${parameter.name} (${parameter.type}${parameter.required ? ", required" : ""})  ${parameter.description}${also}`;
  });
  const examples = tool.examples.map(
    (example) => `  ${example.title}: pawl exec-tool ${row.wireNames[0]} '${JSON.stringify(example.payload)}'`,
  );
  const text = [
    `${row.name} (${row.wireNames.join(", ")})`,
    tool.description,
    `Access ${row.access}, article ${governance.article}, ${governance.requiresApproval ? "needs" : "needs no"} approval, ` +
      `${governance.timeoutSeconds} s (at most ${governance.ceilingSeconds} s).`,
    lines.length > 0 ? `Parameters:\n${lines.join("\n")}` : "No parameters.",
    examples.length > 0 ? `Examples:\n${examples.join("\n")}` : "",
  ];
  const data = {
    ...metadata,
    description: tool.description,
    input_schema: inputSchema(tool),
    output_schema: outputSchema(tool),
    examples: tool.examples,
  };
  return { text: text.filter(Boolean).join("\n"), data };
}

function typeOf(schema: z.ZodType): string {
  const inner = unwrap(schema);
  const { def } = inner._zod;
  if (def.type === "enum")
    return Object.values((def as unknown as { entries: Record<string, string> }).entries).join(" | ");
  if (def.type === "literal")
    return (def as unknown as { values: readonly unknown[] }).values.map((value) => JSON.stringify(value)).join(" | ");
  return def.type === "number" ? "number" : def.type;
}
