// One run of ripgrep, read as it comes. ripgrep starts no processes of its own, so ending it ends all.
import { type ChildProcessByStdio, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { Config } from "../../config/config-schema.ts";
import { isSystemError, ToolError } from "../../core/errors.ts";
import { findBinary } from "../../process/find-binary.ts";
import { findRipgrep } from "../../process/find-ripgrep.ts";
import { spawnProblem } from "../../process/spawn-problem.ts";

export interface RipgrepOptions {
  readonly config: Config;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The descriptor of a file that it reads as its standard input. */
  readonly input?: number | undefined;
  readonly signal: AbortSignal;
  /** Takes the chunk over; ripgrep waits meanwhile. */
  readonly onChunk: (chunk: Buffer) => void;
}

export interface RipgrepRun {
  /** 0: found, 1: nothing found, 2: something went wrong; null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signalName: NodeJS.Signals | null;
  readonly isAborted: boolean;
  /** The beginning of what it complained about. */
  readonly messages: string;
}

const MOST_MESSAGE_BYTES = 65_536;

/** Throws `unavailable` when there is no ripgrep, and what its start can fail with. */
export async function runRipgrep(options: RipgrepOptions): Promise<RipgrepRun> {
  const { signal, args, cwd, config, input } = options;
  const file = await locate(config);
  if (signal.aborted) return { exitCode: null, signalName: null, isAborted: true, messages: "" };
  const child = start({ file, args, cwd, input }, config);
  const stop = (): void => void child.kill("SIGKILL");
  const failed = once(child, "error").then(([error]: unknown[]) => error);
  if (child.pid === undefined) throw spawnProblem(await failed, { file, args, cwd });
  const closed = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  signal.addEventListener("abort", stop, { once: true });
  try {
    const [messages] = await Promise.all([readMessages(child.stderr), readAll(child.stdout, options)]);
    const [exitCode, signalName] = await closed;
    return { exitCode, signalName, isAborted: signal.aborted, messages };
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

async function locate(config: Config): Promise<string> {
  const { PATH = "", PATHEXT } = config.environment;
  const onPath = (name: string): string | undefined =>
    findBinary(name, { path: PATH, ...(PATHEXT !== undefined && { pathExt: PATHEXT }) });
  const file = await findRipgrep(onPath);
  if (file !== undefined) return file;
  throw new ToolError("unavailable", "ripgrep (rg) was not found: neither with Pawl nor on PATH", {
    hint: "Install it (apt-get install ripgrep, brew install ripgrep, winget install BurntSushi.ripgrep.MSVC), or reinstall Pawl with its optional dependencies.",
  });
}

interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input: number | undefined;
}

type RipgrepProcess = ChildProcessByStdio<null, Readable, Readable>;

function start({ file, args, cwd, input }: Start, config: Config): RipgrepProcess {
  const { RIPGREP_CONFIG_PATH: _, ...environment } = config.environment;
  try {
    const env = { ...environment };
    const stdio: StdioOptions = [input ?? "ignore", "pipe", "pipe"];
    return spawn(file, args, { cwd, env, stdio, windowsHide: true }) as RipgrepProcess;
  } catch (error) {
    throw spawnProblem(error, { file, args, cwd });
  }
}

async function readAll(stream: Readable, { onChunk, signal }: RipgrepOptions): Promise<void> {
  try {
    for await (const chunk of stream) {
      if (signal.aborted) return;
      onChunk(chunk as Buffer);
    }
  } catch (error) {
    // A pipe that breaks when ripgrep is ended is no fault.
    if (!(signal.aborted && isSystemError(error))) throw error;
  }
}

async function readMessages(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    if (length < MOST_MESSAGE_BYTES) chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
  }
  return Buffer.concat(chunks).toString("utf8");
}
