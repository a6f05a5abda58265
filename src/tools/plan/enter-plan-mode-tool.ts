import { z } from "zod";
import type { ToolOutput } from "../../core/result.ts";
import { BaseTool, type CallUses, type ToolContext } from "../base-tool.ts";

const input = z.strictObject({});
const output = z.lazy(() =>
  z.object({
    message: z.string(),
    mode: z.literal("plan"),
    already_in_plan_mode: z.boolean().describe("True when the session was in plan mode before."),
  }),
);

/** Takes the right to write and execute from the session's next calls. */
export class EnterPlanModeTool extends BaseTool<typeof input, z.output<typeof output>> {
  readonly name = "EnterPlanModeTool";
  readonly description =
    "Puts this session into plan mode: tools that write or execute are refused until ExitPlanModeV2Tool presents a plan. " +
    "Use it before a larger change, to look around and think first.";
  readonly input = input;
  readonly output = output;
  override readonly examples = [{ title: "Look before you change", payload: {}, shows: "plan mode" }];

  override uses(): CallUses {
    return { paths: [] };
  }

  override async execute(
    _params: z.output<typeof input>,
    context: ToolContext,
  ): Promise<ToolOutput<z.output<typeof output>>> {
    const already = context.session.mode === "plan";
    if (!already) await context.session.setMode("plan");
    const message = already
      ? "This session already is in plan mode."
      : "This session is in plan mode: reading is allowed, writing and running commands is not. Present the plan with ExitPlanModeV2Tool.";
    return { text: message, data: { message, mode: "plan", already_in_plan_mode: already } };
  }
}
