import { expect, it } from "vitest";
import { grepInput } from "./grep-input.ts";
import { reportFiles } from "./grep-report.ts";
import { Tally } from "./tally.ts";

it.each([
  [0, "[Not all hidden and ignored files could be looked at in time; none of the others match]"],
  [
    4,
    "[At least 4 files that are ignored by .gitignore or the like would match: f, f, f and 1 more. To search there, set no_ignore: true.]",
  ],
])("a look at hidden and ignored files that found %i in time says that it was cut short", (count, note) => {
  const files = new Tally();
  for (let index = 0; index < count; index++) files.add("f");
  const unsearched = { files, hasHidden: false, hasIgnored: true, isPartial: true };
  const facts = { params: grepInput.parse({ pattern: "x" }), searchedFiles: 2, unreadable: new Tally(), unsearched };
  const { text, data } = reportFiles(facts, { page: [], total: 0, totalCount: 0 });
  expect(text).toBe(`No matches for "x" in 2 files searched.\n${note}`);
  expect(data.hidden_matches).toEqual({ num_files: count, is_complete: false });
});
