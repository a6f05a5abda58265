import type { Migration } from "kysely/migration";
import { up as sessionsAndAudit } from "./0001-sessions-and-audit.ts";

/** Every migration by name, in order. A released one never changes; a new one is appended. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-sessions-and-audit": { up: sessionsAndAudit },
};
