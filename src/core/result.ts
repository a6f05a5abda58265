// What every call answers with (DESIGN §3), in the snake_case that goes over the wire.
import { ERROR_CODES, type ErrorCode, type PartialOutcome, ToolError } from "./errors.ts";

/** Value or error, for code that must not throw. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

export interface ResultError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly retryable: boolean;
}

export interface ResultMeta {
  readonly call_id: string;
  readonly tool: string;
  readonly session_id: string;
  readonly duration_ms: number;
  readonly truncated?: boolean;
  /** The file that holds the whole output when `text` shows only part of it. */
  readonly spill_path?: string;
  /** Known but meaningless parameters that were left unread. */
  readonly ignored_params?: readonly string[];
}

/** An image for a model to look at; surfaces present it in their own way. */
export interface ImageContent {
  readonly type: "image";
  readonly media_type: string;
  /** Base64. */
  readonly data: string;
}

export interface ToolResult<Data = unknown> {
  readonly success: boolean;
  /** For a model or a person. */
  readonly text: string;
  /** For programs. */
  readonly data?: Data;
  readonly images?: readonly ImageContent[];
  readonly error?: ResultError;
  readonly meta: ResultMeta;
}

/** What a tool hands back from `execute`. */
export interface ToolOutput<Data> {
  readonly text: string;
  readonly data: Data;
  readonly images?: readonly ImageContent[];
  /** Set by a tool that limited its own output while it streamed. */
  readonly spillPath?: string;
  readonly truncated?: boolean;
}

/** The wire form of an error. */
export function resultError(error: ToolError): ResultError {
  return {
    code: error.code,
    message: error.message.toWellFormed(),
    hint: error.hint,
    retryable: ERROR_CODES[error.code].retryable,
  };
}

/** Anything thrown, as a `ToolError`; what is not one already is our fault and says no more than that. */
export function asToolError(thrown: unknown, partial?: PartialOutcome): ToolError {
  if (thrown instanceof ToolError) return thrown;
  return new ToolError("internal", "Pawl failed while it handled this call.", {
    hint: "Run `pawl audit show CALL_ID` and report the call id.",
    cause: thrown,
    ...(partial && { partial }),
  });
}
