import type { AuditRow } from "../../audit/audit-query.ts";
import { exportAudit, findAudit, listAudit, verifyAudit } from "../../audit/audit-query.ts";
import { ERROR_CODES, ToolError } from "../../core/errors.ts";
import type { ToolRegistry } from "../../registry/tool-registry.ts";
import type { Store } from "../../store/open-store.ts";
import { print, printError, printJson, printLine, table } from "../print.ts";
import { withApp } from "../with-app.ts";

type Options = Readonly<Record<string, unknown>>;

/** `pawl audit VERB`; resolves to the exit status. */
export async function runAudit(verb: string, options: Options): Promise<number> {
  return withApp(async ({ services: { store, registry } }) => {
    switch (verb) {
      case "list":
        return list(store, { ...options, tool: toolName(registry, options.tool) });
      case "show":
        return show(store, options);
      case "verify":
        return verify(store, options);
      case "export":
        return exportAll(store);
      default:
        throw new ToolError("internal", `audit has no verb ${verb}`);
    }
  });
}

/** The name in the log: a tool's own, whatever it was called by; a slash command as it is. */
function toolName(registry: ToolRegistry, asked: unknown): string | undefined {
  if (typeof asked !== "string") return undefined;
  return asked.startsWith("/") ? asked : registry.find(asked).name;
}

async function list(store: Store, options: Options): Promise<number> {
  const limit = Number(options.limit ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) {
    throw new ToolError("invalid_input", `--limit is ${JSON.stringify(options.limit)}`, {
      hint: "Give a whole number from 1 to 10000.",
    });
  }
  const rows = await listAudit(store, {
    limit,
    ...(typeof options.tool === "string" && { tool: options.tool }),
    ...(typeof options.session === "string" && { sessionId: options.session }),
  });
  if (options.json) printJson(rows);
  else
    printLine(
      rows.length === 0
        ? "No such calls are on record."
        : table([["ROW", "WHEN", "TOOL", "OUTCOME", "MS", "CALL"], ...rows.map(lineOf)]),
    );
  return 0;
}

function lineOf({ seq, record }: AuditRow): string[] {
  const outcome = record.error ? `${record.outcome} (${record.error.code})` : record.outcome;
  return [String(seq), record.at, record.tool, outcome, String(record.duration_ms), record.call_id];
}

async function show(store: Store, options: Options): Promise<number> {
  const row = await findAudit(store, String(options.call));
  if (options.json) {
    printJson(row);
    return 0;
  }
  const { record } = row;
  const facts = [
    ["row", String(row.seq)],
    ["call", record.call_id],
    ["when", `${record.at}, ${record.duration_ms} ms`],
    ["who", `${record.caller.id} (${record.caller.kind}, role ${record.caller.role})`],
    ["where", `${record.cwd} (workspace ${record.workspace}, session ${record.session_id})`],
    ["tool", record.tool],
    ["arguments", JSON.stringify(record.arguments)],
    [
      "decision",
      `${record.decision.allowed ? "allowed" : "refused"} by ${record.decision.by}: ${record.decision.reason}`,
    ],
    ["outcome", record.error ? `${record.outcome}: ${record.error.code}: ${record.error.message}` : record.outcome],
    ["hash", row.hash],
  ];
  printLine(`${table(facts)}\n\n${record.result.text}`);
  return 0;
}

async function verify(store: Store, options: Options): Promise<number> {
  const verdict = await verifyAudit(store);
  if (options.json) printJson(verdict);
  else if (verdict.intact) printLine(`The chain of ${verdict.rows} rows is intact.`);
  else printError(`The chain is broken: ${verdict.problem}`);
  return verdict.intact ? 0 : ERROR_CODES.integrity_error.exitStatus;
}

async function exportAll(store: Store): Promise<number> {
  for await (const { seq, hash, record } of exportAudit(store)) {
    if (!print(`${JSON.stringify({ seq, hash, ...record })}\n`)) break;
  }
  return 0;
}
