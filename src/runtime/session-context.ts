// The session that a call belongs to, made durable in the store.
import { realpathSync, statSync } from "node:fs";
import { ToolError } from "../core/errors.ts";
import { sha256Hex } from "../core/sha256.ts";
import type { Clock } from "../core/clock.ts";
import type { EventBus } from "../events/event-bus.ts";
import { isWithin } from "../governance/path-policy.ts";
import type { Store } from "../store/open-store.ts";
import {
  changeSession,
  fileFingerprint,
  findOrCreateSession,
  rememberFile,
  type SessionChange,
  type SessionRow,
} from "../store/session-queries.ts";
import type { ToolSession } from "../tools/base-tool.ts";
import type { Workspace } from "./workspace.ts";

export interface SessionServices {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
}

export interface SessionRequest {
  /** Undefined: the workspace's default session. */
  readonly sessionId: string | undefined;
  readonly workspace: Workspace;
}

/** The session of one call, as it was when the call came. */
export class SessionContext implements ToolSession {
  readonly id: string;
  readonly mode: "default" | "plan";
  /** Where the call starts. */
  readonly workingDirectory: string;
  /** Set when the remembered directory no longer exists. */
  readonly lostDirectory: string | undefined;
  readonly #services: SessionServices;
  readonly #workspace: Workspace;

  constructor(services: SessionServices, row: SessionRow, workspace: Workspace) {
    this.#services = services;
    this.#workspace = workspace;
    this.id = row.id;
    this.mode = row.mode;
    const remembered = rememberedDirectory(row, workspace);
    const usable = remembered !== undefined && isDirectory(remembered);
    this.workingDirectory = usable ? remembered : workspace.start;
    this.lostDirectory = remembered !== undefined && !usable ? remembered : undefined;
  }

  /** Opens the session, and makes it when there is none. Throws `invalid_input` for an id that is no name. */
  static async open(services: SessionServices, request: SessionRequest): Promise<SessionContext> {
    const id = request.sessionId ?? defaultSessionId(request.workspace.root);
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) {
      throw new ToolError("invalid_input", `The session id ${JSON.stringify(id.slice(0, 80))} is not one`, {
        hint: "Use up to 64 letters, digits, dots, dashes and underscores, a letter or digit first.",
      });
    }
    const now = services.clock.now();
    const { row, created } = await findOrCreateSession(services.store.db, {
      id,
      workspace: request.workspace.root,
      now,
    });
    if (created)
      services.bus.publish({ type: "session.created", sessionId: id, workspace: request.workspace.root, at: now });
    return new SessionContext(services, row, request.workspace);
  }

  /** The next call from the same place starts in `directory`. */
  async changeDirectory(directory: string): Promise<void> {
    await this.#change({ cwd: directory, cwd_origin: this.#workspace.start }, "directory");
  }

  async setMode(mode: "default" | "plan", plan?: string): Promise<void> {
    await this.#change({ mode, ...(plan !== undefined && { plan }) }, "mode");
  }

  async lastSeen(canonicalPath: string): Promise<string | undefined> {
    return fileFingerprint(this.#services.store.db, this.id, canonicalPath);
  }

  async remember(canonicalPath: string, fingerprint: string): Promise<void> {
    const now = this.#services.clock.now();
    await rememberFile(this.#services.store.db, { sessionId: this.id, path: canonicalPath, fingerprint, now });
  }

  async #change(change: Omit<SessionChange, "now">, kind: "directory" | "mode"): Promise<void> {
    const now = this.#services.clock.now();
    await changeSession(this.#services.store.db, this.id, { ...change, now });
    this.#services.bus.publish({ type: "session.changed", sessionId: this.id, change: kind, at: now });
  }
}

/** One default session for all calls in a workspace. */
export function defaultSessionId(workspaceRoot: string): string {
  return `ws-${sha256Hex(workspaceRoot).slice(0, 20)}`;
}

/**
 * A `cd` of an earlier call holds for callers that stand where that caller stood. Somebody who has changed directory
 * since has said where to start.
 */
function rememberedDirectory(row: SessionRow, workspace: Workspace): string | undefined {
  if (row.cwd === null || row.cwd_origin !== workspace.start || row.cwd === workspace.start) return undefined;
  return isWithin(workspace.root, row.cwd) ? row.cwd : undefined;
}

/** False also when a link has taken the directory's place. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory() && realpathSync.native(path) === path;
  } catch {
    return false;
  }
}
