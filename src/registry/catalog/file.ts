import type { ToolMetadata } from "../tool-metadata.ts";

export const FILE_TOOLS: readonly ToolMetadata[] = [];
