import type { ToolMetadata } from "../tool-metadata.ts";
import { FILE_TOOLS } from "./file.ts";
import { PLANNING_TOOLS } from "./planning.ts";
import { SEARCH_TOOLS } from "./search.ts";
import { SHELL_TOOLS } from "./shell.ts";

/** Every tool that works. A tool that is not ready has no row. */
export const ALL_TOOLS: readonly ToolMetadata[] = [...SHELL_TOOLS, ...FILE_TOOLS, ...SEARCH_TOOLS, ...PLANNING_TOOLS];
