// The only place that wires things together.
import { AuditLog } from "../audit/audit-log.ts";
import type { Config } from "../config/config-schema.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import type { ToolResult } from "../core/result.ts";
import { EventBus } from "../events/event-bus.ts";
import { CatastropheGuard } from "../governance/command-guard.ts";
import { endOrphans } from "../process/end-orphans.ts";
import { ALL_TOOLS } from "../registry/catalog/all-tools.ts";
import type { ToolMetadata } from "../registry/tool-metadata.ts";
import { ToolRegistry } from "../registry/tool-registry.ts";
import type { CallRequest, CallServices } from "../runtime/call-types.ts";
import { runCall } from "../runtime/run-call.ts";
import { FileLock } from "../store/file-lock.ts";
import { openStore } from "../store/open-store.ts";
import { startErrorLog } from "../telemetry/error-log.ts";
import type { Caller } from "../tools/base-tool.ts";

export interface AppOptions {
  readonly config: Config;
  readonly clock?: Clock;
  /** The catalog by default; tests bring tools of their own. */
  readonly tools?: readonly ToolMetadata[];
}

/** A running Pawl. Its owner calls `close`, which waits for nothing but the store. */
export interface App {
  readonly services: CallServices;
  runCall(request: CallRequest, caller: Caller): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Opens the store and puts what earlier processes left unfinished on record. Throws what `openStore` throws. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, clock = systemClock } = options;
  const bus = new EventBus();
  const lock = new FileLock(config.home);
  const registry = new ToolRegistry(
    { config, clock, withFileLock: (critical) => lock.withLock(critical) },
    options.tools ?? ALL_TOOLS,
  );
  const store = await openStore({ home: config.home, synchronous: config.store.synchronous });
  const audit = new AuditLog(store);
  const services: CallServices = {
    config,
    clock,
    bus,
    store,
    audit,
    registry,
    commandGuard: new CatastropheGuard(),
    lock,
  };
  const stopLog = startErrorLog(bus, config.home);
  const close = async (): Promise<void> => {
    stopLog();
    lock.close();
    await store.close();
  };
  try {
    await audit.recover(endOrphans);
  } catch (error) {
    await close();
    throw error;
  }
  return { services, runCall: (request, caller) => runCall(services, request, caller), close };
}
