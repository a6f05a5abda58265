// The parameters and data of each tool, by name, for callers in TypeScript.
import type { z } from "zod";
import type { FileEditTool } from "../tools/file/file-edit-tool.ts";
import type { FileReadTool } from "../tools/file/file-read-tool.ts";
import type { FileWriteTool } from "../tools/file/file-write-tool.ts";
import type { EnterPlanModeTool } from "../tools/plan/enter-plan-mode-tool.ts";
import type { ExitPlanModeV2Tool } from "../tools/plan/exit-plan-mode-tool.ts";
import type { GlobTool } from "../tools/search/glob-tool.ts";
import type { GrepTool } from "../tools/search/grep-tool.ts";
import type { BashTool } from "../tools/shell/bash-tool.ts";

interface Tools {
  BashTool: BashTool;
  EnterPlanModeTool: EnterPlanModeTool;
  ExitPlanModeV2Tool: ExitPlanModeV2Tool;
  GlobTool: GlobTool;
  GrepTool: GrepTool;
  FileEditTool: FileEditTool;
  FileReadTool: FileReadTool;
  FileWriteTool: FileWriteTool;
}

export type ToolName = keyof Tools;

/** Tool name → the parameters that it takes. */
export type ToolInputs = { [Name in ToolName]: z.input<Tools[Name]["input"]> };

/** Tool name → the `data` of its result. */
export type ToolOutputs = { [Name in ToolName]: z.output<Tools[Name]["output"]> };
