import { getEventListeners } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolError } from "../core/errors.ts";
import { createMarker, markerPrologue } from "./process-marker.ts";
import { runProcess, type RunProcessOptions, type RunProcessResult } from "./run-process.ts";

const PATH = process.env["PATH"] ?? "/usr/bin:/bin";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-run-process-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string, options: Partial<RunProcessOptions> = {}): Promise<RunProcessResult> {
  const marker = createMarker();
  const args = ["-c", `${markerPrologue(marker)}${script}`];
  const signal = AbortSignal.timeout(30_000);
  return runProcess({ file: "bash", args, cwd: folder, env: { PATH }, signal, marker, ...options });
}

async function refusal(options: Partial<RunProcessOptions>): Promise<unknown> {
  const { code, message } = (await run("true", options).catch((error: unknown) => error)) as ToolError;
  return { code, message };
}

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error("the condition did not come true");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("what comes back", () => {
  it("has output, exit code and nothing left behind", async () => {
    const { durationMs, ...result } = await run("echo hello; exit 3");
    expect(result).toEqual({
      exitCode: 3,
      signal: null,
      aborted: false,
      output: { text: "hello\n", truncated: false, totalBytes: 6, totalLines: 1 },
      leftBehind: [],
      unkillable: [],
    });
    expect(durationMs).toBeGreaterThan(0);
  });

  it("names the signal that ended the process", async () => {
    const { exitCode, signal, aborted } = await run("kill -KILL $$");
    expect({ exitCode, signal, aborted }).toEqual({ exitCode: null, signal: "SIGKILL", aborted: false });
  });

  it("gives the process an empty stdin", async () => {
    const { output, exitCode } = await run("cat; read line || echo end");
    expect([output.text, exitCode]).toEqual(["end\n", 0]);
  });

  it("gives the process no variable but those passed in, and the marker", async () => {
    const { output } = await run("", { file: "env", args: [], env: { PATH, ONLY: "this" } });
    expect(output.text.replace(/PAWL_TREE_[0-9a-f]{16}/, "MARKER")).toBe(`PATH=${PATH}\nONLY=this\nMARKER=1\n`);
  });

  it("keeps stdout and stderr in the order written when the shell shares one pipe", async () => {
    const { output } = await run("exec 2>&1; for i in {1..500}; do echo out $i; echo err $i >&2; done");
    const expected = Array.from({ length: 500 }, (_, index) => `out ${index + 1}\nerr ${index + 1}\n`).join("");
    expect(output.text).toBe(expected);
  });

  it("merges two pipes, keeps them apart, or leaves stderr out, as asked", async () => {
    const script = "echo out; echo err >&2";
    const merged = await run(script);
    expect(merged.output.text.split("\n").sort()).toEqual(["", "err", "out"]);
    const separate = await run(script, { stderr: "separate", output: { maxCharacters: 100 } });
    expect([separate.output.text, separate.errorOutput?.text]).toEqual(["out\n", "err\n"]);
    const ignored = await run(script, { stderr: "ignore" });
    expect([ignored.output.text, ignored.errorOutput]).toEqual(["out\n", undefined]);
  });

  it("decodes characters that are written byte by byte on two pipes", async () => {
    const pieces: string[] = [];
    const script = String.raw`for i in 1 2 3 4 5; do printf '\xf0\x9f'; printf '\xe2' >&2; sleep 0.01; printf '\x92\x96'; printf '\x82\xac' >&2; done`;
    const { output } = await run(script, { onOutput: (text) => pieces.push(text) });
    expect(Array.from(output.text).sort().join("")).toBe("€€€€€💖💖💖💖💖");
    expect(pieces.join("")).toBe(output.text);
    expect(pieces.length).toBeGreaterThan(2);
  });

  it("goes on when the listener throws, and leaves it alone from then on", async () => {
    const pieces: string[] = [];
    const onOutput = (text: string): void => {
      pieces.push(text);
      throw new Error("listener");
    };
    const { output } = await run("echo one; sleep 0.05; echo two", { onOutput });
    expect([output.text, pieces]).toEqual(["one\ntwo\n", ["one\n"]]);
  });

  it("waits for the process when it has closed its output", async () => {
    const { exitCode, output } = await run("echo before; exec >&- 2>&-; sleep 0.1; touch closed; exit 4");
    expect([exitCode, output.text, existsSync(join(folder, "closed"))]).toEqual([4, "before\n", true]);
  });

  it("shows a long output in part and keeps the whole in a private file", async () => {
    const spillPath = join(folder, "spill");
    const { output } = await run("seq 1 100000", { output: { maxCharacters: 1000, spillPath: () => spillPath } });
    expect({ ...output, text: "" }).toEqual({
      text: "",
      truncated: true,
      totalBytes: 588_895,
      totalLines: 100_000,
      spillPath,
    });
    expect(output.text).toMatch(/^1\n2\n[^]*left out: 99,\d+ lines[^]*FileReadTool[^]*\n99999\n100000\n$/);
    expect(statSync(spillPath).mode & 0o777).toBe(0o600);
    expect(readFileSync(spillPath, "latin1").split("\n").length).toBe(100_001);
  });

  it("takes 300 MB in constant memory", { timeout: 60_000 }, async () => {
    const before = process.memoryUsage.rss();
    let highest = before;
    const watching = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 10);
    const script = "head -c 300000000 /dev/zero | tr '\\0' 'x' | fold -w 99";
    const spillPath = join(folder, "large");
    const { output } = await run(script, { output: { spillPath: () => spillPath } });
    clearInterval(watching);
    expect(output.totalBytes).toBeGreaterThan(300_000_000);
    expect(output.text.length).toBeLessThan(30_300);
    expect(statSync(spillPath).size).toBe(output.totalBytes);
    expect((highest - before) / 1e6).toBeLessThan(120);
    rmSync(spillPath);
  });
});

describe("when it ends", () => {
  it("answers when the process ends, although a child holds the pipe, and ends the child", async () => {
    const { output, leftBehind, durationMs } = await run("sleep 600 & echo $!");
    const pid = Number(output.text);
    expect(leftBehind).toEqual([{ pid, command: "sleep 600" }]);
    expect(durationMs).toBeLessThan(5000);
    expect(isAlive(pid)).toBe(false);
  });

  it("lets a filter behind the shell finish", async () => {
    const { output, leftBehind } = await run("exec > >(sleep 0.03; tee copy); echo through");
    expect([output.text, leftBehind]).toEqual(["through\n", []]);
    expect(readFileSync(join(folder, "copy"), "utf8")).toBe("through\n");
  });

  it("keeps what was written when it is aborted, and ends the whole tree", async () => {
    const stop = new AbortController();
    const onOutput = (): void => stop.abort("enough");
    const script = "exec 2>&1; (sleep 600 & echo $BASHPID $!; wait) & wait";
    const result = await run(script, { signal: stop.signal, onOutput });
    const { exitCode, signal, aborted, leftBehind, unkillable } = result;
    expect({ exitCode, signal, aborted, leftBehind, unkillable }).toEqual({
      exitCode: null,
      signal: "SIGTERM",
      aborted: true,
      leftBehind: [],
      unkillable: [],
    });
    expect(result.output.text.trim().split(" ").map(Number).map(isAlive)).toEqual([false, false]);
  });

  it("kills what does not listen to SIGTERM, after the grace period", async () => {
    const stop = new AbortController();
    const script = "trap '' TERM; echo ready; while :; do sleep 0.02; done";
    const ending = { graceMs: 60 };
    const result = await run(script, { signal: stop.signal, onOutput: () => stop.abort(), ending });
    expect([result.signal, result.aborted, result.output.text]).toEqual(["SIGKILL", true, "ready\n"]);
    expect(result.durationMs).toBeGreaterThan(55);
  });

  it("lets a process clean up within the grace period and reports its exit code", async () => {
    const stop = new AbortController();
    const script = "trap 'echo cleaned; exit 9' TERM; echo ready; while :; do sleep 0.02; done";
    const { exitCode, aborted, output } = await run(script, {
      signal: stop.signal,
      onOutput: () => stop.abort(),
      // A busy machine may need long for what takes a moment.
      ending: { graceMs: 20_000 },
    });
    // bash may say of its `sleep` that it was terminated; on the other pipe, so before or after.
    expect([exitCode, aborted, output.text.split("\n").includes("cleaned")]).toEqual([9, true, true]);
  });

  it("starts nothing when it is aborted before", async () => {
    const { aborted, exitCode, output } = await run("touch started", { signal: AbortSignal.abort("early") });
    expect([aborted, exitCode, output.text, existsSync(join(folder, "started"))]).toEqual([true, null, "", false]);
  });

  it("ends the tree also when something of ours fails", async () => {
    const broken = {
      aborted: false,
      addEventListener: () => {
        throw new Error("ours");
      },
    };
    const script = `echo $$ > ours; sleep 600`;
    await expect(run(script, { signal: broken as unknown as AbortSignal })).rejects.toThrow("ours");
    const pid = Number(existsSync(join(folder, "ours")) ? readFileSync(join(folder, "ours"), "latin1") : 0);
    expect(pid === 0 || !isAlive(pid)).toBe(true);
  });

  it("leaves no listener, timer, pipe or process handle", async () => {
    const stop = new AbortController();
    await run("true");
    const kinds = (): string[] =>
      process.getActiveResourcesInfo().filter((kind) => /Process|Timeout|Pipe|FSReq/.test(kind));
    const before = kinds().length;
    await run("sleep 600 & seq 1 50000; echo >&2", { signal: stop.signal });
    await until(() => kinds().length <= before);
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });
});

describe("what cannot be started", () => {
  it("is unavailable when there is no such program", async () => {
    expect(await refusal({ file: "no-such-program" })).toEqual({
      code: "unavailable",
      message: "The program no-such-program was not found (ENOENT)",
    });
  });

  it("is unavailable when the program is not executable", async () => {
    const file = join(folder, "plain.txt");
    writeFileSync(file, "text", { mode: 0o644 });
    const message = `The program ${file} cannot be executed by this user (EACCES)`;
    expect(await refusal({ file })).toEqual({ code: "unavailable", message });
  });

  it("is not found when the working directory is missing or a file", async () => {
    const cwd = join(folder, "missing");
    const missing = `The working directory ${cwd} does not exist (ENOENT)`;
    expect(await refusal({ cwd })).toEqual({ code: "not_found", message: missing });
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    const wrong = `The working directory ${file} is not a directory`;
    expect(await refusal({ cwd: file })).toEqual({ code: "not_found", message: wrong });
  });

  it("exceeds a limit when the arguments are too long", async () => {
    expect(await refusal({ args: ["x".repeat(5_000_000)] })).toEqual({
      code: "limit_exceeded",
      message: "The arguments of bash are too long: 5,000,001 bytes besides the environment (E2BIG)",
    });
  });

  it("is invalid with a NUL character", async () => {
    expect(await refusal({ args: ["a\0b"] })).toMatchObject({ code: "invalid_input" });
  });
});
