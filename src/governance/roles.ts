import type { Access } from "../tools/base-tool.ts";

const RANK: Readonly<Record<Access, number>> = { read: 0, write: 1, execute: 2 };

/** A role may do what stands at its own level and below: read < write < execute. */
export function roleAllows(role: Access, needed: Access): boolean {
  return RANK[role] >= RANK[needed];
}
