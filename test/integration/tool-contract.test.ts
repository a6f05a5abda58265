import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { ARTICLES } from "../../src/governance/articles.ts";
import { ALL_TOOLS } from "../../src/registry/catalog/all-tools.ts";
import { describeTool, inputSchema, outputSchema } from "../../src/registry/describe-tool.ts";
import { parityTable } from "../../src/registry/inventory.ts";
import { ToolRegistry } from "../../src/registry/tool-registry.ts";
import { unwrap } from "../../src/tools/coerce-value.ts";
import { testApp } from "../support/test-app.ts";

const CATEGORIES = [
  "file",
  "shell",
  "search",
  "web",
  "task",
  "memory",
  "planning",
  "agent",
  "config",
  "mcp",
  "utility",
];

/** The governance map (REQ-062-070, 071): access, priority, article, seconds, ceiling, agent. */
const GOVERNANCE: Readonly<Record<string, readonly unknown[]>> = {
  BashTool: ["execute", "P0", "II", 120, 600, "U:Cd"],
  FileReadTool: ["read", "P0", "I", 30, 30, "U:Cd"],
  FileWriteTool: ["write", "P0", "II", 30, 30, "U:Cd"],
  FileEditTool: ["write", "P0", "II", 30, 30, "U:Cd"],
  GlobTool: ["read", "P0", "I", 30, 30, "U:Cd"],
  GrepTool: ["read", "P0", "I", 30, 30, "U:Cd"],
  EnterPlanModeTool: ["read", "P1", "IX", 10, 10, "U:Ar"],
  ExitPlanModeV2Tool: ["read", "P1", "IX", 10, 10, "U:Ar"],
};

describe.each(ALL_TOOLS.map((row) => [row.name, row] as const))("%s", (name, row) => {
  it("has the governance that the map gives it (REQ-062-006, REQ-062-025, REQ-062-026, REQ-062-027, REQ-062-070, REQ-062-071)", () => {
    const { access, priority, governance, agent } = row;
    const standing = [
      access,
      priority,
      governance.article,
      governance.timeoutSeconds,
      governance.ceilingSeconds,
      agent,
    ];
    expect(standing).toEqual(GOVERNANCE[name]);
    expect(governance.requiresApproval).toBe(false);
    expect(CATEGORIES).toContain(row.category);
    expect(Number.isInteger(row.estimatedHours) && row.estimatedHours >= 1).toBe(true);
    expect(ARTICLES[governance.article].about).toMatch(/.+/);
    expect(row.summary).toMatch(/^[A-Z].{10,90}\.$/);
  });

  it("is a strict, described BaseTool with schemas for both ends (REQ-062-030, REQ-062-072, REQ-062-073, P-002)", async () => {
    const { registry } = (await testApp()).app.services;
    const tool = await registry.load(row);
    expect(tool.name).toBe(name);
    expect(tool.description.length).toBeGreaterThan(60);
    for (const [parameter, schema] of Object.entries(tool.input.shape)) {
      const { description } = schema as z.ZodType;
      expect(description ?? (unwrap(schema) as z.ZodType).description, parameter).toMatch(/.{5,}/);
    }
    expect(inputSchema(tool)).toMatchObject({ type: "object", additionalProperties: false });
    expect(outputSchema(tool)).toEqual(expect.any(Object));
    for (const parameter of [...tool.pathParameters, ...tool.emptyIsData])
      expect(Object.keys(tool.input.shape)).toContain(parameter);
    expect(describeTool(row, tool).text).toContain(tool.description);
  });

  it("does what its examples say", async () => {
    const { registry } = (await testApp()).app.services;
    const { examples } = await registry.load(row);
    for (const example of examples) {
      const pawl = await testApp();
      for (const [path, text] of Object.entries(example.files ?? {})) pawl.file(path, text);
      const result = await pawl.call(name, example.payload);
      expect(result.text, example.title).toContain(example.shows);
    }
  });

  it("gives data that fits its own output schema", async () => {
    const { registry } = (await testApp()).app.services;
    const tool = await registry.load(row);
    for (const example of tool.examples) {
      const pawl = await testApp();
      for (const [path, text] of Object.entries(example.files ?? {})) pawl.file(path, text);
      const result = await pawl.call(name, example.payload);
      expect(tool.output.safeParse(result.data).error, example.title).toBeUndefined();
    }
  });

  it("is found by every name it claims, in any case", async () => {
    const { registry } = (await testApp()).app.services;
    for (const wire of [row.name, ...row.wireNames]) {
      expect(registry.find(wire).name).toBe(name);
      expect(registry.find(wire.toUpperCase()).name).toBe(name);
    }
  });
});

describe("the registry", () => {
  it("has the governance of every tool in the map, and of no other", () => {
    expect(ALL_TOOLS.map((row) => row.name).sort()).toEqual(Object.keys(GOVERNANCE).sort());
  });

  it("refuses two tools that claim one name", async () => {
    const pawl = await testApp();
    const [first] = ALL_TOOLS;
    if (!first) throw new Error("There are no tools");
    const services = {
      config: pawl.config,
      clock: pawl.app.services.clock,
      withFileLock: <T>(work: () => Promise<T>) => work(),
    };
    expect(() => new ToolRegistry(services, [first, { ...first, name: "OtherTool" }])).toThrow("both claim the name");
  });

  it("tries again to load a tool that failed to load", async () => {
    const pawl = await testApp();
    const [first] = ALL_TOOLS;
    if (!first) throw new Error("There are no tools");
    let tries = 0;
    const flaky = {
      ...first,
      load: async (services: Parameters<typeof first.load>[0]) => {
        tries += 1;
        if (tries === 1) throw new Error("not yet");
        return first.load(services);
      },
    };
    const services = {
      config: pawl.config,
      clock: pawl.app.services.clock,
      withFileLock: <T>(work: () => Promise<T>) => work(),
    };
    const registry = new ToolRegistry(services, [flaky]);
    await expect(registry.load(flaky)).rejects.toThrow("not yet");
    expect((await registry.load(flaky)).name).toBe(first.name);
  });

  it("says what stands behind each of the 40 mirrored directories (S-005)", () => {
    const rows = parityTable(ALL_TOOLS, () => true);
    expect(rows).toHaveLength(40);
    expect(
      rows
        .filter((row) => row.status === "works")
        .map((row) => row.tool)
        .sort(),
    ).toEqual(ALL_TOOLS.map((row) => row.name).sort());
    const without = parityTable(ALL_TOOLS, () => false).find((row) => row.tool === "BashTool");
    expect(without).toMatchObject({ status: "lacks a program", lacks: ["bash"] });
  });
});
