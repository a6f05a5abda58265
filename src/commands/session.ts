import { ToolError } from "../core/errors.ts";
import type { SessionRow } from "../store/session-queries.ts";
import {
  changeSession,
  deleteSession,
  findOrCreateSession,
  findSession,
  listSessions,
} from "../store/session-queries.ts";
import type { CommandContext, CommandOutput, SlashCommand } from "./slash-command.ts";

type Verb = (ids: readonly string[], context: CommandContext) => Promise<CommandOutput>;

const VERBS: Readonly<Record<string, Verb>> = { list, show, exists, fork, delete: remove };

export const sessionCommand: SlashCommand = {
  run: async (prompt, context) => {
    const [verb = "list", ...ids] = prompt.split(/\s+/).filter(Boolean);
    const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (run) return run(ids, context);
    throw new ToolError("invalid_input", `session does not know ${JSON.stringify(verb)}`, {
      hint: `It knows ${Object.keys(VERBS).join(", ")}.`,
    });
  },
};

async function list(_ids: readonly string[], { services, session }: CommandContext): Promise<CommandOutput> {
  const rows = (await listSessions(services.store.db)).map(shown);
  const lines = rows.map(
    (row) =>
      `${row.id === session.id ? "*" : " "} ${row.id.padEnd(24)} ${row.mode.padEnd(8)} ${row.updated_at}  ${row.workspace}`,
  );
  return { text: lines.join("\n"), data: { sessions: rows } };
}

async function show([id]: readonly string[], context: CommandContext): Promise<CommandOutput> {
  const row = shown(await need(id ?? context.session.id, context));
  return {
    text: Object.entries(row)
      .map(([key, value]) => `${key.replaceAll("_", " ").padEnd(12)} ${value ?? "none"}`)
      .join("\n"),
    data: row,
  };
}

async function exists([id]: readonly string[], { services }: CommandContext): Promise<CommandOutput> {
  const found = (await findSession(services.store.db, named(id))) !== undefined;
  return { text: found ? "yes" : "no", data: { exists: found } };
}

/** A new session that starts where another stands. */
async function fork([id, copy]: readonly string[], context: CommandContext): Promise<CommandOutput> {
  const { db } = context.services.store;
  const source = await need(named(id), context);
  const wanted = { id: named(copy), workspace: source.workspace, now: context.services.clock.now() };
  const { created } = await findOrCreateSession(db, wanted);
  if (!created) throw new ToolError("conflict", `The session ${copy} exists already`, { hint: "Choose another name." });
  const { cwd, cwd_origin, mode, plan } = source;
  await changeSession(db, wanted.id, { cwd, cwd_origin, mode, plan, now: wanted.now });
  return { text: `Session ${copy} starts where ${id} stands; use it with --session ${copy}.`, data: { session: copy } };
}

async function remove([id]: readonly string[], { services }: CommandContext): Promise<CommandOutput> {
  const removed = await deleteSession(services.store.db, named(id));
  if (!removed) throw new ToolError("not_found", `No session is named ${id}`, { hint: "`session list` shows them." });
  return { text: `Session ${id} is gone; its calls stay in the audit log.`, data: { session: id } };
}

async function need(id: string, { services }: CommandContext): Promise<SessionRow> {
  const row = await findSession(services.store.db, id);
  if (row) return row;
  throw new ToolError("not_found", `No session is named ${id}`, { hint: "`session list` shows them." });
}

function named(id: string | undefined): string {
  if (id !== undefined && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) return id;
  throw new ToolError(
    "invalid_input",
    id === undefined ? "The session's id is missing" : `${JSON.stringify(id)} is no session id`,
    {
      hint: "An id has up to 64 letters, digits, dots, dashes and underscores.",
    },
  );
}

function shown(
  row: SessionRow,
): Record<"id" | "workspace" | "mode" | "created_at" | "updated_at", string> & { cwd: string | null } {
  const { id, workspace, mode, cwd } = row;
  return {
    id,
    workspace,
    mode,
    cwd,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
