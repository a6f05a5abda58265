import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { testApp } from "../../../test/support/test-app.ts";

async function withFile() {
  const pawl = await testApp();
  const path = pawl.file("a.txt", "one\ntwo\nthree\n");
  const edit = (payload: Record<string, unknown>) => pawl.call("FileEditTool", { file_path: "a.txt", ...payload });
  return { pawl, edit, text: () => readFileSync(path, "utf8") };
}

describe("FileEditTool makes several edits", () => {
  const edits = [
    { old_string: "one", new_string: "1" },
    { old_string: "1\ntwo", new_string: "1\n2" },
  ];

  it("in order, each on what the ones before made", async () => {
    const { edit, text } = await withFile();
    const result = await edit({ edits });
    expect(result.text).toMatch(
      /^Edited a\.txt: 2 edits, 2 replacements\.\nedits\[0\]: 1 replacement on line 1\nedits\[1\]: 1 replacement on line 1\n@@/,
    );
    expect(result.data).toMatchObject({ replacements: 2, edits: [{ replacements: 1 }, { replacements: 1 }] });
    expect(text()).toBe("1\n2\nthree\n");
  });

  it("all or none", async () => {
    const { edit, text } = await withFile();
    const result = await edit({ edits: [...edits, { old_string: "absent", new_string: "x" }] });
    expect(result.error).toMatchObject({
      code: "not_found",
      message: expect.stringMatching(/^edits\[2\]: old_string was not found/),
    });
    expect(text()).toBe("one\ntwo\nthree\n");
  });

  it.each([
    ["oldText and newText", [{ oldText: "one", newText: "1" }]],
    ["oldString and newString", [{ oldString: "one", newString: "1", replaceAll: false }]],
    ["search and replace", [{ search: "one", replace: "1" }]],
    ["a single one", { old_str: "one", new_str: "1" }],
    ["JSON text", '[{"oldText":"one","newText":"1"}]'],
    ["JSON text in a list", ['{"oldText":"one","newText":"1","replace_all":"true"}']],
    ["one with a description", [{ old_string: "one", new_string: "1", description: "why", expected_replacements: 1 }]],
  ])("written as %s", async (_name, edits) => {
    const { pawl, text } = await withFile();
    expect((await pawl.call("MultiEdit", { path: "a.txt", edits, replace_all: false })).success).toBe(true);
    expect(text()).toBe("1\ntwo\nthree\n");
  });

  it.each([
    [{ edits: [] }, "edits is []; accepted: a number of items of at least 1"],
    [{ edits: "many" }, 'edits is "many"; accepted: a array'],
    [{ edits: ["x"] }, "edits[0] takes a JSON object, not a string"],
    [{ edits: [{ old_string: "one" }] }, "edits[0].new_string is missing"],
    [{ edits: [{ old_string: "one", new_string: 1, by: 1 }] }, 'edits[0] has no parameter "by"'],
    [
      { edits: [{ old_string: "a", oldText: "b", new_string: "c" }] },
      "old_string and oldText are the same parameter with different values",
    ],
    [{ edits, old_string: "one" }, "edits: cannot be combined with old_string; put that into the list"],
    [{ edits, new_string: "" }, "edits: cannot be combined with new_string; put that into the list"],
    [{ edits, replace_all: true }, "replace_all: belongs into the items of edits"],
    [
      { old_string: "o", new_string: "0", replace_all: false, expected_replacements: 2 },
      "replace_all: false means one place, expected_replacements several; leave one out",
    ],
    [{ edits, expected_replacements: 2 }, "expected_replacements: belongs into the items of edits"],
  ])("but not for %j (REQ-062-125)", async (payload, message) => {
    const { edit, text } = await withFile();
    expect((await edit(payload)).error).toMatchObject({ code: "invalid_input", message });
    expect(text()).toBe("one\ntwo\nthree\n");
  });
});
