import { createApp, type App } from "../app/create-app.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Caller } from "../tools/base-tool.ts";

/** Opens the app, does the work, closes it whatever happens. */
export async function withApp<Value>(work: (app: App) => Promise<Value>): Promise<Value> {
  const app = await createApp({ config: await loadConfig() });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** The person at the command line, with the role that the settings give. */
export function localUser(app: App): Caller {
  const { userName, role } = app.services.config;
  return { id: `user:${userName}`, kind: "local_user", role };
}
