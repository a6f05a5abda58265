// A call gains facts as it moves: request → parsed → valid → authorized.
import type { AuditLog } from "../audit/audit-log.ts";
import type { Clock } from "../core/clock.ts";
import type { Config } from "../config/config-schema.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { ToolMetadata } from "../registry/tool-metadata.ts";
import type { ToolRegistry } from "../registry/tool-registry.ts";
import type { CommandGuard } from "../governance/command-guard.ts";
import type { FileLock } from "../store/file-lock.ts";
import type { Store } from "../store/open-store.ts";
import type { BaseTool, CallUses, Caller } from "../tools/base-tool.ts";
import type { SessionContext } from "./session-context.ts";
import type { Workspace } from "./workspace.ts";

export interface CallServices {
  readonly config: Config;
  readonly clock: Clock;
  readonly bus: EventBus;
  readonly store: Store;
  readonly audit: AuditLog;
  readonly registry: ToolRegistry;
  readonly commandGuard: CommandGuard;
  readonly lock: FileLock;
}

export interface CallRequest {
  readonly tool: string;
  /** An object, or text: JSON, plain text, or nothing. */
  readonly payload: unknown;
  /** The directory that the caller stands in. */
  readonly cwd: string;
  readonly sessionId?: string;
  /** Milliseconds; lowers the tool's own timeout, or raises it up to its ceiling. */
  readonly timeoutMs?: number;
  /** The person's own word for what would be asked. */
  readonly approve?: boolean;
  /** Ties calls of one piece of work together; the call's own id by default. */
  readonly correlationId?: string;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
}

export interface ParsedCall {
  readonly callId: string;
  readonly request: CallRequest;
  readonly caller: Caller;
  readonly row: ToolMetadata;
  readonly tool: BaseTool;
  readonly payload: Record<string, unknown>;
}

export interface ValidCall extends ParsedCall {
  readonly workspace: Workspace;
  readonly session: SessionContext;
  readonly params: Record<string, unknown>;
  readonly uses: CallUses;
  readonly ignored: readonly string[];
  readonly timeoutMs: number;
}
