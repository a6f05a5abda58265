import { findCommand } from "./find-command.ts";
import type { SlashCommand } from "./slash-command.ts";

export const helpCommand: SlashCommand = {
  run: async (prompt, { commands }) => {
    const rows = prompt === "" ? commands : [findCommand(commands, prompt)];
    const width = Math.max(...rows.map((row) => row.usage.length));
    const lines = rows.map((row) => `  ${row.usage.padEnd(width)}  ${row.summary}${aliasesOf(row.aliases)}`);
    const text =
      prompt === ""
        ? `Commands:\n${lines.join("\n")}\n\nTools: \`pawl tools\` lists them, \`pawl show-tool NAME\` shows one.`
        : lines.join("\n");
    const data = rows.map(({ name, aliases, usage, summary }) => ({ name, aliases, usage, summary }));
    return { text, data: { commands: data } };
  },
};

function aliasesOf(aliases: readonly string[]): string {
  return aliases.length === 0 ? "" : ` (also ${aliases.join(", ")})`;
}
