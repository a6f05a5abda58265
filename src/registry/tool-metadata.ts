// The governance row of a tool (SPEC §1): everything that is decided about it, none of what it can do.
import type { Access, BaseTool } from "../tools/base-tool.ts";
import type { ToolServices } from "../tools/tool-services.ts";

export type Category =
  | "file"
  | "shell"
  | "search"
  | "web"
  | "task"
  | "memory"
  | "planning"
  | "agent"
  | "config"
  | "mcp"
  | "utility";
export type Priority = "P0" | "P1" | "P2" | "P3";
export type ArticleId = "I" | "II" | "III" | "IV" | "V" | "VI" | "VII" | "VIII" | "IX" | "X";
export type AgentId = "U:Or" | "U:Ar" | "U:Cd" | "U:Qa" | "U:Op" | "U:Se" | "U:Re" | "U:Do";

export interface ToolMetadata {
  /** The class name, for life. */
  readonly name: string;
  /** What models and clients call; the first is the one that rules and hooks see. */
  readonly wireNames: readonly string[];
  readonly category: Category;
  readonly access: Access;
  readonly priority: Priority;
  readonly governance: {
    readonly requiresApproval: boolean;
    readonly article: ArticleId;
    readonly timeoutSeconds: number;
    /** The most that a caller may ask for. */
    readonly ceilingSeconds: number;
  };
  readonly agent: AgentId;
  /** Programs without which the tool cannot work. */
  readonly dependencies: readonly string[];
  readonly estimatedHours: number;
  /** One line for lists; the tool's own description is for models. */
  readonly summary: string;
  /** Loads and makes the tool; called once, on its first use. */
  readonly load: (services: ToolServices) => Promise<BaseTool>;
}
