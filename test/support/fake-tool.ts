// Tools that do what a test tells them, behind the real pipeline.
import { z } from "zod";
import type { ToolOutput } from "../../src/core/result.ts";
import type { ToolMetadata } from "../../src/registry/tool-metadata.ts";
import { type Access, BaseTool, type CallUses, type ToolContext } from "../../src/tools/base-tool.ts";

const input = z.strictObject({
  input: z.string().optional().describe("Anything."),
  path: z.string().optional().describe("A path."),
});
type Params = z.output<typeof input>;

export type Behaviour = (params: Params, context: ToolContext) => Promise<Partial<ToolOutput<unknown>>>;

export interface FakeOptions {
  readonly access?: Access;
  readonly requiresApproval?: boolean;
  readonly timeoutSeconds?: number;
}

/** The catalog row of a tool named ProbeTool that behaves as told. */
export function fakeTool(behave: Behaviour, options: FakeOptions = {}): ToolMetadata {
  const { access = "read", requiresApproval = false, timeoutSeconds = 30 } = options;
  return {
    name: "ProbeTool",
    wireNames: ["Probe"],
    category: "utility",
    access,
    priority: "P3",
    governance: { requiresApproval, article: "I", timeoutSeconds, ceilingSeconds: 60 },
    agent: "U:Qa",
    dependencies: [],
    estimatedHours: 1,
    summary: "Does what a test tells it.",
    load: async () => new ProbeTool(behave, access),
  };
}

class ProbeTool extends BaseTool<typeof input> {
  readonly name = "ProbeTool";
  readonly description = "Does what a test tells it.";
  readonly input = input;
  readonly output = z.unknown();
  override readonly principalParameter = "input";
  override readonly pathParameters = ["path"];
  readonly #behave: Behaviour;
  readonly #access: Access;

  constructor(behave: Behaviour, access: Access) {
    super();
    this.#behave = behave;
    this.#access = access;
  }

  override uses(params: Params): CallUses {
    const access = this.#access === "read" ? "read" : "write";
    return { paths: params.path === undefined ? [] : [{ parameter: "path", path: params.path, access }] };
  }

  override async execute(params: Params, context: ToolContext): Promise<ToolOutput<unknown>> {
    const { text = "done", data = null, ...rest } = await this.#behave(params, context);
    return { text, data, ...rest };
  }
}
