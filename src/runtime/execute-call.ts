// Runs an authorized call: deadline, cancel, output limit, progress. The only caller of `tool.execute`.
import { join } from "node:path";
import { makeDirectory } from "../core/make-directory.ts";
import { fromSystemError, ToolError } from "../core/errors.ts";
import { asToolError, type ToolOutput } from "../core/result.ts";
import { limitOutput, removeOldSpills } from "../process/spill-output.ts";
import type { ToolContext } from "../tools/base-tool.ts";
import { outputDirectory, type AuthorizedCall } from "./authorize-call.ts";
import type { CallServices } from "./call-types.ts";
import { repositoryState } from "./workspace.ts";

/** Milliseconds that a tool gets to end what it started, once its signal has fired. */
const GRACE_MS = 15_000;

/** Runs the tool and limits what it says. Throws a `ToolError`, also for a fault of the tool's own. */
export async function executeCall(services: CallServices, call: AuthorizedCall): Promise<ToolOutput<unknown>> {
  const ending = new AbortController();
  const stop = watchForEnd(call, ending);
  try {
    const context = contextOf(services, call, ending.signal);
    const output = await untilEnded(() => call.tool.execute(call.params, context), ending.signal);
    return await limited(services, call, output);
  } catch (error) {
    throw await limitedError(services, call, endReason(error, ending.signal));
  } finally {
    stop();
  }
}

function watchForEnd(call: AuthorizedCall, ending: AbortController): () => void {
  const outer = call.request.signal;
  const cancel = (): void => ending.abort(new ToolError("cancelled", "The caller cancelled the call"));
  const seconds = call.timeoutMs / 1_000;
  const expire = (): void =>
    ending.abort(
      new ToolError("timeout", `${call.row.name} was ended after ${seconds} s, its time limit`, {
        hint: `A call may ask for up to ${call.row.governance.ceilingSeconds} s.`,
      }),
    );
  const timer = setTimeout(expire, call.timeoutMs);
  if (outer?.aborted) cancel();
  outer?.addEventListener("abort", cancel, { once: true });
  return () => {
    clearTimeout(timer);
    outer?.removeEventListener("abort", cancel);
  };
}

/** The tool's own end, or, when it does not heed its signal, the end of its grace. */
async function untilEnded(run: () => Promise<ToolOutput<unknown>>, signal: AbortSignal): Promise<ToolOutput<unknown>> {
  signal.throwIfAborted();
  const given = Promise.withResolvers<never>();
  let grace: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    grace = setTimeout(() => given.reject(signal.reason), GRACE_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([run(), given.promise]);
  } finally {
    clearTimeout(grace);
    signal.removeEventListener("abort", onAbort);
  }
}

/** What a tool throws because its signal fired is told as what fired it. */
function endReason(error: unknown, signal: AbortSignal): ToolError {
  if (error instanceof ToolError) return error;
  if (signal.aborted && signal.reason instanceof ToolError) return signal.reason;
  return asToolError(fromSystemError(error, "Something that the tool needs"));
}

function contextOf(services: CallServices, call: AuthorizedCall, signal: AbortSignal): ToolContext {
  const { config, bus, clock } = services;
  const directory = outputDirectory(config.home);
  const facts = factsOf(call);
  return {
    callId: call.callId,
    correlationId: facts.correlationId,
    session: call.session,
    caller: call.caller,
    workspaceRoot: call.workspace.root,
    workingDirectory: call.session.workingDirectory,
    repository: () => repositoryState(call.workspace.root),
    agentAssignment: call.row.agent,
    signal,
    timeoutMs: call.timeoutMs,
    progress: (text) => bus.publish({ type: "tool.progress", ...facts, at: clock.now(), text }),
    authorizedPath: (path) => {
      const allowed = call.paths.get(path);
      if (allowed) return allowed;
      throw new ToolError("denied", `${path} was not named before the call was authorized`);
    },
    mayTouch: (path, access) => call.pathPolicy.allows(path, access),
    output: {
      maxCharacters: config.output.max_characters,
      maxSpillBytes: config.output.max_spill_bytes,
      spillPath: () => {
        makeDirectory(directory);
        removeOldSpills(directory, clock.now() - config.output.keep_days * 86_400_000);
        return join(directory, `${call.callId}.txt`);
      },
    },
  };
}

/** The facts that every event of this call carries. */
export function factsOf(call: AuthorizedCall): {
  callId: string;
  tool: string;
  sessionId: string;
  correlationId: string;
  callerId: string;
} {
  return {
    callId: call.callId,
    tool: call.row.name,
    sessionId: call.session.id,
    correlationId: call.request.correlationId ?? call.callId,
    callerId: call.caller.id,
  };
}

async function limited(
  services: CallServices,
  call: AuthorizedCall,
  output: ToolOutput<unknown>,
): Promise<ToolOutput<unknown>> {
  if (output.truncated || output.text.length <= services.config.output.max_characters) return output;
  const { text, spillPath } = await limitOutput(output.text, contextOf(services, call, AbortSignal.abort()).output);
  return { ...output, text, truncated: true, ...(spillPath && { spillPath }) };
}

async function limitedError(services: CallServices, call: AuthorizedCall, error: ToolError): Promise<ToolError> {
  const { partial } = error;
  if (!partial?.text || partial.truncated || partial.text.length <= services.config.output.max_characters) return error;
  const { text, spillPath } = await limitOutput(partial.text, contextOf(services, call, AbortSignal.abort()).output);
  return new ToolError(error.code, error.message, {
    hint: error.hint,
    cause: error.cause,
    partial: { ...partial, text, truncated: true, ...(spillPath && { spillPath }) },
  });
}
