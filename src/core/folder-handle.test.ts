import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { testFolders } from "../../test/support/test-app.ts";
import { makeFolder, openFolder } from "./folder-handle.ts";
import { swapInLoop } from "../../test/support/swap-in-loop.ts";

function folders() {
  const { root, workspace } = testFolders();
  const outside = join(root, "outside");
  mkdirSync(outside);
  return { workspace, outside };
}

describe("makeFolder", () => {
  it("makes what is missing, and takes exactly that away again", async () => {
    const { workspace } = folders();
    mkdirSync(join(workspace, "a"));
    const { folder, undo } = await makeFolder(join(workspace, "a/b/c"), "a/b/c");
    await folder.close();
    expect(existsSync(join(workspace, "a/b/c"))).toBe(true);
    await undo();
    expect(readdirSync(workspace, { recursive: true })).toEqual(["a"]);
  });

  it("says which part is a file", async () => {
    const { workspace } = folders();
    writeFileSync(join(workspace, "a"), "");
    await expect(makeFolder(join(workspace, "a/b/c"), "a/b/c")).rejects.toMatchObject({
      code: "invalid_input",
      message: "a is a file, so nothing can lie in it.",
    });
  });

  it.skipIf(process.platform !== "linux").each(["sw/new", "sw/new/deep", "sw"])(
    "makes nothing in %s where a link leads outside",
    async (name) => {
      const { workspace, outside } = folders();
      symlinkSync(outside, join(workspace, "sw"));
      await expect(makeFolder(join(workspace, name), name)).rejects.toMatchObject({ code: "denied" });
      expect(readdirSync(outside)).toEqual([]);
    },
  );

  it.skipIf(process.platform !== "linux")("makes nothing outside while a folder is swapped for a link", async () => {
    const { workspace, outside } = folders();
    mkdirSync(join(workspace, "sw"));
    symlinkSync(outside, join(workspace, "alt"));
    const codes = new Set<unknown>();
    using _ = await swapInLoop(join(workspace, "sw"), join(workspace, "alt"));
    for (let round = 0; round < 300; round++) {
      const name = `sw/new${round}/deep`;
      const made = await makeFolder(join(workspace, name), name).catch((error: { code: unknown }) => error);
      if ("folder" in made) await made.folder.close();
      else codes.add(made.code);
    }
    expect(readdirSync(outside)).toEqual([]);
    expect([...codes].filter((code) => code !== "denied" && code !== "not_found")).toEqual([]);
  });
});

describe("openFolder", () => {
  it("leads to the folder that was opened, wherever its path leads by now", async () => {
    const { workspace, outside } = folders();
    mkdirSync(join(workspace, "sw"));
    const folder = await openFolder(join(workspace, "sw"), "sw");
    renameSync(join(workspace, "sw"), join(workspace, "moved"));
    symlinkSync(outside, join(workspace, "sw"));
    writeFileSync(folder.at("a"), "");
    await folder.close();
    if (process.platform === "linux") expect(readdirSync(join(workspace, "moved"))).toEqual(["a"]);
  });
});
