import { type ChildProcess, spawn } from "node:child_process";
import { monotonicMs } from "../core/monotonic.ts";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type EndedTree, endTree, type EndTreeOptions, type NamedProcess } from "./end-tree.ts";
import { openProcessTable } from "./open-process-table.ts";
import { type CollectedOutput, OutputCollector, type OutputCollectorOptions } from "./output-collector.ts";
import { PipeReader } from "./pipe-reader.ts";
import { createMarker, type ProcessMarker } from "./process-marker.ts";
import { ProcessTree } from "./process-tree.ts";
import { spawnProblem } from "./spawn-problem.ts";

export interface RunProcessOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All that the process gets, besides the variable of its marker. `file` is looked up in its PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Open files of the caller's that the process gets as its descriptors 3, 4 … (POSIX). They stay the caller's to close. */
  readonly descriptors?: readonly number[];
  /** Ends the whole tree when it aborts; its reason tells the caller why. */
  readonly signal: AbortSignal;
  readonly output?: OutputCollectorOptions;
  /**
   * Where stderr goes: into `output` in the order of arrival (default), into `errorOutput`, or nowhere. Two pipes have no
   * exact order: a shell that needs it begins with `exec 2>&1`.
   */
  readonly stderr?: "merge" | "separate" | "ignore";
  /** Called with text as it comes. It must not throw, and is not called again if it does. */
  readonly onOutput?: (text: string) => void;
  /** A marker of the caller's own, whose `markerPrologue` begins the shell script that is run. */
  readonly marker?: ProcessMarker;
  /** How the tree is ended on abort; `settleMs` does not apply there. */
  readonly ending?: EndTreeOptions;
}

export interface RunProcessResult {
  /** Null when a signal ended it, and when it never started or would not end. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The signal of the options aborted before the process ended. */
  readonly aborted: boolean;
  readonly durationMs: number;
  readonly output: CollectedOutput;
  /** Only with `stderr: "separate"`. */
  readonly errorOutput?: CollectedOutput;
  /** What the process started, left running, and we ended. Empty after an abort, which ends everything. */
  readonly leftBehind: readonly NamedProcess[];
  readonly unkillable: readonly NamedProcess[];
  /** Why processes could not be looked for. */
  readonly treeProblem?: string;
}

interface Exit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

// Long enough for a `tee` or a pager behind the shell to write out what it has, short enough not to be felt.
const SETTLE_MS = 150;
const QUIET_MS = 50;
const DRAIN_LIMIT_MS = 2000;
// Between the end of a process that was killed and the moment at which Node tells.
const EXIT_LIMIT_MS = 500;
const NO_EXIT: Exit = { exitCode: null, signal: null };
const IS_POSIX = process.platform !== "win32";

/**
 * Runs a program with an empty stdin and answers when it ends, not when its pipes close. No handle of ours outlives the
 * answer, and no process of its tree but those in `unkillable`. Throws a `ToolError` when it cannot be started:
 * `unavailable` (no such program, not executable, no room for processes), `not_found` (working directory),
 * `limit_exceeded` (arguments too long).
 */
export async function runProcess(options: RunProcessOptions): Promise<RunProcessResult> {
  const started = monotonicMs();
  const collectors = openCollectors(options);
  if (options.signal.aborted) {
    const nothing = { ...NO_EXIT, aborted: true, durationMs: 0, leftBehind: [], unkillable: [] };
    return { ...nothing, ...(await finishAll(collectors)) };
  }
  const marker = options.marker ?? createMarker();
  const table = openProcessTable(marker);
  const child = spawnMarked(options, marker);
  if (child.pid === undefined) throw await spawnFailure(child, options);
  const tree = new ProcessTree({ rootPid: child.pid, table, ownsGroup: IS_POSIX });
  try {
    // The other end, which the tree inherits, is the mark; ours only costs a handle.
    child.stdio[marker.descriptor]?.destroy();
    const readers = readPipes(child, collectors, options);
    const { exit, ended, aborted } = await awaitEnd(child, tree, options);
    await Promise.all(readers.map((reader) => reader.drain({ quietMs: QUIET_MS, limitMs: DRAIN_LIMIT_MS })));
    return {
      ...exit,
      aborted,
      durationMs: monotonicMs() - started,
      leftBehind: aborted ? [] : ended.ended,
      unkillable: ended.unkillable,
      ...(ended.problem !== undefined && { treeProblem: ended.problem }),
      ...(await finishAll(collectors)),
    };
  } catch (error) {
    // A fault of ours must not leave the tree running.
    tree.stopWatching();
    await endTree(tree);
    await finishAll(collectors);
    throw error;
  }
}

interface Collectors {
  readonly output: OutputCollector;
  readonly errorOutput?: OutputCollector;
}

function openCollectors(options: RunProcessOptions): Collectors {
  const output = new OutputCollector(options.output);
  if (options.stderr !== "separate") return { output };
  const { maxCharacters } = options.output ?? {};
  return { output, errorOutput: new OutputCollector(maxCharacters === undefined ? {} : { maxCharacters }) };
}

async function finishAll(collectors: Collectors): Promise<Pick<RunProcessResult, "output" | "errorOutput">> {
  const output = await collectors.output.finish();
  return collectors.errorOutput ? { output, errorOutput: await collectors.errorOutput.finish() } : { output };
}

function spawnMarked(options: RunProcessOptions, marker: ProcessMarker): ChildProcess {
  const stdio: ("ignore" | "pipe" | number)[] = ["ignore", "pipe", options.stderr === "ignore" ? "ignore" : "pipe"];
  stdio.push(...(options.descriptors ?? []));
  // Numbers between are not opened in the child.
  if (IS_POSIX) stdio.push(...Array<"ignore">(marker.descriptor - stdio.length).fill("ignore"), "pipe");
  try {
    return spawn(options.file, options.args, {
      cwd: options.cwd,
      env: { ...options.env, [marker.variable]: "1" },
      stdio,
      detached: IS_POSIX,
      windowsHide: true,
    });
  } catch (error) {
    throw spawnProblem(error, options);
  }
}

async function spawnFailure(child: ChildProcess, options: RunProcessOptions): Promise<unknown> {
  const [error] = await once(child, "error");
  for (const stream of child.stdio) stream?.destroy();
  return spawnProblem(error, options);
}

function readPipes(child: ChildProcess, collectors: Collectors, options: RunProcessOptions): readonly PipeReader[] {
  const { onOutput } = options;
  const readers: PipeReader[] = [];
  if (child.stdout) readers.push(new PipeReader(child.stdout, { collector: collectors.output, onOutput }));
  if (child.stderr) {
    const collector = collectors.errorOutput ?? collectors.output;
    readers.push(new PipeReader(child.stderr, { collector, onOutput }));
  }
  return readers;
}

interface End {
  readonly exit: Exit;
  readonly ended: EndedTree;
  readonly aborted: boolean;
}

async function awaitEnd(child: ChildProcess, tree: ProcessTree, options: RunProcessOptions): Promise<End> {
  const exited = Promise.withResolvers<Exit>();
  child.once("exit", (exitCode, signal) => exited.resolve({ exitCode, signal }));
  const aborted = Promise.withResolvers<"aborted">();
  const onAbort = (): void => aborted.resolve("aborted");
  options.signal.addEventListener("abort", onAbort, { once: true });
  tree.watch();
  const first = await Promise.race([exited.promise, aborted.promise]);
  options.signal.removeEventListener("abort", onAbort);
  tree.stopWatching();
  if (first !== "aborted") {
    const ended = await endTree(tree, { settleMs: SETTLE_MS, ...options.ending });
    return { exit: first, ended, aborted: false };
  }
  const ended = await endTree(tree, { ...options.ending, settleMs: 0 });
  const timer = new AbortController();
  const givenUp = delay(EXIT_LIMIT_MS, NO_EXIT, { signal: timer.signal }).catch(() => NO_EXIT);
  const exit = await Promise.race([exited.promise, givenUp]);
  timer.abort();
  child.unref();
  return { exit, ended, aborted: true };
}
