import { readFileSync } from "node:fs";
import { configFileSchema } from "../config/config-schema.ts";
import { parseConfig } from "../config/load-config.ts";
import { flattenSettings, parseSetting, withSetting } from "../config/setting-path.ts";
import { replaceFile } from "../core/replace-file.ts";
import { isSystemError, ToolError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import type { CommandContext, SlashCommand } from "./slash-command.ts";

export const configCommand: SlashCommand = {
  run: async (prompt, context) => {
    const words = prompt === "" ? [] : prompt.split(/\s+/);
    const assignments = words.filter((word) => word.includes("="));
    if (assignments.length === 0) return show(words, context);
    if (assignments.length !== words.length) {
      throw new ToolError("invalid_input", "The prompt mixes keys with assignments", {
        hint: "Write KEY, or KEY=VALUE, separated by blanks.",
      });
    }
    return context.services.lock.withLock(() => change(assignments, context));
  },
};

function show(keys: readonly string[], { services }: CommandContext): { text: string; data: unknown } {
  const { config } = services;
  const { role, shell, output, store, workspace } = config;
  const settings = flattenSettings({ role, shell: shell ?? null, output, store, workspace });
  for (const key of keys) checkKey(key, Object.keys(settings));
  const chosen = keys.length === 0 ? settings : Object.fromEntries(keys.map((key) => [key, settings[key]]));
  const lines = Object.entries(chosen).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return {
    text: `${lines.join("\n")}\n\nFile: ${config.configPath}`,
    data: { settings: chosen, file: config.configPath },
  };
}

/** Reads the file anew, changes it, checks the whole and replaces the file: what does not parse is never saved over. */
async function change(
  assignments: readonly string[],
  { services }: CommandContext,
): Promise<{ text: string; data: unknown }> {
  const { configPath } = services.config;
  const text = readIfThere(configPath);
  parseConfig(text, configPath, configFileSchema);
  const known = Object.keys(flattenSettings({ ...configFileSchema.parse({}), shell: null }));
  let file = (text === undefined ? {} : JSON.parse(text)) as Record<string, unknown>;
  for (const assignment of assignments) {
    const { key, value } = parseSetting(assignment);
    checkKey(key, known);
    file = withSetting(file, key, value);
  }
  const next = `${JSON.stringify(file, null, 2)}\n`;
  parseConfig(next, configPath, configFileSchema);
  await replaceFile(configPath, next);
  return { text: `Saved in ${configPath}: ${assignments.join(" ")}`, data: { saved: assignments, file: configPath } };
}

function checkKey(key: string, known: readonly string[]): void {
  if (known.includes(key)) return;
  const hint = [didYouMean(key, known), `The keys are ${known.join(", ")}.`].filter(Boolean).join(" ");
  throw new ToolError("invalid_input", `No setting is named ${JSON.stringify(key)}`, { hint });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw error;
  }
}
