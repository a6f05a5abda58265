// What the app hands to the tools that ask for it.
import type { Config } from "../config/config-schema.ts";
import type { Clock } from "../core/clock.ts";

/** Runs `critical` while no other process that shares this PAWL_HOME is inside its own. */
export type WithFileLock = <Value>(critical: () => Promise<Value>) => Promise<Value>;

export interface ToolServices {
  readonly config: Config;
  readonly clock: Clock;
  readonly withFileLock: WithFileLock;
}
