// Pawl as a library: the same calls through the same door, typed.
import { loadConfig } from "../config/load-config.ts";
import { ToolError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { resultError, type ToolResult } from "../core/result.ts";
import type { EventListener } from "../events/event-bus.ts";
import type { Access } from "../tools/base-tool.ts";
import { createApp } from "./create-app.ts";
import type { ToolInputs, ToolName, ToolOutputs } from "./tool-types.ts";

export interface RuntimeOptions {
  /** The directory that calls start in; the process's own by default. */
  readonly workspace?: string;
  /** Where the store and long outputs are kept; PAWL_HOME by default. */
  readonly home?: string;
  /** The most that calls may do; never more than the user's settings allow. */
  readonly role?: Access;
  /** Who calls, for the audit log. */
  readonly callerId?: string;
  /** A session of its own instead of the workspace's default one. */
  readonly sessionId?: string;
}

export interface CallOptions {
  /** Milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** A person's own word for what would be asked. */
  readonly approve?: boolean;
  readonly sessionId?: string;
  readonly correlationId?: string;
}

/** Its owner calls `close`. Usable with `await using`. */
export interface Runtime extends AsyncDisposable {
  /** Never rejects: what goes wrong is in the result. */
  call<Name extends ToolName>(
    name: Name,
    params: ToolInputs[Name],
    options?: CallOptions,
  ): Promise<ToolResult<ToolOutputs[Name]>>;
  /** Any tool by any of its names; the payload is checked like everybody's. */
  callByName(name: string, payload: unknown, options?: CallOptions): Promise<ToolResult>;
  /** Returns the function that ends the subscription. */
  onEvent(listener: EventListener): () => void;
  close(): Promise<void>;
}

/** Opens the store and returns a runtime. Throws a `ToolError` when settings or store are at fault. */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const config = await loadConfig(options.home === undefined ? {} : { home: options.home });
  const app = await createApp({ config });
  const role = lesserRole(config.role, options.role ?? config.role);
  const caller = { id: options.callerId ?? `user:${config.userName}`, kind: "library", role } as const;
  const cwd = options.workspace ?? process.cwd();
  let closed = false;
  const close = async (): Promise<void> => {
    closed = true;
    await app.close();
  };
  const callByName = async (name: string, payload: unknown, call: CallOptions = {}): Promise<ToolResult> => {
    if (closed) return closedResult(name);
    const sessionId = call.sessionId ?? options.sessionId;
    return app.runCall({ ...call, tool: name, payload, cwd, ...(sessionId !== undefined && { sessionId }) }, caller);
  };
  return {
    callByName,
    call: async (name, params, call) => (await callByName(name, params, call)) as ToolResult<ToolOutputs[typeof name]>,
    onEvent: (listener) => app.services.bus.subscribe(listener),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function closedResult(tool: string): ToolResult {
  const error = new ToolError("unavailable", "This runtime is closed", { hint: "Make another with createRuntime()." });
  const meta = { call_id: newId("call"), tool, session_id: "", duration_ms: 0 };
  return {
    success: false,
    text: `${error.code}: ${error.message}`,
    error: { ...resultError(error), retryable: false },
    meta,
  };
}

function lesserRole(first: Access, second: Access): Access {
  const order: readonly Access[] = ["read", "write", "execute"];
  return order.indexOf(first) <= order.indexOf(second) ? first : second;
}
