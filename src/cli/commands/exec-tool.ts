import { ERROR_CODES, fromSystemError, ToolError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { asToolError, resultError, type ToolResult } from "../../core/result.ts";
import type { CallRequest } from "../../runtime/call-types.ts";
import { MAX_PAYLOAD_BYTES } from "../../runtime/parse-call.ts";
import { printError, printJson, printLine } from "../print.ts";
import { localUser, withApp } from "../with-app.ts";

export interface CallOptions {
  readonly json?: boolean;
  readonly session?: string;
  readonly cwd?: string;
  readonly approve?: boolean;
  /** Seconds, as typed. */
  readonly timeout?: string;
}

/** `pawl exec-tool`; resolves to the exit status. */
export async function execTool(name: string, payload: string, options: CallOptions): Promise<number> {
  const timeoutMs = timeoutOf(options.timeout);
  const text = payload === "-" ? await readInput() : payload;
  const ending = new AbortController();
  const end = (): void => ending.abort();
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  process.on("SIGHUP", end);
  try {
    return await withApp(async (app) => {
      const request: CallRequest = {
        tool: name,
        payload: text,
        cwd: options.cwd ?? process.cwd(),
        signal: ending.signal,
        ...(options.session !== undefined && { sessionId: options.session }),
        ...(options.approve && { approve: true }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      };
      return show(await app.runCall(request, localUser(app)), options.json === true);
    });
  } catch (error) {
    const failure = asToolError(fromSystemError(error, "Something that Pawl needs"));
    return show(failedBefore(name, failure), options.json === true);
  } finally {
    process.off("SIGINT", end);
    process.off("SIGTERM", end);
    process.off("SIGHUP", end);
  }
}

/** The result of a call that could not even be opened: the settings or the store are at fault. */
function failedBefore(tool: string, error: ToolError): ToolResult {
  const text = [`${error.code}: ${error.message}`, error.hint].filter(Boolean).join("\n");
  const meta = { call_id: newId("call"), tool, session_id: "", duration_ms: 0 };
  return { success: false, text, error: resultError(error), meta };
}

/** Prints a result; returns its exit status. */
export function show(result: ToolResult, json: boolean): number {
  if (json) printJson(result);
  else if (result.success) printLine(result.text);
  else printError(result.text);
  return result.error ? ERROR_CODES[result.error.code].exitStatus : 0;
}

function timeoutOf(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  const value = Number(seconds);
  if (Number.isFinite(value) && value > 0) return Math.ceil(value * 1_000);
  throw new ToolError("invalid_input", `--timeout is ${JSON.stringify(seconds)}`, {
    hint: "Give a number of seconds above 0.",
  });
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // One byte more than allowed is enough for the pipeline to refuse it.
    if (size > MAX_PAYLOAD_BYTES) break;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    // Cut off in the middle of a character it is too long anyway, which the pipeline says.
    if (size > MAX_PAYLOAD_BYTES) return Buffer.concat(chunks).toString("latin1");
    throw new ToolError("invalid_input", "Standard input is not UTF-8", { hint: "Convert it first.", cause: error });
  }
}
