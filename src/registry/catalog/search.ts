import type { ToolMetadata } from "../tool-metadata.ts";

const governance = { requiresApproval: false, article: "I", timeoutSeconds: 30, ceilingSeconds: 30 } as const;

export const SEARCH_TOOLS: readonly ToolMetadata[] = [
  {
    name: "GlobTool",
    wireNames: ["Glob", "FindFiles", "glob_search", "find", "search_files", "find_file"],
    category: "search",
    access: "read",
    priority: "P0",
    governance,
    agent: "U:Cd",
    dependencies: [],
    estimatedHours: 12,
    summary: "Finds files by a pattern over their paths, newest first.",
    load: async (services) => new (await import("../../tools/search/glob-tool.ts")).GlobTool(services),
  },
  {
    name: "GrepTool",
    wireNames: ["Grep", "grep_search", "search_file_content", "grep_files", "search_for_pattern", "SearchText"],
    category: "search",
    access: "read",
    priority: "P0",
    governance,
    agent: "U:Cd",
    dependencies: ["rg"],
    estimatedHours: 20,
    summary: "Searches the contents of files with ripgrep.",
    load: async (services) => new (await import("../../tools/search/grep-tool.ts")).GrepTool(services),
  },
];
