// The one door: whatever wants a tool run comes through here.
import { newId } from "../core/ids.ts";
import { asToolError, type ToolResult } from "../core/result.ts";
import { fromSystemError } from "../core/errors.ts";
import type { Caller } from "../tools/base-tool.ts";
import { asStoreError } from "../store/store-errors.ts";
import { authorizeCall } from "./authorize-call.ts";
import type { CallRequest, CallServices } from "./call-types.ts";
import { executeCall, factsOf } from "./execute-call.ts";
import { parseCall } from "./parse-call.ts";
import { type CallFacts, openRecord, type Outcome, recordCall } from "./record-call.ts";
import { SessionContext } from "./session-context.ts";
import { validateCall } from "./validate-call.ts";
import { findWorkspace } from "./workspace.ts";

/**
 * parse → validate → authorize → execute → record. Never throws: every end is a result, and every result but that of a
 * broken store has its audit row.
 */
export async function runCall(services: CallServices, request: CallRequest, caller: Caller): Promise<ToolResult> {
  const startedAt = services.clock.now();
  const facts: CallFacts = { callId: newId("call", startedAt), startedAt, request, caller };
  const outcome = await attempt(services, facts);
  return recordCall(services, facts, outcome);
}

async function attempt(services: CallServices, facts: CallFacts): Promise<Outcome> {
  const { request, caller, callId } = facts;
  try {
    facts.row = services.registry.find(request.tool);
    const workspace = findWorkspace(request.cwd);
    const parsed = await parseCall(services, request, { callId, caller, row: facts.row });
    facts.parsed = parsed;
    const session = await SessionContext.open(services, { sessionId: request.sessionId, workspace });
    const valid = validateCall(parsed, { workspace, session, userHome: services.config.userHome });
    facts.valid = valid;
    const call = await authorizeCall(services, valid);
    facts.decision = call.decision;
    if (call.row.access !== "read") await services.audit.open(openRecord(facts));
    services.bus.publish({ type: "tool.executed", phase: "started", ...factsOf(call), at: services.clock.now() });
    return { output: await executeCall(services, call) };
  } catch (error) {
    return {
      error: asToolError(fromSystemError(asStoreError(error, services.store.path), "A file that the call needs")),
    };
  }
}
