// The payload against the tool's schema; then its paths made absolute, its time limit settled.
import type { ToolMetadata } from "../registry/tool-metadata.ts";
import type { ParsedCall, ValidCall } from "./call-types.ts";
import { expandPath } from "./expand-path.ts";
import type { SessionContext } from "./session-context.ts";
import type { Workspace } from "./workspace.ts";

export interface CallPlace {
  readonly workspace: Workspace;
  readonly session: SessionContext;
  readonly userHome: string;
}

/** Throws `invalid_input`. */
export function validateCall(call: ParsedCall, place: CallPlace): ValidCall {
  const checked = call.tool.validate(call.payload);
  if (!checked.ok) throw checked.error;
  const params: Record<string, unknown> = { ...checked.value.params };
  const base = { workingDirectory: place.session.workingDirectory, userHome: place.userHome };
  for (const name of call.tool.pathParameters) {
    const value = params[name];
    if (typeof value === "string") params[name] = expandPath(value, base);
  }
  const uses = call.tool.uses(params);
  const timeoutMs = timeoutOf(
    call.row,
    call.request.timeoutMs ?? checked.value.timeoutMs ?? call.tool.timeoutMs(params),
  );
  return {
    ...call,
    workspace: place.workspace,
    session: place.session,
    params,
    uses,
    ignored: checked.value.ignored,
    timeoutMs,
  };
}

function timeoutOf(row: ToolMetadata, asked: number | undefined): number {
  const { timeoutSeconds, ceilingSeconds } = row.governance;
  const wanted = asked ?? timeoutSeconds * 1_000;
  return Math.max(1, Math.min(wanted, ceilingSeconds * 1_000));
}
