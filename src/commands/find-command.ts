import { ToolError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import type { CommandRow } from "./slash-command.ts";

/** By name or alias, with or without the slash. Throws `unknown_command` with the nearest names. */
export function findCommand(commands: readonly CommandRow[], name: string): CommandRow {
  const plain = name.replace(/^\//, "").toLowerCase();
  const found = commands.find((command) => command.name === plain || command.aliases.includes(plain));
  if (found) return found;
  const names = commands.flatMap((command) => [command.name, ...command.aliases]);
  const hint = [didYouMean(plain, names), "`pawl commands` lists them all."].filter(Boolean).join(" ");
  throw new ToolError("unknown_command", `No command is named ${JSON.stringify(name.slice(0, 100))}`, { hint });
}
