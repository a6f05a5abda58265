import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ToolError } from "../../core/errors.ts";
import { renderNotebook } from "./notebook-text.ts";

const GIF = "R0lGODlhAgADAIAAAAAAAP///ywAAAAAAgADAAACAkQBADs=";

const notebook = (cells: unknown, more: object = {}) =>
  JSON.stringify({ nbformat: 4, metadata: { language_info: { name: "python" } }, cells, ...more });

describe("renderNotebook", () => {
  it("shows cells with ids, types, sources and outputs", () => {
    const cells = [
      { id: "intro", cell_type: "markdown", source: ["# Title\n", "text"] },
      {
        id: "calc",
        cell_type: "code",
        execution_count: 3,
        source: "print(1)\n2",
        outputs: [
          { output_type: "stream", name: "stdout", text: ["1\n"] },
          { output_type: "execute_result", data: { "text/plain": "2", "text/html": "<b>2</b>" } },
        ],
      },
      { cell_type: "code", execution_count: null, source: "", outputs: [] },
    ];
    expect(renderNotebook(notebook(cells), "a.ipynb")).toEqual({
      text: [
        "Notebook with 3 cells, language python.",
        "[intro] markdown:\n# Title\ntext",
        "[calc] code, run 3:\nprint(1)\n2\nOutput:\n1\nOutput:\n2",
        "[cell-2] code:",
      ].join("\n\n"),
      language: "python",
      cells: [
        { id: "intro", type: "markdown", source: "# Title\ntext", execution_count: null, outputs: [] },
        { id: "calc", type: "code", source: "print(1)\n2", execution_count: 3, outputs: ["1", "2"] },
        { id: "cell-2", type: "code", source: "", execution_count: null, outputs: [] },
      ],
      images: [],
    });
  });

  it("hands images of outputs over, and names them in the text", () => {
    const output = { output_type: "display_data", data: { "image/gif": `${GIF}\n`, "text/plain": "<Figure>" } };
    const { cells, images } = renderNotebook(
      notebook([{ cell_type: "code", source: "", outputs: [output, output] }]),
      "a",
    );
    expect(images).toEqual([1, 2].map(() => ({ type: "image", media_type: "image/gif", data: GIF })));
    expect(cells[0]!.outputs).toEqual(["(image 1: image/gif, 2×3)\n<Figure>", "(image 2: image/gif, 2×3)\n<Figure>"]);
  });

  it("says what it does not show", () => {
    const data = (data: object) => ({ output_type: "display_data", data });
    const outputs = [
      data({ "image/png": "AAAA" }),
      data({ "application/x-plot": {} }),
      ...Array(21).fill(data({ "image/gif": GIF })),
    ];
    const { cells, images } = renderNotebook(notebook([{ cell_type: "code", source: "", outputs }]), "a");
    expect(images).toHaveLength(20);
    expect(cells[0]!.outputs.slice(0, 2)).toEqual([
      "(image/png: damaged, not shown)",
      "(application/x-plot, not shown)",
    ]);
    expect(cells[0]!.outputs.at(-1)).toBe("(image/gif, 2×3: not shown, there are 20 images before it)");
  });

  it("shows errors without their colours, and cuts long outputs", () => {
    const outputs = [
      { output_type: "error", ename: "E", evalue: "bad", traceback: ["\u001b[31mTraceback\u001b[0m", "E: bad"] },
      { output_type: "error", ename: "E", evalue: "bad", traceback: [] },
      { output_type: "stream", text: "x".repeat(20_000) },
    ];
    const { cells } = renderNotebook(notebook([{ cell_type: "code", source: "", outputs }]), "a");
    expect(cells[0]!.outputs.slice(0, 2)).toEqual(["Traceback\nE: bad", "E: bad"]);
    expect(cells[0]!.outputs[2]).toMatch(/^x{10000}\n\(cut: the output has 20000 characters\)$/);
  });

  it("reads format 3", () => {
    const cell = {
      cell_type: "code",
      input: ["a\n", "b"],
      prompt_number: 7,
      outputs: [{ output_type: "pyout", text: ["42"], png: "AAAA" }],
    };
    const old = JSON.stringify({ nbformat: 3, metadata: {}, worksheets: [{ cells: [cell] }, {}] });
    expect(renderNotebook(old, "a")).toMatchObject({
      language: "unknown",
      cells: [{ id: "cell-0", source: "a\nb", execution_count: 7, outputs: ["(image/png: damaged, not shown)\n42"] }],
    });
  });

  it("refuses what is no notebook", () => {
    expect(() => renderNotebook("{", "a.ipynb")).toThrow(/a\.ipynb is no notebook that can be read: it is no JSON/);
    expect(() => renderNotebook("[]", "a.ipynb")).toThrow("it has no list of cells");
  });

  it("never crashes on a notebook of the wrong shape", () => {
    const cell = fc.record(
      {
        id: fc.anything(),
        cell_type: fc.anything(),
        source: fc.anything(),
        outputs: fc.oneof(fc.anything(), fc.array(fc.anything())),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(cell)), (cells) => {
        const json = JSON.stringify({ cells, metadata: cells }, (_, value) =>
          typeof value === "bigint" ? String(value) : value,
        );
        try {
          renderNotebook(json, "a");
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
        }
      }),
    );
  });
});
