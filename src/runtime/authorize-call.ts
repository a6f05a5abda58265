// The one place that decides whether a call may run. Everything that goes wrong in here means no.
import { join } from "node:path";
import { ERROR_CODES, ToolError } from "../core/errors.ts";
import { canonicalPath } from "../governance/canonical-path.ts";
import { PathPolicy } from "../governance/path-policy.ts";
import { roleAllows } from "../governance/roles.ts";
import type { AuthorizedPath } from "../tools/base-tool.ts";
import type { CallServices, ValidCall } from "./call-types.ts";

export interface Decision {
  readonly allowed: boolean;
  /** What decided: `role`, `mode`, `path`, `command`, `approval` or `article`. */
  readonly by: string;
  readonly reason: string;
}

/** Not exported: whatever carries it was made here. */
const authorized = Symbol("authorized");

/** Can only come from `authorizeCall`; `executeCall` takes nothing else. */
export interface AuthorizedCall extends ValidCall {
  readonly [authorized]: true;
  readonly decision: Decision;
  readonly paths: ReadonlyMap<string, AuthorizedPath>;
  readonly pathPolicy: PathPolicy;
}

/** Thrown for a refusal; carries the decision into the record. */
export class Refusal extends ToolError {
  readonly decision: Decision;

  constructor(error: ToolError, by: string) {
    super(error.code, error.message, { hint: error.hint, cause: error.cause });
    this.decision = { allowed: false, by, reason: error.message };
  }
}

/** Order: role, mode, paths and commands, approval, article (SPEC §4). Throws `Refusal`; the first reason is told. */
export async function authorizeCall(services: CallServices, call: ValidCall): Promise<AuthorizedCall> {
  checkRole(call);
  checkMode(call);
  const pathPolicy = pathPolicyOf(services, call);
  const paths = refusing("path", () => authorizePaths(call, pathPolicy));
  await checkCommand(services, call, paths);
  const decision = checkApproval(call);
  return { ...call, [authorized]: true, decision, paths, pathPolicy };
}

function checkRole(call: ValidCall): void {
  const { row, caller } = call;
  if (roleAllows(caller.role, row.access)) return;
  throw refusal(
    "role",
    `${row.name} needs the role ${row.access}; ${caller.id} has ${caller.role}`,
    "Ask somebody who has it.",
  );
}

function checkMode(call: ValidCall): void {
  if (call.session.mode !== "plan" || call.row.access === "read") return;
  throw refusal(
    "mode",
    `${call.row.name} is refused: this session is in plan mode`,
    "Present the plan with ExitPlanModeV2Tool first.",
  );
}

function authorizePaths(call: ValidCall, policy: PathPolicy): Map<string, AuthorizedPath> {
  return new Map(call.uses.paths.map((use) => [use.path, policy.authorize(use.path, use.access)]));
}

async function checkCommand(
  services: CallServices,
  call: ValidCall,
  paths: ReadonlyMap<string, AuthorizedPath>,
): Promise<void> {
  const { command, commandDirectory } = call.uses;
  if (command === undefined) return;
  const named = commandDirectory === undefined ? undefined : paths.get(commandDirectory)?.canonical;
  const { config } = services;
  const reason = await services.commandGuard
    .judge(command, {
      cwd: named ?? commandDirectory ?? call.session.workingDirectory,
      home: config.userHome,
      workspaceRoot: call.workspace.root,
      environment: config.environment,
    })
    .catch((error: unknown) => {
      throw new Refusal(
        new ToolError("denied", "The command could not be judged", { hint: "Write it more simply.", cause: error }),
        "command",
      );
    });
  if (reason !== undefined)
    throw refusal("command", reason, "No approval allows this. A person can run it outside Pawl.");
}

function checkApproval(call: ValidCall): Decision {
  const { article, requiresApproval } = call.row.governance;
  if (!requiresApproval)
    return { allowed: true, by: "article", reason: `article ${article} allows ${call.row.access}` };
  if (call.request.approve)
    return { allowed: true, by: "approval", reason: `approved by ${call.caller.id} on this call` };
  const asked = new ToolError("approval_required", `${call.row.name} needs a person's approval (article ${article})`, {
    hint: "Repeat the call with --approve.",
  });
  throw new Refusal(asked, "approval");
}

function pathPolicyOf(services: CallServices, call: ValidCall): PathPolicy {
  const { config } = services;
  return new PathPolicy(() => ({
    workspaceRoot: call.workspace.root,
    additional: config.workspace.additional_directories.map((path) => canonicalPath(path)),
    readable: [canonicalPath(outputDirectory(config.home))],
    forbidden: [canonicalPath(config.home)],
  }));
}

/** Where the whole of long outputs is kept; FileReadTool may read there. */
export function outputDirectory(home: string): string {
  return join(home, "output");
}

/** Runs a check; what it throws is a refusal, and a fault of its own is a `denied`. */
function refusing<Value>(by: string, check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    if (error instanceof ToolError && ERROR_CODES[error.code].exitStatus !== ERROR_CODES.internal.exitStatus)
      throw new Refusal(error, by);
    throw new Refusal(
      new ToolError("denied", `The ${by} could not be checked`, { hint: "See the log.", cause: error }),
      by,
    );
  }
}

function refusal(by: string, message: string, hint: string): Refusal {
  return new Refusal(new ToolError("denied", message, { hint }), by);
}
