import type { ToolMetadata } from "../tool-metadata.ts";

export const SEARCH_TOOLS: readonly ToolMetadata[] = [];
