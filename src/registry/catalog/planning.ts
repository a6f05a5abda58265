import type { ToolMetadata } from "../tool-metadata.ts";

const governance = { requiresApproval: false, article: "IX", timeoutSeconds: 10, ceilingSeconds: 10 } as const;

export const PLANNING_TOOLS: readonly ToolMetadata[] = [
  {
    name: "EnterPlanModeTool",
    wireNames: ["EnterPlanMode", "enter_plan_mode"],
    category: "planning",
    access: "read",
    priority: "P1",
    governance,
    agent: "U:Ar",
    dependencies: [],
    estimatedHours: 2,
    summary: "From now on this session may only read, until a plan is presented.",
    load: async () => new (await import("../../tools/plan/enter-plan-mode-tool.ts")).EnterPlanModeTool(),
  },
  {
    name: "ExitPlanModeV2Tool",
    wireNames: ["ExitPlanMode", "exit_plan_mode"],
    category: "planning",
    access: "read",
    priority: "P1",
    governance,
    agent: "U:Ar",
    dependencies: [],
    estimatedHours: 2,
    summary: "Presents the plan and lets this session write and run again.",
    load: async () => new (await import("../../tools/plan/exit-plan-mode-tool.ts")).ExitPlanModeV2Tool(),
  },
];
