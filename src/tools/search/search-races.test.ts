import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { swapInLoop } from "../../../test/support/swap-in-loop.ts";
import { testApp } from "../../../test/support/test-app.ts";
import { readVerifiedFolder } from "./file-facts.ts";
import { openSearchFile, openSearchFolder } from "./search-root.ts";

/** A folder and a file, each with what shall take its place: a link to outside. */
async function appWithTraps() {
  const pawl = await testApp();
  const outside = join(dirname(pawl.workspace), "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "OUTSIDE\n");
  pawl.file("sw/inside.txt", "INSIDE\n");
  pawl.file("file", "INSIDE\n");
  const path = (name: string) => join(pawl.workspace, name);
  symlinkSync(outside, path("alt"));
  symlinkSync(join(outside, "secret.txt"), path("altfile"));
  return { pawl, path };
}

describe.skipIf(process.platform !== "linux")("a search whose place is swapped for a link to outside", () => {
  it("opens no folder that became a link, and stays in one that becomes a link later", async () => {
    const { path } = await appWithTraps();
    await using root = await openSearchFolder({ path: path("sw"), shown: "sw" });
    renameSync(path("sw"), path("moved"));
    renameSync(path("alt"), path("sw"));
    expect(execFileSync("ls", { cwd: root.directory, encoding: "utf8" })).toBe("inside.txt\n");
    await expect(openSearchFolder({ path: path("sw"), shown: "sw" })).rejects.toMatchObject({ code: "denied" });
    await expect(openSearchFile({ path: path("sw/secret.txt"), shown: "f" })).rejects.toMatchObject({ code: "denied" });
    await expect(openSearchFile({ path: path("altfile"), shown: "f" })).rejects.toMatchObject({ code: "denied" });
  });

  it.each([
    ["a folder", "sw", "alt", { path: "sw" }],
    ["a file", "file", "altfile", { path: "file" }],
  ])("greps nothing outside: %s", async (_, name, other, where) => {
    const { pawl, path } = await appWithTraps();
    using _swap = await swapInLoop(path(name), path(other));
    const texts: string[] = [];
    for (let round = 0; round < 60; round++) {
      const { text } = await pawl.call("Grep", { pattern: "SIDE", output_mode: "content", ...where });
      texts.push(text);
    }
    expect(texts.filter((text) => text.includes("OUTSIDE"))).toEqual([]);
  });

  it.each([{ path: "sw", pattern: "*.txt" }, { pattern: "sw/**" }, { pattern: "**/*.txt" }])(
    "globs nothing outside: %j",
    async (payload) => {
      const { pawl, path } = await appWithTraps();
      using _swap = await swapInLoop(path("sw"), path("alt"));
      const texts: string[] = [];
      for (let round = 0; round < 150; round++) texts.push((await pawl.call("Glob", payload)).text);
      expect(texts.filter((text) => text.includes("secret"))).toEqual([]);
    },
  );

  it("leaves out a folder that became a link since it was listed", async () => {
    const { path } = await appWithTraps();
    const mayBeAt = (place: string) => place === path("sw");
    const names = async () => (await readVerifiedFolder(path("sw"), { isLinked: false, mayBeAt }))?.map((e) => e.name);
    expect(await names()).toEqual(["inside.txt"]);
    renameSync(path("sw"), path("moved"));
    renameSync(path("alt"), path("sw"));
    await expect(names()).rejects.toMatchObject({ code: "ENOTDIR" });
    expect(await readVerifiedFolder(path("sw"), { isLinked: true, mayBeAt })).toBeUndefined();
  });
});
