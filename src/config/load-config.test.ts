import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testFolders } from "../../test/support/test-app.ts";
import { loadConfig } from "./load-config.ts";
import { flattenSettings, parseSetting, withSetting } from "./setting-path.ts";

async function configOf(text: string | undefined, environment: Record<string, string> = {}): Promise<unknown> {
  const { home } = testFolders();
  mkdirSync(home);
  if (text !== undefined) writeFileSync(join(home, "config.json"), text);
  return loadConfig({ environment, home });
}

describe("the configuration", () => {
  it("has defaults for everything", async () => {
    expect(await configOf(undefined, { HOME: "/home/me", USER: "me" })).toMatchObject({
      role: "execute",
      output: { max_characters: 30_000, max_spill_bytes: 1_073_741_824, keep_days: 7 },
      store: { synchronous: "normal" },
      workspace: { additional_directories: [] },
      userHome: "/home/me",
      userName: "me",
    });
  });

  it("has the same defaults with an empty file as with none", async () => {
    const { home: _home, configPath: _path, ...empty } = (await configOf("{}")) as Record<string, unknown>;
    const {
      home: _otherHome,
      configPath: _otherPath,
      ...none
    } = (await configOf(undefined)) as Record<string, unknown>;
    expect(empty).toEqual(none);
  });

  it("takes the file, and the environment over it", async () => {
    const file = '{"role":"read","output":{"max_characters":5000}}';
    expect(await configOf(file)).toMatchObject({ role: "read", output: { max_characters: 5_000, keep_days: 7 } });
    expect(await configOf(file, { PAWL_ROLE: "write", PAWL_SHELL: "/bin/sh" })).toMatchObject({
      role: "write",
      shell: "/bin/sh",
    });
  });

  it.each([
    ["what is no JSON", "{", "is not valid JSON"],
    ["an unknown key", '{"roll":"read"}', "roll"],
    ["a value out of range", '{"output":{"max_characters":1}}', "output.max_characters"],
    ["a list", "[]", "(top level)"],
  ])("refuses %s with the place, and never takes it as empty", async (_name, text, shows) => {
    await expect(configOf(text)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(shows),
    });
  });

  it("refuses a role and a home that make no sense", async () => {
    await expect(configOf(undefined, { PAWL_ROLE: "root" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(loadConfig({ environment: { PAWL_HOME: "relative" } })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("refuses settings that cannot be read", async () => {
    const { home } = testFolders();
    mkdirSync(join(home, "config.json"), { recursive: true });
    await expect(loadConfig({ environment: {}, home })).rejects.toMatchObject({ code: "io_error" });
  });

  it.each([
    [{ PAWL_HOME: "/p" }, "/p"],
    [{ XDG_STATE_HOME: "/s", HOME: "/h" }, "/s/pawl"],
    [{ XDG_STATE_HOME: "relative", HOME: "/h" }, "/h/.local/state/pawl"],
    [{ HOME: "/h" }, "/h/.local/state/pawl"],
  ])("finds PAWL_HOME by %j", async (environment, home) => {
    expect((await loadConfig({ environment })).home).toBe(home);
  });
});

describe("a setting by its path", () => {
  it("is flattened, parsed and put back", () => {
    expect(flattenSettings({ a: { b: 1, c: [2] }, d: null })).toEqual({ "a.b": 1, "a.c": [2], d: null });
    expect(parseSetting("a.b=5")).toEqual({ key: "a.b", value: 5 });
    expect(parseSetting("a=x=y")).toEqual({ key: "a", value: "x=y" });
    expect(parseSetting("a=")).toEqual({ key: "a", value: undefined });
    expect(() => parseSetting("=5")).toThrow("names no setting");
    expect(withSetting({ a: { b: 1 }, z: 1 }, "a.c", 2)).toEqual({ z: 1, a: { b: 1, c: 2 } });
    expect(withSetting({ a: 1, z: 1 }, "a", undefined)).toEqual({ z: 1 });
  });
});
