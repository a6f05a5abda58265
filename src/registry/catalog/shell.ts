import type { ToolMetadata } from "../tool-metadata.ts";

export const SHELL_TOOLS: readonly ToolMetadata[] = [
  {
    name: "BashTool",
    wireNames: ["Bash", "run_shell_command", "shell", "shell_command", "exec_command", "execute_shell_command"],
    category: "shell",
    access: "execute",
    priority: "P0",
    governance: { requiresApproval: false, article: "II", timeoutSeconds: 120, ceilingSeconds: 600 },
    agent: "U:Cd",
    dependencies: ["bash"],
    estimatedHours: 24,
    summary: "Runs a bash command line and ends everything that it started.",
    load: async (services) => new (await import("../../tools/shell/bash-tool.ts")).BashTool(services),
  },
];
