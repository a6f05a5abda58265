import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testFolders } from "../../test/support/test-app.ts";
import { ERROR_CODES, fromSystemError, ToolError } from "./errors.ts";
import { newId } from "./ids.ts";
import { didYouMean, nearestNames } from "./nearest.ts";
import { redactText, redactValue } from "./redact.ts";
import { sha256Hex } from "./sha256.ts";
import { replaceFile } from "./replace-file.ts";
import { asToolError, resultError } from "./result.ts";

describe("ids", () => {
  it("differ, sort by time and fit a file name", () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => newId("call", 1_000_000 + n));
    expect(new Set(ids).size).toBe(1_000);
    expect([...ids].sort()).toEqual(ids);
    expect(ids[0]).toMatch(/^call_[0-9a-hjkmnp-tv-z]{26}$/);
  });
});

describe("SHA-256", () => {
  it("is the one of node:crypto, for any text", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300, unit: "grapheme" }), (text) => {
        expect(sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
      }),
    );
  });
});

describe("nearest names (S-003)", () => {
  it.each([
    ["Bsh", ["Bash"]],
    ["bashtool", ["BashTool", "Bash"]],
    ["Grpe", ["Grep"]],
    ["xyzzyplugh", []],
    ["", []],
  ])("of %j are %j", (wanted, names) => {
    expect(nearestNames(wanted, ["Bash", "BashTool", "Read", "Grep", "WebFetch"])).toEqual(names);
  });

  it("make a question", () => {
    expect(didYouMean("Bsh", ["Bash"])).toBe("Did you mean Bash?");
    expect(didYouMean("qqqqqq", ["Bash"])).toBe("");
  });
});

describe("redaction (P-007)", () => {
  it.each([
    ["a GitHub token", "x ghp_abcdefghijklmnopqrstuvwxyz0123 y", "x [redacted] y"],
    ["an AWS key", "AKIAIOSFODNN7EXAMPLE", "[redacted]"],
    ["a bearer header", "Authorization: Bearer abcdef0123456789abcdef", "Authorization: Bearer [redacted]"],
    ["a password in a URL", "postgres://me:hunter22@host/db", "postgres://me:[redacted]@host/db"],
    ["a variable", "export API_KEY=abcd1234efgh", "export API_KEY=[redacted]"],
    ["a flag", "curl --token=abcd1234", "curl --token=[redacted]"],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[redacted]"],
    ["a JSON Web Token", `eyJ${"a".repeat(20)}.eyJ${"b".repeat(20)}.${"c".repeat(20)}`, "[redacted]"],
    ["a variable without an underscore", "PGPASSWORD=hunter4 psql", "PGPASSWORD=[redacted] psql"],
    ["a short name of one", "MYSQL_PWD=hunter4 mysql", "MYSQL_PWD=[redacted] mysql"],
    ["a user's password", "curl -u me:hunter2 http://x/", "curl -u me:[redacted] http://x/"],
    ["a password glued to its flag", "mysql -u root -phunter3 db", "mysql -u root -p[redacted] db"],
    ["a password after its flag", "mysql --password hunter2 db", "mysql --password [redacted] db"],
    ["sshpass", "sshpass -p hunter2 ssh h", "sshpass -p [redacted] ssh h"],
    ["a short bearer", "Authorization: Bearer abc.def.ghi", "Authorization: Bearer [redacted]"],
    ["a vendor key", `sk-ant-${"k".repeat(30)}`, "[redacted]"],
  ])("masks %s", (_name, text, masked) => {
    expect(redactText(text)).toBe(masked);
  });

  it.each([
    "a plain sentence about tokens and passwords",
    "git commit -m 'token bucket'",
    "https://example.com/path?x=1",
    "rm -rf build",
  ])("leaves %j alone", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it("masks by the name of the key, at any depth", () => {
    const value = {
      user: "me",
      password: "x",
      headers: { Authorization: "abc", apiKey: 7 },
      tokens: ["a"],
      secret: "",
      isToken: true,
      n: null,
    };
    expect(redactValue(value)).toEqual({
      user: "me",
      password: "[redacted]",
      headers: { Authorization: "[redacted]", apiKey: "[redacted]" },
      tokens: "[redacted]",
      secret: "",
      isToken: true,
      n: null,
    });
  });

  it("takes any text in time that grows no faster than the text", () => {
    fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (text) => typeof redactText(text) === "string"));
    for (const hostile of [
      "a".repeat(200_000),
      "a:/".repeat(60_000),
      "-----BEGIN ".repeat(20_000),
      "eyJ".repeat(60_000),
      "_".repeat(200_000),
    ]) {
      const started = performance.now();
      redactText(hostile);
      expect(performance.now() - started).toBeLessThan(5_000);
    }
  });

  it("does not follow a value without end", () => {
    const loop: Record<string, unknown> = {};
    loop.again = loop;
    expect(JSON.stringify(redactValue(loop))).toContain("[too deep]");
  });
});

describe("errors", () => {
  it("have a kind for every code", () => {
    for (const [code, kind] of Object.entries(ERROR_CODES)) {
      expect(kind.meaning, code).toMatch(/\.$/);
      expect(kind.exitStatus, code).toBeGreaterThan(0);
    }
  });

  it.each([
    ["ENOENT", "not_found"],
    ["EISDIR", "invalid_input"],
    ["ENOSPC", "io_error"],
    ["EACCES", "io_error"],
    ["EMFILE", "unavailable"],
    ["EWHATEVER", "io_error"],
  ])("of the system with %s are %s", (code, expected) => {
    const error = fromSystemError(Object.assign(new Error("x"), { code }), "a.txt") as ToolError;
    expect(error.code).toBe(expected);
    expect(error.message).toContain("a.txt");
    expect(error.message).toContain(code);
  });

  it("that are none of the system stay what they are", () => {
    const error = new RangeError("x");
    expect(fromSystemError(error, "a")).toBe(error);
    expect(asToolError(error)).toMatchObject({ code: "internal" });
    expect(resultError(new ToolError("timeout", "late", { hint: "h" }))).toEqual({
      code: "timeout",
      message: "late",
      hint: "h",
      retryable: true,
    });
  });
});

describe("replacing one of Pawl's own files", () => {
  it("makes it with its folders, private, and leaves no draft", async () => {
    const { home } = testFolders();
    const path = join(home, "a/config.json");
    await replaceFile(path, "one");
    await replaceFile(path, "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home, "a"))).toEqual(["config.json"]);
  });

  it("leaves the old one and no draft when it cannot", async () => {
    const { home } = testFolders();
    mkdirSync(join(home, "config.json"), { recursive: true });
    writeFileSync(join(home, "config.json/x"), "");
    await expect(replaceFile(join(home, "config.json"), "x")).rejects.toMatchObject({ code: expect.any(String) });
    expect(readdirSync(home)).toEqual(["config.json"]);
  });
});
