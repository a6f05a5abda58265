// The 40 tool directories of the mirrored inventory, and what stands behind each here.
import type { ToolMetadata } from "./tool-metadata.ts";

const DIRECTORIES: readonly string[] = [
  "AgentTool AskUserQuestionTool BashTool BriefTool ConfigTool EnterPlanModeTool EnterWorktreeTool ExitPlanModeTool",
  "ExitWorktreeTool FileEditTool FileReadTool FileWriteTool GlobTool GrepTool LSPTool ListMcpResourcesTool MCPTool McpAuthTool",
  "NotebookEditTool PowerShellTool REPLTool ReadMcpResourceTool RemoteTriggerTool ScheduleCronTool SendMessageTool SkillTool",
  "SleepTool SyntheticOutputTool TaskCreateTool TaskGetTool TaskListTool TaskOutputTool TaskStopTool TaskUpdateTool",
  "TeamCreateTool TeamDeleteTool TodoWriteTool ToolSearchTool WebFetchTool WebSearchTool",
].flatMap((line) => line.split(" "));

/** Directories whose class has another name than the directory. */
const CLASS_OF: Readonly<Record<string, string>> = { ExitPlanModeTool: "ExitPlanModeV2Tool" };

export interface ParityRow {
  readonly directory: string;
  readonly tool: string;
  readonly status: "works" | "lacks a program" | "missing";
  /** Programs that the tool needs and this machine does not have. */
  readonly lacks: readonly string[];
}

/** Read off the registry: a directory without a tool is said to be missing. */
export function parityTable(rows: readonly ToolMetadata[], hasProgram: (name: string) => boolean): ParityRow[] {
  return DIRECTORIES.map((directory) => {
    const tool = CLASS_OF[directory] ?? directory;
    const row = rows.find((candidate) => candidate.name === tool);
    if (!row) return { directory, tool, status: "missing", lacks: [] };
    const lacks = row.dependencies.filter((program) => !hasProgram(program));
    return { directory, tool, status: lacks.length === 0 ? "works" : "lacks a program", lacks };
  });
}
