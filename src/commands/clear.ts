import { deleteSession } from "../store/session-queries.ts";
import type { SlashCommand } from "./slash-command.ts";

export const clearCommand: SlashCommand = {
  run: async (_prompt, { services, session }) => {
    await deleteSession(services.store.db, session.id);
    services.bus.publish({
      type: "session.changed",
      sessionId: session.id,
      change: "cleared",
      at: services.clock.now(),
    });
    return {
      text: `Session ${session.id} starts anew. What it did stays in the audit log.`,
      data: { session: session.id },
    };
  },
};
