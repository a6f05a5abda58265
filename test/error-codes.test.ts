import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../src/core/errors.ts";

const ROOT = resolve(import.meta.dirname, "..");

function texts(folder: string, wanted: (name: string) => boolean): string {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && wanted(name))
    .map((name) => readFileSync(join(ROOT, folder, name), "utf8"))
    .join("\n");
}

const source = texts("src", (name) => !name.endsWith(".test.ts") && name !== "core/errors.ts");
const tests =
  texts("src", (name) => name.endsWith(".test.ts") && name !== "core/core.test.ts") + texts("test", () => true);

describe("an error code", () => {
  it.each(Object.keys(ERROR_CODES))("%s is given somewhere, and a test sees it", (code) => {
    expect(source).toContain(`"${code}"`);
    expect(tests).toContain(`"${code}"`);
  });
});
