// The edits that a call asks for: one, or a list, in the spellings of several clients.
import { z } from "zod";
import { normalizeInput } from "../normalize-input.ts";
import type { TextEdit } from "./edit-text.ts";

export const EDIT_SYNONYMS = {
  old_str: "old_string",
  old_text: "old_string",
  search: "old_string",
  needle: "old_string",
  new_str: "new_string",
  new_text: "new_string",
  replace: "new_string",
  replacement: "new_string",
  repl: "new_string",
  allow_multiple: "replace_all",
  allow_multiple_occurrences: "replace_all",
} as const;

export const EDIT_TEXTS = ["old_string", "new_string"];

const replaceAll = z.boolean().optional().describe("True: every place. False or left out: there must be exactly one.");
const expectedReplacements = z.int().min(1).optional().describe("Every place, and only if there are exactly so many.");

const editItem = z.strictObject({
  old_string: z.string(),
  new_string: z.string(),
  replace_all: replaceAll,
  expected_replacements: expectedReplacements,
});

export const editFields = {
  old_string: z
    .string()
    .optional()
    .describe(
      "The text to replace, exactly as in the file, without line numbers. Empty: fills an empty or a new file.",
    ),
  new_string: z.string().optional().describe("The text in its place, taken literally."),
  replace_all: replaceAll,
  expected_replacements: expectedReplacements,
  edits: z
    .array(editItem)
    .min(1)
    .max(1000)
    .optional()
    .describe("Instead of old_string and new_string: several edits, made in order, all or none."),
};

type EditParameters = { readonly [Name in keyof typeof editFields]?: z.output<(typeof editFields)[Name]> | undefined };

/** What is wrong with the parameters together. */
export function editProblem(params: EditParameters): { readonly parameter: string; readonly says: string } | undefined {
  const { old_string, new_string, edits } = params;
  const contradicts = [params, ...(edits ?? [])].some((edit) => {
    return edit.replace_all === false && (edit.expected_replacements ?? 1) > 1;
  });
  if (contradicts) {
    return { parameter: "replace_all", says: "false means one place, expected_replacements several; leave one out" };
  }
  if (edits) {
    const single = (["old_string", "new_string"] as const).find((name) => params[name] !== undefined);
    if (single) return { parameter: "edits", says: `cannot be combined with ${single}; put that into the list` };
    const loose = params.replace_all === true ? "replace_all" : "expected_replacements";
    if (params[loose] === undefined || params[loose] === false) return undefined;
    return { parameter: loose, says: "belongs into the items of edits" };
  }
  if (old_string === undefined) return { parameter: "old_string", says: "is missing, and so is edits" };
  return new_string === undefined ? { parameter: "new_string", says: "is missing" } : undefined;
}

/** The edits in order. The parameters have no `editProblem`. */
export function editsOf(params: EditParameters): TextEdit[] {
  const { old_string = "", new_string = "", replace_all, expected_replacements } = params;
  const items = params.edits ?? [{ old_string, new_string, replace_all, expected_replacements }];
  return items.map(({ expected_replacements, ...edit }) => ({ ...edit, expected: expected_replacements }));
}

/** Brings the items of a list to our names. What is no list, and no single item, is left for the schema to refuse. */
export function reshapeEdits(edits: unknown): unknown {
  const list = fromJson(edits);
  if (typeof list !== "object" || list === null) return edits;
  return (Array.isArray(list) ? list : [list]).map(reshapeItem);
}

function reshapeItem(item: unknown, index: number): unknown {
  const parameters = {
    name: `edits[${index}]`,
    input: editItem,
    synonyms: EDIT_SYNONYMS,
    emptyIsData: EDIT_TEXTS,
    ignoredParameters: [],
    reshape: (values: Record<string, unknown>) => values,
  };
  const normalized = normalizeInput(parameters, fromJson(item));
  if (!normalized.ok) throw normalized.error;
  return normalized.value.values;
}

/** Some clients send lists and objects as JSON text. */
function fromJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
