// Everything that can be heard on the bus. Names of the first five are REQ-062-075's.
import type { ErrorCode } from "../core/errors.ts";

interface CallFacts {
  readonly callId: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly correlationId: string;
  readonly callerId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface ToolStarted extends CallFacts {
  readonly type: "tool.executed";
  readonly phase: "started";
}

export interface ToolCompleted extends CallFacts {
  readonly type: "tool.executed";
  readonly phase: "completed";
  readonly success: boolean;
  readonly durationMs: number;
}

export interface ToolFailed extends CallFacts {
  readonly type: "tool.error";
  readonly code: ErrorCode;
  readonly message: string;
  readonly durationMs: number;
  /** The stack of an internal fault; for logs only. */
  readonly detail?: string;
}

/** Output of a running call, as it comes; not kept. */
export interface ToolProgress extends CallFacts {
  readonly type: "tool.progress";
  readonly text: string;
}

export interface SessionCreated {
  readonly type: "session.created";
  readonly sessionId: string;
  readonly workspace: string;
  readonly at: number;
}

export interface SessionChanged {
  readonly type: "session.changed";
  readonly sessionId: string;
  readonly change: "directory" | "mode" | "cleared";
  readonly at: number;
}

export type PawlEvent = ToolStarted | ToolCompleted | ToolFailed | ToolProgress | SessionCreated | SessionChanged;
