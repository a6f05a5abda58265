// The tables, as kysely sees them. Times are milliseconds since the epoch; JSON is text.
import type { Generated } from "kysely";

export interface SessionTable {
  id: string;
  workspace: string;
  created_at: number;
  updated_at: number;
  /** Where the next call starts, when it comes from `cwd_origin`; null: where its caller stands. */
  cwd: string | null;
  cwd_origin: string | null;
  mode: "default" | "plan";
  /** The last plan that was presented, when there was one. */
  plan: string | null;
}

/** What a session last saw of a file: enough to notice a change by someone else. */
export interface SessionFileTable {
  session_id: string;
  path: string;
  seen_at: number;
  /** `dev:ino:size:mtimeNs`. */
  fingerprint: string;
}

export interface AuditTable {
  seq: number;
  /** Canonical JSON of the record; the hash covers exactly these characters. */
  body: string;
  hash: string;
  call_id: Generated<string>;
  tool: Generated<string>;
  session_id: Generated<string>;
}

/** One row: the end of the chain, so that a cut-off tail is noticed. */
export interface AuditHeadTable {
  id: number;
  seq: number;
  hash: string;
}

/** A call that may change something, from before it runs until its audit row is written. */
export interface OpenCallTable {
  call_id: string;
  /** `pid:start` of the process that runs it, on this host. */
  owner: string;
  /** The audit record as far as it is known beforehand, as JSON. */
  body: string;
}

export interface Schema {
  session: SessionTable;
  session_file: SessionFileTable;
  audit: AuditTable;
  audit_head: AuditHeadTable;
  open_call: OpenCallTable;
}
