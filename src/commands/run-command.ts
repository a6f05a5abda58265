// Runs a slash command for a caller and puts it on record like a call of a tool.
import { hostname } from "node:os";
import { fromSystemError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { asToolError, resultError, type ToolResult } from "../core/result.ts";
import type { CallServices } from "../runtime/call-types.ts";
import { SessionContext } from "../runtime/session-context.ts";
import { findWorkspace } from "../runtime/workspace.ts";
import { asStoreError } from "../store/store-errors.ts";
import type { Caller } from "../tools/base-tool.ts";
import { ALL_COMMANDS } from "./all-commands.ts";
import { findCommand } from "./find-command.ts";
import type { CommandContext, CommandOutput } from "./slash-command.ts";

export interface CommandRequest {
  readonly name: string;
  readonly prompt: string;
  readonly cwd: string;
  readonly sessionId?: string;
  readonly signal: AbortSignal;
}

/** Never throws; what goes wrong is in the result. */
export async function runCommand(services: CallServices, request: CommandRequest, caller: Caller): Promise<ToolResult> {
  const startedAt = services.clock.now();
  const callId = newId("call", startedAt);
  const ended = await attempt(services, request, caller);
  const durationMs = Math.max(0, services.clock.now() - startedAt);
  const result = resultOf(ended, { callId, durationMs });
  try {
    await services.audit.append({
      v: 1,
      call_id: callId,
      at: new Date(startedAt).toISOString(),
      duration_ms: durationMs,
      tool: result.meta.tool,
      session_id: result.meta.session_id,
      correlation_id: callId,
      workspace: ended.context?.workspace.root ?? "",
      cwd: request.cwd,
      caller: { id: caller.id, kind: caller.kind, role: caller.role },
      host: hostname(),
      pid: process.pid,
      arguments: { prompt: request.prompt },
      decision: { allowed: true, by: "command", reason: "slash commands are the person's own" },
      outcome: result.success ? "completed" : "failed",
      ...(result.error && { error: { code: result.error.code, message: result.error.message } }),
      result: { text: result.text, characters: result.text.length },
    });
    return result;
  } catch (error) {
    return resultOf({ ...ended, error }, { callId, durationMs });
  }
}

interface Ended {
  readonly name: string;
  readonly context?: CommandContext;
  readonly output?: CommandOutput;
  readonly error?: unknown;
}

async function attempt(services: CallServices, request: CommandRequest, caller: Caller): Promise<Ended> {
  let ended: Ended = { name: `/${request.name.replace(/^\//, "")}` };
  try {
    const row = findCommand(ALL_COMMANDS, request.name);
    const workspace = findWorkspace(request.cwd);
    const session = await SessionContext.open(services, { sessionId: request.sessionId, workspace });
    const context = { services, caller, workspace, session, signal: request.signal, commands: ALL_COMMANDS };
    ended = { name: `/${row.name}`, context };
    const command = await row.load();
    return { ...ended, output: await command.run(request.prompt.trim(), context) };
  } catch (error) {
    return {
      ...ended,
      error: fromSystemError(asStoreError(error, services.store.path), "A file that the command needs"),
    };
  }
}

function resultOf(ended: Ended, call: { callId: string; durationMs: number }): ToolResult {
  const meta = {
    call_id: call.callId,
    tool: ended.name,
    session_id: ended.context?.session.id ?? "",
    duration_ms: call.durationMs,
  };
  if (ended.error === undefined && ended.output)
    return { success: true, text: ended.output.text, data: ended.output.data, meta };
  const error = asToolError(ended.error);
  const text = [`${error.code}: ${error.message}`, error.hint].filter(Boolean).join("\n");
  return { success: false, text, error: resultError(error), meta };
}
