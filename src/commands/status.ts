import { existsSync, statSync } from "node:fs";
import { VERSION } from "../core/version.ts";
import { repositoryState } from "../runtime/workspace.ts";
import type { CommandContext, SlashCommand } from "./slash-command.ts";

export const statusCommand: SlashCommand = {
  run: async (_prompt, context) => {
    const data = await statusOf(context);
    const lines = Object.entries(data).map(
      ([name, value]) => `${name.replaceAll("_", " ").padEnd(18)} ${shown(value)}`,
    );
    return { text: lines.join("\n"), data };
  },
};

async function statusOf(context: CommandContext): Promise<Record<string, string | number | null>> {
  const { services, workspace, session, caller } = context;
  const { config, store, registry } = services;
  const head = await store.db.selectFrom("audit_head").select("seq").where("id", "=", 1).executeTakeFirst();
  return {
    version: VERSION,
    workspace: workspace.root,
    branch: repositoryState(workspace.root)?.branch ?? null,
    session: session.id,
    working_directory: session.workingDirectory,
    mode: session.mode,
    caller: caller.id,
    role: caller.role,
    tools: registry.all().length,
    home: config.home,
    settings_file: existsSync(config.configPath) ? config.configPath : null,
    store_bytes: statSync(store.path).size,
    calls_on_record: head?.seq ?? 0,
  };
}

function shown(value: string | number | null): string {
  return value === null ? "none" : String(value);
}
