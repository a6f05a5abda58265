import { describe, expect, it } from "vitest";

import { lineRange, rangeProblem, type RangeParameters } from "./read-range.ts";

const all = Number.MAX_SAFE_INTEGER;

describe("lineRange", () => {
  it.each<[RangeParameters, { offset: number; limit: number; characterOffset?: number }]>([
    [{}, { offset: 1, limit: 2000 }],
    [{ offset: 0 }, { offset: 0, limit: 2000 }],
    [
      { offset: 7, limit: 3 },
      { offset: 7, limit: 3 },
    ],
    [{ offset: -5 }, { offset: -5, limit: 2000 }],
    [
      { start_line: 1, end_line: 2000 },
      { offset: 1, limit: 2000 },
    ],
    [
      { start_line: 0, end_line: 3 },
      { offset: 1, limit: 3 },
    ],
    [
      { start_line: 4, limit: 2 },
      { offset: 4, limit: 2 },
    ],
    [
      { start_line: 4, end_line: -1 },
      { offset: 4, limit: all },
    ],
    [{ end_line: 3 }, { offset: 1, limit: 3 }],
    [
      { offset: 2, end_line: 3 },
      { offset: 2, limit: 2 },
    ],
    [
      { offset: 0, end_line: 3 },
      { offset: 0, limit: 3 },
    ],
    [{ view_range: [2, 5] }, { offset: 2, limit: 4 }],
    [{ view_range: [2, -1] }, { offset: 2, limit: all }],
    [{ head: 10 }, { offset: 1, limit: 10 }],
    [{ tail: 10 }, { offset: -10, limit: 10 }],
    [
      { offset: 0, length: 5 },
      { offset: 1, limit: 5 },
    ],
    [
      { offset: 10, length: 5 },
      { offset: 11, limit: 5 },
    ],
    [
      { offset: -5, length: 5 },
      { offset: -5, limit: 5 },
    ],
    [{ length: 5 }, { offset: 1, limit: 5 }],
    [
      { offset: 3, character_offset: 40 },
      { offset: 3, limit: 2000, characterOffset: 40 },
    ],
    [{ allow_large: true }, { offset: 1, limit: all }],
  ])("takes %j as %j", (params, range) => {
    expect(rangeProblem(params)).toBeUndefined();
    expect(lineRange(params)).toEqual({ characterOffset: undefined, ...range });
  });

  it.each<[RangeParameters, string]>([
    [{ offset: 10, start_line: 10 }, "start_line"],
    [{ offset: 1, head: 5 }, "head"],
    [{ offset: 1, tail: 5 }, "tail"],
    [{ start_line: 1, view_range: [1, 2] }, "view_range"],
    [{ head: 1, tail: 1 }, "tail"],
    [{ limit: 5, length: 5 }, "length"],
    [{ limit: 5, end_line: 5 }, "end_line"],
    [{ limit: 5, head: 5 }, "head"],
    [{ limit: 5, view_range: [1, 5] }, "view_range"],
    [{ start_line: 5, end_line: 4 }, "end_line"],
    [{ end_line: 0 }, "end_line"],
    [{ view_range: [5, 4] }, "view_range"],
    [{ offset: -5, end_line: 4 }, "end_line"],
    [{ tail: 5, character_offset: 1 }, "character_offset"],
    [{ start_line: 1, end_line: 1, character_offset: 1 }, "character_offset"],
  ])("finds %j at odds, in %s", (params, parameter) => {
    expect(rangeProblem(params)).toMatchObject({ parameter });
  });
});
