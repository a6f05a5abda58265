// Every path ends here, refusals too: the audit row first, then the events, then the result.
import { hostname } from "node:os";
import type { AuditOutcome, AuditRecord } from "../audit/audit-record.ts";
import { ToolError } from "../core/errors.ts";
import { resultError, type ToolOutput, type ToolResult } from "../core/result.ts";
import type { ToolMetadata } from "../registry/tool-metadata.ts";
import type { Caller } from "../tools/base-tool.ts";
import { Refusal, type Decision } from "./authorize-call.ts";
import type { CallRequest, CallServices, ParsedCall, ValidCall } from "./call-types.ts";

/** What is known of a call at any moment of its life. */
export interface CallFacts {
  readonly callId: string;
  readonly startedAt: number;
  readonly request: CallRequest;
  readonly caller: Caller;
  row?: ToolMetadata;
  parsed?: ParsedCall;
  valid?: ValidCall;
  decision?: Decision;
}

export type Outcome = { readonly output: ToolOutput<unknown> } | { readonly error: ToolError };

/** The record of a call before it runs. */
export function openRecord(facts: CallFacts): AuditRecord {
  return auditRecord(facts, 0, { outcome: "interrupted", text: "" });
}

/**
 * Writes the audit row, publishes the events and makes the result. When the row cannot be written the call fails with
 * the store's error, whatever it had reached: what is not on record is not reported as done.
 */
export async function recordCall(services: CallServices, facts: CallFacts, outcome: Outcome): Promise<ToolResult> {
  const durationMs = Math.max(0, services.clock.now() - facts.startedAt);
  const result = resultOf(facts, outcome, durationMs);
  try {
    await services.audit.append(
      auditRecord(facts, durationMs, {
        outcome: outcomeOf(outcome),
        text: result.text,
        ...("error" in outcome && { error: outcome.error }),
        ...(result.meta.spill_path && { spillPath: result.meta.spill_path }),
      }),
    );
  } catch (error) {
    const failure = unrecorded(error, outcome);
    publish(services, facts, { outcome: { error: failure }, durationMs });
    return resultOf(facts, { error: failure }, durationMs);
  }
  publish(services, facts, { outcome, durationMs });
  return result;
}

function unrecorded(error: unknown, outcome: Outcome): ToolError {
  const why = error instanceof ToolError ? error : new ToolError("io_error", "The audit log failed", { cause: error });
  const ran = "output" in outcome ? "The call ran, but could not be recorded" : "The call could not be recorded";
  return new ToolError(why.code, `${ran}: ${why.message}`, { hint: why.hint, cause: error });
}

function outcomeOf(outcome: Outcome): AuditOutcome {
  if ("output" in outcome) return "completed";
  return outcome.error instanceof Refusal ? "refused" : "failed";
}

function resultOf(facts: CallFacts, outcome: Outcome, durationMs: number): ToolResult {
  const shown = "output" in outcome ? outcome.output : outcome.error.partial;
  const ignored = facts.valid?.ignored ?? [];
  const meta = {
    call_id: facts.callId,
    tool: facts.row?.name ?? facts.request.tool,
    session_id: facts.valid?.session.id ?? facts.request.sessionId ?? "",
    duration_ms: durationMs,
    ...(shown?.truncated && { truncated: true }),
    ...(shown?.spillPath && { spill_path: shown.spillPath }),
    ...(ignored.length > 0 && { ignored_params: ignored }),
  };
  if ("output" in outcome) {
    const { text, data, images } = outcome.output;
    return { success: true, text: text.toWellFormed(), data, ...(images && { images }), meta };
  }
  const { error } = outcome;
  const parts = [error.partial?.text, `${error.code}: ${error.message}`, error.hint];
  return {
    success: false,
    text: parts.filter(Boolean).join("\n").toWellFormed(),
    ...(error.partial?.data !== undefined && { data: error.partial.data }),
    error: resultError(error),
    meta,
  };
}

interface RecordedEnd {
  readonly outcome: AuditOutcome;
  readonly text: string;
  readonly error?: ToolError;
  readonly spillPath?: string;
}

function auditRecord(facts: CallFacts, durationMs: number, end: RecordedEnd): AuditRecord {
  const { caller, parsed, request, valid } = facts;
  const refused = end.error instanceof Refusal ? end.error.decision : undefined;
  return {
    v: 1,
    call_id: facts.callId,
    at: new Date(facts.startedAt).toISOString(),
    duration_ms: durationMs,
    tool: facts.row?.name ?? request.tool,
    session_id: valid?.session.id ?? request.sessionId ?? "",
    correlation_id: request.correlationId ?? facts.callId,
    workspace: valid?.workspace.root ?? "",
    cwd: valid?.session.workingDirectory ?? request.cwd,
    caller: {
      id: caller.id,
      kind: caller.kind,
      role: caller.role,
      ...(caller.onBehalfOf !== undefined && { on_behalf_of: caller.onBehalfOf }),
    },
    host: hostname(),
    pid: process.pid,
    arguments: valid?.params ?? parsed?.payload ?? request.payload ?? null,
    decision: refused ?? facts.decision ?? { allowed: false, by: "validation", reason: end.error?.message ?? "" },
    outcome: end.outcome,
    ...(end.error && { error: { code: end.error.code, message: end.error.message } }),
    result: { text: end.text, characters: end.text.length, ...(end.spillPath && { spill_path: end.spillPath }) },
  };
}

function publish(services: CallServices, facts: CallFacts, end: { outcome: Outcome; durationMs: number }): void {
  const { outcome, durationMs } = end;
  const base = {
    callId: facts.callId,
    tool: facts.row?.name ?? facts.request.tool,
    sessionId: facts.valid?.session.id ?? facts.request.sessionId ?? "",
    correlationId: facts.request.correlationId ?? facts.callId,
    callerId: facts.caller.id,
    at: services.clock.now(),
    durationMs,
  };
  if (facts.decision)
    services.bus.publish({ type: "tool.executed", phase: "completed", ...base, success: "output" in outcome });
  if ("output" in outcome) return;
  const { code, message, cause } = outcome.error;
  const detail = code === "internal" && cause instanceof Error ? cause.stack : undefined;
  services.bus.publish({ type: "tool.error", ...base, code, message, ...(detail && { detail }) });
}
