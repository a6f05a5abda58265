// What every tool is, and what it is given. Capability stands here; permission stands in registry/ and governance/.
import { z } from "zod";
import type { Result, ToolOutput } from "../core/result.ts";
import type { ToolError } from "../core/errors.ts";
import { normalizeInput } from "./normalize-input.ts";
import { describeIssues } from "./describe-issues.ts";

// A schema is used once or twice in the life of a command: compiling a parser for it would cost more than it saves.
z.config({ jitless: true });

export type Access = "read" | "write" | "execute";

export interface ToolExample {
  readonly title: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Files that the example needs in its workspace: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** A part of the text that the call answers with. */
  readonly shows: string;
}

/** Who calls: every audit row and every decision names it. */
export interface Caller {
  readonly id: string;
  readonly kind: "local_user" | "library" | "mcp_client" | "agent";
  readonly role: Access;
  readonly onBehalfOf?: string;
}

/** A path that a call wants to touch, absolute, as the caller wrote it. */
export interface PathUse {
  readonly parameter: string;
  readonly path: string;
  readonly access: "read" | "write";
}

/** What a call would touch, said by the tool before anything is decided. */
export interface CallUses {
  readonly paths: readonly PathUse[];
  /** A shell command line that would be run. */
  readonly command?: string;
  /** Where it would run, when not in the session's working directory; absolute. */
  readonly commandDirectory?: string;
}

/** A path that the policy has allowed. */
export interface AuthorizedPath {
  /** Absolute, without symbolic links: the one to open. */
  readonly canonical: string;
  /** Relative to the workspace where it lies inside: the one to show. */
  readonly display: string;
}

export interface RepositoryState {
  readonly root: string;
  /** Undefined when the head is detached. */
  readonly branch?: string;
}

/** The session of the call; changes bind the calls after this one. */
export interface ToolSession {
  readonly id: string;
  readonly mode: "default" | "plan";
  /** The directory that an earlier call ended in, when it is no longer there. */
  readonly lostDirectory: string | undefined;
  changeDirectory(directory: string): Promise<void>;
  setMode(mode: "default" | "plan", plan?: string): Promise<void>;
  /** What this session last saw of a file, or undefined. */
  lastSeen(canonicalPath: string): Promise<string | undefined>;
  remember(canonicalPath: string, fingerprint: string): Promise<void>;
}

export interface ToolContext {
  readonly callId: string;
  readonly correlationId: string;
  readonly session: ToolSession;
  readonly caller: Caller;
  /** Absolute, canonical. */
  readonly workspaceRoot: string;
  /** Where this call starts. */
  readonly workingDirectory: string;
  readonly repository: () => RepositoryState | undefined;
  /** The agent that this tool is assigned to, such as `U:Cd`. */
  readonly agentAssignment: string;
  /** Aborts at the deadline and on cancel; its reason is a `ToolError` with the code `timeout` or `cancelled`. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Output for whoever watches, as it comes. */
  readonly progress: (text: string) => void;
  /** The allowed form of a path that `uses` named; throws `denied` for any other. */
  readonly authorizedPath: (path: string) => AuthorizedPath;
  /** Whether the path policy would let this call touch a path it has come upon. */
  readonly mayTouch: (path: string, access: "read" | "write") => boolean;
  readonly output: {
    readonly maxCharacters: number;
    readonly maxSpillBytes: number;
    /** Where the whole of a long output goes; the folder exists. */
    readonly spillPath: () => string;
  };
}

export abstract class BaseTool<Input extends z.ZodObject = z.ZodObject, Data = unknown> {
  /** The name for life, such as `FileReadTool`. */
  abstract readonly name: string;
  /** For a model: when to use it, what comes back. */
  abstract readonly description: string;
  /** Strict; every field described, units in the description. */
  abstract readonly input: Input;
  /** Best as `z.lazy`: a call itself has no use for it. */
  abstract readonly output: z.ZodType<Data>;
  readonly examples: readonly ToolExample[] = [];

  /** Other spellings of a parameter → the parameter. */
  readonly synonyms: Readonly<Record<string, string>> = {};
  /** The parameter that a plain-text payload fills. */
  readonly principalParameter: string | undefined = undefined;
  /** Parameters that hold a path; made absolute before `uses` and `execute` see them. */
  readonly pathParameters: readonly string[] = [];
  /** Parameters for which the empty string is data, not absence. */
  readonly emptyIsData: readonly string[] = [];
  /** Parameters of other clients that mean nothing here; left unread, and reported. */
  readonly ignoredParameters: readonly string[] = [];

  /** Shape rules of this tool (units, dialects), after synonyms and before the schema. May throw `invalid_input`. */
  reshape(payload: Record<string, unknown>): Record<string, unknown> {
    return payload;
  }

  /** What the call would touch. A pure function of its parameters. */
  abstract uses(params: z.output<Input>): CallUses;

  /** Milliseconds that this call asks for; undefined: the tool's default. */
  timeoutMs(_params: z.output<Input>): number | undefined {
    return undefined;
  }

  abstract execute(params: z.output<Input>, context: ToolContext): Promise<ToolOutput<Data>>;

  /** Checks a payload against the schema; the error names the field, the value and what is accepted. */
  validate(payload: unknown): Result<ValidInput<z.output<Input>>, ToolError> {
    const normalized = normalizeInput(this, payload);
    if (!normalized.ok) return normalized;
    const { values, ignored, timeoutMs } = normalized.value;
    const parsed = this.input.safeParse(values);
    if (!parsed.success) return { ok: false, error: describeIssues(this, parsed.error.issues, values) };
    return { ok: true, value: { params: parsed.data, ignored, ...(timeoutMs !== undefined && { timeoutMs }) } };
  }
}

export interface ValidInput<Params> {
  readonly params: Params;
  /** Harmless parameters that the tool has no use for. */
  readonly ignored: readonly string[];
  /** `timeout_ms` or `timeout_seconds` of the payload, for a tool that has no parameter for it. */
  readonly timeoutMs?: number;
}
