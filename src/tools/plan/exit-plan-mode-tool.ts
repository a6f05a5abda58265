import { z } from "zod";
import { ToolError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import { BaseTool, type CallUses, type ToolContext } from "../base-tool.ts";

const input = z.strictObject({
  plan: z.string().max(200_000).optional().describe("The plan as Markdown; at most 200,000 characters."),
  allowedPrompts: z.array(z.unknown()).optional().describe("Accepted for compatibility; grants nothing."),
});
const output = z.object({ message: z.string(), mode: z.literal("default"), plan: z.string().nullable() });

/** Presents a plan and gives the session's next calls their rights back. */
export class ExitPlanModeV2Tool extends BaseTool<typeof input, z.output<typeof output>> {
  readonly name = "ExitPlanModeV2Tool";
  readonly description =
    "Presents the plan and ends plan mode, so that tools may write and execute again. Refused with `conflict` when the session is not in plan mode.";
  readonly input = input;
  readonly output = output;
  override readonly principalParameter = "plan";

  override uses(): CallUses {
    return { paths: [] };
  }

  override async execute(
    params: z.output<typeof input>,
    context: ToolContext,
  ): Promise<ToolOutput<z.output<typeof output>>> {
    if (context.session.mode !== "plan") {
      throw new ToolError("conflict", "This session is not in plan mode", { hint: "EnterPlanModeTool starts it." });
    }
    await context.session.setMode("default", params.plan);
    const message = "Plan mode has ended: tools may write and run commands again.";
    const text = params.plan ? `${message}\n\n${params.plan}` : message;
    return { text, data: { message, mode: "default", plan: params.plan ?? null } };
  }
}
