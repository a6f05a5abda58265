// One row of the audit log: what is kept, in which form, and what its hash covers.
import { type ErrorCode, ToolError } from "../core/errors.ts";
import { redactText, redactValue } from "../core/redact.ts";
import { sha256Hex } from "../core/sha256.ts";

export type AuditOutcome = "completed" | "refused" | "failed" | "interrupted";

/** Snake case: this is the stored form, and the one that `audit export` writes. */
export interface AuditRecord {
  readonly v: 1;
  readonly call_id: string;
  /** ISO 8601, when the call came. */
  readonly at: string;
  readonly duration_ms: number;
  readonly tool: string;
  readonly session_id: string;
  readonly correlation_id: string;
  readonly workspace: string;
  readonly cwd: string;
  readonly caller: {
    readonly id: string;
    readonly kind: string;
    readonly role: string;
    readonly on_behalf_of?: string;
  };
  readonly host: string;
  readonly pid: number;
  readonly arguments: unknown;
  readonly decision: { readonly allowed: boolean; readonly by: string; readonly reason: string };
  readonly outcome: AuditOutcome;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
  /** The first part of what the caller was told, and how long the whole was. */
  readonly result: { readonly text: string; readonly characters: number; readonly spill_path?: string };
}

const MAX_STRING_CHARACTERS = 16_384;
const MAX_RESULT_CHARACTERS = 2_000;
/** Bounds a row that is made of very many small values. */
const MAX_BODY_CHARACTERS = 262_144;

/** The record as it is stored: secrets masked, long strings cut with their length and digest. */
export function auditBody(record: AuditRecord): string {
  const shortened = {
    ...record,
    arguments: shorten(redactValue(record.arguments)),
    ...(record.error && {
      error: { ...record.error, message: redactText(record.error.message).slice(0, MAX_RESULT_CHARACTERS) },
    }),
    result: { ...record.result, text: redactText(record.result.text.slice(0, MAX_RESULT_CHARACTERS)) },
  };
  const body = JSON.stringify(shortened);
  if (body.length <= MAX_BODY_CHARACTERS) return body;
  const whole = JSON.stringify(shortened.arguments);
  return JSON.stringify({ ...shortened, arguments: { too_large: `${whole.length} characters, ${digest(whole)}` } });
}

/** A stored body. Throws `integrity_error` for what is none. */
export function parseRecord(body: string): AuditRecord {
  try {
    return JSON.parse(body) as AuditRecord;
  } catch (error) {
    throw new ToolError("integrity_error", "A row of the audit log is damaged: it is no JSON", { cause: error });
  }
}

/**
 * Each row's hash covers the row before it, its own place and every character of its body. `hash` is SHA-256 in hex; who
 * hashes many rows brings a faster one.
 */
export function chainHash(previousHash: string, row: { seq: number; body: string }, hash = sha256Hex): string {
  return hash(`${previousHash}
${row.seq}
${row.body}`);
}

function shorten(value: unknown): unknown {
  if (typeof value === "string") {
    if (value.length <= MAX_STRING_CHARACTERS) return value.toWellFormed();
    return `${value.slice(0, MAX_STRING_CHARACTERS).toWellFormed()}… [${value.length} characters, ${digest(value)}]`;
  }
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item)]));
}

function digest(text: string): string {
  return `sha256 ${sha256Hex(text)}`;
}
