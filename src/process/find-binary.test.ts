import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBinary } from "./find-binary.ts";

let folder = "";
let first = "";
let second = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-find-binary-"));
  [first, second] = [join(folder, "first"), join(folder, "second")];
  for (const directory of [first, second]) mkdirSync(directory);
  mkdirSync(join(first, "tool"));
  writeFileSync(join(first, "plain"), "", { mode: 0o644 });
  for (const name of ["tool", "plain", "other.exe", "other.cmd"]) {
    writeFileSync(join(second, name), "");
    chmodSync(join(second, name), 0o755);
  }
  symlinkSync("nowhere", join(first, "broken"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("findBinary", () => {
  const find = (name: string, pathExt?: string): string | undefined =>
    findBinary(name, { path: ["", ".", first, second].join(delimiter), ...(pathExt !== undefined && { pathExt }) });

  it("passes over directories, files that are not executable, and broken links", () => {
    expect(find("tool")).toBe(join(second, "tool"));
    expect(find("plain")).toBe(join(second, "plain"));
    expect(find("broken")).toBeUndefined();
    expect(find("absent")).toBeUndefined();
  });

  it("searches the extra directories last", () => {
    expect(findBinary("tool", { path: first, extraDirectories: ["relative", second] })).toBe(join(second, "tool"));
    expect(findBinary("tool", { path: "" })).toBeUndefined();
  });

  it("checks an absolute path and refuses a relative one", () => {
    expect(find(join(second, "tool"))).toBe(join(second, "tool"));
    expect(find(join(first, "plain"))).toBeUndefined();
    expect(["../second/tool", "", "a\0b", "a\\b"].map((name) => find(name))).toEqual(Array(4).fill(undefined));
  });

  it("tries the endings of Windows in their order", () => {
    expect(find("other", ".CMD;.EXE")).toBe(join(second, "other.cmd"));
    expect(find("other.exe", ".CMD;.EXE")).toBe(join(second, "other.exe"));
    expect(find("other")).toBeUndefined();
  });
});
