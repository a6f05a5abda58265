import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = resolve(import.meta.dirname, "../src");

/** The house, from the ground up: a folder imports only from those before it (and itself). */
const FLOORS = [
  "core",
  "config",
  "events",
  "process",
  "store",
  "vault",
  "audit",
  "jobs",
  "session-host",
  "lsp-client",
  "mcp-client",
  "ssh-client",
  "snapshots",
  "tools",
  "registry",
  "governance",
  "runtime",
  "agents",
  "commands",
  "telemetry",
  "app",
  "mcp-server",
  "http",
  "tui",
  "cli",
];

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);

const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(SRC, file), "utf8");
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => match[1] ?? "");
  return specifiers.map((specifier) => ({ from: file, to: relative(SRC, resolve(SRC, dirname(file), specifier)) }));
});

function floorOf(file: string): string {
  return file.split("/")[0] ?? "";
}

describe("the house", () => {
  it("finds the imports of every file", () => {
    expect(files.length).toBeGreaterThan(60);
    expect(imports.length).toBeGreaterThan(150);
  });

  it("has no folder that the plan does not name", () => {
    const folders = new Set(files.filter((file) => file.includes("/")).map(floorOf));
    expect([...folders].filter((folder) => !FLOORS.includes(folder))).toEqual([]);
  });

  it("imports only from floors below", () => {
    const wrong = imports.filter(({ from, to }) => {
      if (from === "index.ts") return false;
      return FLOORS.indexOf(floorOf(to)) > FLOORS.indexOf(floorOf(from));
    });
    expect(wrong).toEqual([]);
  });

  it("keeps one tool family from importing another", () => {
    const families = imports.filter(({ from, to }) => {
      const [a, b] = [from.split("/"), to.split("/")];
      return a[0] === "tools" && b[0] === "tools" && a.length > 2 && b.length > 2 && a[1] !== b[1];
    });
    expect(families).toEqual([]);
  });

  it("has one place that calls a tool, and one that decides", () => {
    const calling = files.filter((file) => /\.tool\.execute\(|tool\.execute\(/.test(withoutComments(file)));
    expect(calling).toEqual(["runtime/execute-call.ts"]);
    const deciding = files.filter((file) => /\[authorized\]: true/.test(withoutComments(file)));
    expect(deciding).toEqual(["runtime/authorize-call.ts"]);
  });

  it("reads the environment in one place, and exits in one", () => {
    const reading = files.filter((file) => /process\.env\b/.test(withoutComments(file)));
    expect(reading).toEqual(["config/load-config.ts"]);
    const exiting = files.filter((file) => /process\.exit(?:Code\b|\()/.test(withoutComments(file)));
    expect(exiting).toEqual(["cli/main.ts"]);
  });

  it("has no barrel but the public API, no default export, no enum", () => {
    const barrels = files.filter((file) => file.endsWith("index.ts") && file !== "index.ts");
    expect(barrels).toEqual([]);
    const marked = files.filter((file) => /^export default|^(?:export )?(?:const )?enum /m.test(withoutComments(file)));
    expect(marked).toEqual([]);
  });

  it("keeps every file within 400 lines", () => {
    expect(files.filter((file) => readFileSync(join(SRC, file), "utf8").split("\n").length > 400)).toEqual([]);
  });
});

function withoutComments(file: string): string {
  return readFileSync(join(SRC, file), "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/^\s*\/\/.*$/gm, "");
}
