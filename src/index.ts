// The public API: `import { createRuntime } from "pawl"`.
export { createRuntime } from "./app/create-runtime.ts";
export type { Runtime, RuntimeOptions, CallOptions } from "./app/create-runtime.ts";
export { ERROR_CODES, ToolError } from "./core/errors.ts";
export type { ErrorCode } from "./core/errors.ts";
export type { ImageContent, ResultError, ResultMeta, ToolResult } from "./core/result.ts";
export type { PawlEvent } from "./events/event-types.ts";
export type { ToolInputs, ToolOutputs } from "./app/tool-types.ts";
