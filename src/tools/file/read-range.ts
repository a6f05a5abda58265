// Which lines a call asks for, in any of the dialects that clients speak.

export interface RangeParameters {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly length?: number | undefined;
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly view_range?: readonly number[] | undefined;
  readonly head?: number | undefined;
  readonly tail?: number | undefined;
  readonly character_offset?: number | undefined;
  readonly allow_large?: boolean | undefined;
}

export interface LineRange {
  /** 1-based first line; -N means the last N lines. */
  readonly offset: number;
  readonly limit: number;
  readonly characterOffset: number | undefined;
}

export const DEFAULT_LINES = 2000;

const BEGINNINGS = ["offset", "start_line", "view_range", "head", "tail"] as const;
const ENDS = ["limit", "length", "end_line", "view_range", "head", "tail"] as const;
const WHOLE_LINES = ["end_line", "view_range", "head", "tail"] as const;
const ALL = [
  "offset",
  "limit",
  "length",
  "start_line",
  "end_line",
  "view_range",
  "head",
  "tail",
  "character_offset",
] as const;

/** The parameters given that choose lines. */
export function givenRange(params: RangeParameters): string[] {
  return given(params, ALL);
}

/** What is wrong with the parameters together: two that say the same thing, or an end before the start. */
export function rangeProblem(
  params: RangeParameters,
): { readonly parameter: string; readonly says: string } | undefined {
  const [firstBegin, secondBegin] = given(params, BEGINNINGS);
  if (firstBegin && secondBegin) return clash(secondBegin, firstBegin, "where to begin");
  const [firstEnd, secondEnd] = given(params, ENDS);
  if (firstEnd && secondEnd) return clash(secondEnd, firstEnd, "where to end");
  const [whole] = given(params, WHOLE_LINES);
  if (whole && params.character_offset !== undefined) {
    return {
      parameter: "character_offset",
      says: `reads on inside one line, named by offset; ${whole} asks for whole lines`,
    };
  }
  return endProblem(params);
}

/** The lines asked for. The parameters have no `rangeProblem`. */
export function lineRange(params: RangeParameters): LineRange {
  const offset = firstLine(params);
  const end = endLine(params);
  const unlimited = params.allow_large ? Number.MAX_SAFE_INTEGER : DEFAULT_LINES;
  const count = params.limit ?? params.length ?? params.head ?? params.tail ?? unlimited;
  const limit = end === undefined ? count : end === -1 ? Number.MAX_SAFE_INTEGER : end - Math.max(1, offset) + 1;
  return { offset, limit, characterOffset: params.character_offset };
}

/** `length` is the mark of clients that count lines from 0. */
function firstLine({ offset, length, start_line, view_range, tail }: RangeParameters): number {
  if (tail !== undefined) return -tail;
  if (offset !== undefined) return length !== undefined && offset >= 0 ? offset + 1 : offset;
  return Math.max(1, start_line ?? view_range?.[0] ?? 1);
}

function endLine({ end_line, view_range }: RangeParameters): number | undefined {
  return end_line ?? view_range?.[1];
}

function endProblem(params: RangeParameters): { readonly parameter: string; readonly says: string } | undefined {
  const end = endLine(params);
  if (end === undefined || end === -1) return undefined;
  const parameter = params.end_line === undefined ? "view_range" : "end_line";
  const first = firstLine(params);
  if (first < 0) return { parameter, says: "cannot be counted from an offset that is counted from the end; use limit" };
  const begin = Math.max(1, first);
  return end >= begin ? undefined : { parameter, says: `ends with line ${end}, before it begins with line ${begin}` };
}

function given(params: RangeParameters, names: readonly (keyof RangeParameters)[]): string[] {
  return names.filter((name) => params[name] !== undefined);
}

function clash(second: string, first: string, what: string): { readonly parameter: string; readonly says: string } {
  return { parameter: second, says: `says ${what}, as ${first} does; send only one of them` };
}
