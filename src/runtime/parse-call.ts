// Text becomes a payload, a name becomes a tool.
import { ToolError } from "../core/errors.ts";
import type { BaseTool } from "../tools/base-tool.ts";
import type { CallRequest, CallServices, ParsedCall } from "./call-types.ts";

/** Bytes of a payload. */
export const MAX_PAYLOAD_BYTES = 10 * 1024 * 1024;
/** An object or a list, also with keys without quotes or with wrong ones, and one in a Markdown fence. */
const ALMOST_JSON = /^(?:\{\s*(?:["'}]|[A-Za-z_-]\w*\s*:)|\[\s*["'[{\d\]]|```)/;
/** Levels of lists and objects inside each other. */
const MAX_DEPTH = 100;

/** Throws `invalid_input` or `limit_exceeded`. */
export async function parseCall(
  services: CallServices,
  request: CallRequest,
  identity: Pick<ParsedCall, "callId" | "caller" | "row">,
): Promise<ParsedCall> {
  const tool = await services.registry.load(identity.row);
  return { ...identity, request, tool, payload: parsePayload(tool, request.payload) };
}

/**
 * JSON as it is; plain text becomes the tool's principal parameter, or `input` where it has none; nothing is `{}`.
 * What looks like a JSON object but is broken is an error: it is never run as text.
 */
export function parsePayload(tool: BaseTool, payload: unknown): Record<string, unknown> {
  if (typeof payload !== "string") return checkedObject(tool, payload);
  const size = Buffer.byteLength(payload);
  if (size > MAX_PAYLOAD_BYTES) {
    throw new ToolError("limit_exceeded", `The payload has ${size} bytes; the limit is ${MAX_PAYLOAD_BYTES}`, {
      hint: "Send it in parts.",
    });
  }
  const text = payload.trim();
  if (text === "") return {};
  const parsed = parseJson(text);
  if (parsed.ok && typeof parsed.value === "object" && parsed.value !== null) return checkedObject(tool, parsed.value);
  if (!parsed.ok && ALMOST_JSON.test(text)) {
    throw new ToolError("invalid_input", `The payload is not valid JSON: ${parsed.why}`, {
      hint: "Mend the JSON, or send plain text.",
    });
  }
  const plain = parsed.ok && typeof parsed.value === "string" ? parsed.value : payload;
  return { [tool.principalParameter ?? "input"]: plain };
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false; why: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message.slice(0, 200) : "unreadable" };
  }
}

function checkedObject(tool: BaseTool, value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new ToolError(
      "invalid_input",
      `${tool.name} takes a JSON object, not ${Array.isArray(value) ? "a list" : typeof value}`,
      {
        hint: `\`pawl show-tool ${tool.name}\` lists the parameters.`,
      },
    );
  }
  if (hasLoneSurrogate(value)) {
    throw new ToolError("invalid_input", "The payload holds half a character (a lone surrogate)", {
      hint: "Send whole Unicode characters.",
    });
  }
  if (deeperThan(value, MAX_DEPTH)) {
    throw new ToolError("limit_exceeded", `The payload nests deeper than ${MAX_DEPTH} levels`, { hint: "Flatten it." });
  }
  return value as Record<string, unknown>;
}

/** Without recursion: the value may be made to break the stack, or lead back to itself. */
function deeperThan(value: object, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** What no file name and no program could be told. Looks as deep as a payload may be. */
function hasLoneSurrogate(value: object): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0 && depth <= MAX_DEPTH; depth++) {
    if (level.some((item) => typeof item === "string" && !item.isWellFormed())) return true;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return false;
}
