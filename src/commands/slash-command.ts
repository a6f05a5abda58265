// What a slash command is. It presents and settles; work on files and processes is a tool's.
import type { CallServices } from "../runtime/call-types.ts";
import type { SessionContext } from "../runtime/session-context.ts";
import type { Workspace } from "../runtime/workspace.ts";
import type { Caller } from "../tools/base-tool.ts";

export interface CommandContext {
  readonly services: CallServices;
  readonly caller: Caller;
  readonly workspace: Workspace;
  readonly session: SessionContext;
  readonly signal: AbortSignal;
  /** All there are, for the help. */
  readonly commands: readonly CommandRow[];
}

export interface CommandOutput {
  readonly text: string;
  readonly data: unknown;
}

export interface SlashCommand {
  /** Throws a `ToolError` for a prompt that it does not understand. */
  run(prompt: string, context: CommandContext): Promise<CommandOutput>;
}

/** A row of the list of commands; the command itself is loaded on use. */
export interface CommandRow {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<SlashCommand>;
}
