import { ARTICLES } from "../governance/articles.ts";
import { roleAllows } from "../governance/roles.ts";
import type { ToolMetadata } from "../registry/tool-metadata.ts";
import type { CommandContext, SlashCommand } from "./slash-command.ts";

export const permissionsCommand: SlashCommand = {
  run: async (prompt, context) => {
    const { services, workspace } = context;
    const rows = prompt === "" ? services.registry.all() : [services.registry.find(prompt)];
    const tools = rows.map((row) => standingOf(row, context));
    const directories = [workspace.root, ...services.config.workspace.additional_directories];
    const lines = tools.map((tool) => `  ${tool.tool.padEnd(22)} ${tool.decision.padEnd(8)} ${tool.reason}`);
    const text = [
      `Role ${context.caller.role}, mode ${context.session.mode}.`,
      `Files: ${directories.join(", ")} (canonical paths; links that lead out are refused).`,
      "Commands that would destroy the machine or your files are refused whoever asks.",
      "Tools:",
      ...lines,
    ].join("\n");
    return { text, data: { role: context.caller.role, mode: context.session.mode, directories, tools } };
  },
};

interface Standing {
  readonly tool: string;
  readonly decision: "allowed" | "asks" | "denied";
  readonly reason: string;
}

function standingOf(row: ToolMetadata, { caller, session }: CommandContext): Standing {
  const { article, requiresApproval } = row.governance;
  if (!roleAllows(caller.role, row.access))
    return { tool: row.name, decision: "denied", reason: `needs the role ${row.access}` };
  if (session.mode === "plan" && row.access !== "read")
    return { tool: row.name, decision: "denied", reason: "plan mode" };
  const why = `article ${article}, ${ARTICLES[article].about}`;
  return { tool: row.name, decision: requiresApproval ? "asks" : "allowed", reason: why };
}
