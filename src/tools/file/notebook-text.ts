import { ToolError } from "../../core/errors.ts";
import type { ImageContent } from "../../core/result.ts";
import { asRecord, joinedText, renderOutput } from "./notebook-output.ts";

export interface NotebookCell {
  /** The cell's own id; notebooks before format 4.5 have none, and get "cell-0", "cell-1" … */
  readonly id: string;
  readonly type: string;
  readonly source: string;
  /** Null for a code cell that was not run, and for other cells. */
  readonly execution_count: number | null;
  /** Each output as text; an image is named in it and found in `images`. */
  readonly outputs: readonly string[];
}

export interface NotebookText {
  readonly text: string;
  readonly language: string;
  readonly cells: readonly NotebookCell[];
  readonly images: readonly ImageContent[];
}

/** A Jupyter notebook as text: its cells in order, with ids, sources and outputs. Throws `invalid_input` when it is damaged. */
export function renderNotebook(json: string, shown: string): NotebookText {
  const notebook = parse(json, shown);
  const metadata = asRecord(notebook["metadata"]);
  const language = joinedText(
    asRecord(metadata["language_info"])["name"] ?? asRecord(metadata["kernelspec"])["language"] ?? "unknown",
  );
  const images: ImageContent[] = [];
  const cells = findCells(notebook, shown).map((cell, index) => renderCell(asRecord(cell), index, images));
  const count = cells.length === 1 ? "1 cell" : `${cells.length} cells`;
  const text = [`Notebook with ${count}, language ${language}.`, ...cells.map(cellText)].join("\n\n");
  return { text, language, cells, images };
}

function parse(json: string, shown: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(json));
  } catch (error) {
    throw damaged(shown, `it is no JSON (${error instanceof Error ? error.message : "unreadable"})`);
  }
}

/** Cells lie at the top since format 4; before, in worksheets. */
function findCells(notebook: Record<string, unknown>, shown: string): unknown[] {
  const { cells, worksheets } = notebook;
  if (Array.isArray(cells)) return cells;
  if (!Array.isArray(worksheets)) throw damaged(shown, "it has no list of cells");
  return worksheets.flatMap((sheet) => {
    const inside = asRecord(sheet)["cells"];
    return Array.isArray(inside) ? inside : [];
  });
}

function renderCell(cell: Record<string, unknown>, index: number, images: ImageContent[]): NotebookCell {
  const count = cell["execution_count"] ?? cell["prompt_number"];
  const outputs = Array.isArray(cell["outputs"]) ? cell["outputs"] : [];
  return {
    id: typeof cell["id"] === "string" ? cell["id"] : `cell-${index}`,
    type: typeof cell["cell_type"] === "string" ? cell["cell_type"] : "unknown",
    source: joinedText(cell["source"] ?? cell["input"]),
    execution_count: typeof count === "number" ? count : null,
    outputs: outputs.map((output) => renderOutput(asRecord(output), images)).filter((text) => text !== ""),
  };
}

function cellText(cell: NotebookCell): string {
  const run = cell.execution_count === null ? "" : `, run ${cell.execution_count}`;
  const outputs = cell.outputs.map((output) => `Output:\n${output}`);
  return [`[${cell.id}] ${cell.type}${run}:`, cell.source, ...outputs].filter((part) => part !== "").join("\n");
}

function damaged(shown: string, says: string): ToolError {
  return new ToolError("invalid_input", `${shown} is no notebook that can be read: ${says}.`, {
    hint: "Look at its text with `head` through BashTool.",
  });
}
