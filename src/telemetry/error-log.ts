// Keeps the stacks of our own faults in a file, under the id of their call; no result shows them.
import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeDirectory } from "../core/make-directory.ts";
import { redactText } from "../core/redact.ts";
import type { EventBus } from "../events/event-bus.ts";

/** Subscribes to the bus; returns the function that ends it. */
export function startErrorLog(bus: EventBus, home: string): () => void {
  const path = errorLogPath(home);
  return bus.subscribe((event) => {
    if (event.type !== "tool.error" || event.detail === undefined) return;
    const line = {
      at: new Date(event.at).toISOString(),
      call_id: event.callId,
      tool: event.tool,
      stack: redactText(event.detail),
    };
    makeDirectory(dirname(path));
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  });
}

export function errorLogPath(home: string): string {
  return join(home, "logs", "errors.jsonl");
}
