import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openProcessTable } from "./open-process-table.ts";
import { createMarker, markerPrologue } from "./process-marker.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";
import { ProcessTree } from "./process-tree.ts";
import { runProcess, type RunProcessResult } from "./run-process.ts";

const PATH = process.env["PATH"] ?? "/usr/bin:/bin";

let folder = "";
const started: ChildProcess[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-process-tree-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function run(file: string, args: readonly string[], marker = createMarker()): Promise<RunProcessResult> {
  const signal = AbortSignal.timeout(30_000);
  return runProcess({ file, args, cwd: folder, env: { PATH }, signal, marker, ending: { settleMs: 0, graceMs: 200 } });
}

function shell(script: string): Promise<RunProcessResult> {
  const marker = createMarker();
  return run("bash", ["-c", `${markerPrologue(marker)}${script}`], marker);
}

/** The process that wrote its id to the output was named and is gone. */
function expectEnded(result: RunProcessResult): void {
  const pids = result.output.text.trim().split(/\s+/).map(Number);
  expect(pids.length).toBeGreaterThan(0);
  expect(result.leftBehind.map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids));
  expect(pids.filter(isAlive)).toEqual([]);
  expect(result.unkillable).toEqual([]);
}

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

function commands(): string[] {
  const pids = readdirSync("/proc").filter((name) => isAlive(Number(name)));
  return pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1");
    } catch {
      return "";
    }
  });
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error("the condition did not come true");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function start(file: string, args: readonly string[], env: Record<string, string> = { PATH }): number {
  const child = spawn(file, args, { cwd: folder, env, stdio: "ignore", detached: true });
  started.push(child);
  return child.pid ?? 0;
}

describe("ends what a command leaves behind", () => {
  it("in the background, with nohup and disown", async () => {
    expectEnded(await shell("nohup sleep 600 >/dev/null 2>&1 & echo $!; sleep 600 & disown; echo $!"));
  });

  it("in a session of its own", async () => {
    const script = `setsid bash -c 'echo $$ > own; exec sleep 600' & until [ -s own ]; do sleep 0.01; done; cat own`;
    expectEnded(await shell(script));
  });

  it("in a session of its own with an empty environment and closed descriptors", async () => {
    const escaped = `env -i setsid /bin/bash -c 'echo $$ > pid; exec 0<&- 1>&- 2>&- 97>&-; exec /bin/sleep 600'`;
    expectEnded(await shell(`rm -f pid; (${escaped} &) ; until [ -s pid ]; do sleep 0.01; done; cat pid`));
  });

  it("after a double fork", async () => {
    const fork = `import os,time
r,w=os.pipe()
if os.fork()==0:
  os.setsid()
  if os.fork()==0:
    os.write(w,str(os.getpid()).encode()); os.close(1); os.close(2); time.sleep(600)
  os._exit(0)
print(os.read(r,20).decode())`;
    expectEnded(await run("python3", ["-c", fork]));
  });

  it("by a Python that hides it in every way, when the shell carries the limit", async () => {
    const hide = `import subprocess
print(subprocess.Popen(["sleep","600"],env={},start_new_session=True,close_fds=True,stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL).pid)`;
    writeFileSync(join(folder, "hide.py"), hide);
    expectEnded(await shell("(python3 hide.py)"));
  });

  it("without a shell, known by the descriptor when the environment is gone", async () => {
    const hide = `import os,subprocess
print(subprocess.Popen(["sleep","600"],env={},start_new_session=True,close_fds=False,stdout=subprocess.DEVNULL).pid)`;
    expectEnded(await run("python3", ["-c", hide]));
  });

  it("without a shell, known by the environment when the descriptors are closed", async () => {
    const hide = `import subprocess
print(subprocess.Popen(["sleep","600"],start_new_session=True,close_fds=True,stdout=subprocess.DEVNULL).pid)`;
    expectEnded(await run("python3", ["-c", hide]));
  });

  it("that ignores SIGTERM and SIGHUP", async () => {
    expectEnded(
      await shell(
        "(trap '' TERM HUP; touch deaf; while :; do sleep 0.05; done) & echo $!; until [ -e deaf ]; do :; done",
      ),
    );
  });

  it("that is stopped", async () => {
    expectEnded(await shell("sleep 600 & kill -STOP $!; echo $!"));
  });

  it("while it multiplies", async () => {
    const storm = `storm() { trap '' TERM; [ $1 -gt 0 ] && { storm $(($1-1)) & storm $(($1-1)) & }; echo $BASHPID >> storm; sleep 600; }
storm 5 & until [ -s storm ]; do sleep 0.01; done`;
    const { unkillable } = await shell(storm);
    expect(unkillable).toEqual([]);
    const pids = readFileSync(join(folder, "storm"), "latin1").trim().split("\n").map(Number);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it("that forks and ends without a pause", async () => {
    const relay = `perl -e '$end = time + 10; while (time < $end) { exit if fork; open(F, ">", "relay"); print F $$; close F }' &`;
    await shell(`${relay} until [ -s relay ]; do :; done`);
    for (let look = 0; look < 50; look++) expect(commands().filter((line) => line.includes(`"relay"`))).toEqual([]);
  });

  it("and nothing that only looks like it", async () => {
    const before = start("sleep", ["601"]);
    const [result, during] = await Promise.all([
      shell('setsid sleep 601 >/dev/null & until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done'),
      Promise.resolve().then(() => start("sleep", ["601"])),
    ]);
    expect(result.leftBehind.map(({ command }) => command)).toEqual(["sleep 601"]);
    expect([isAlive(before), isAlive(during)]).toEqual([true, true]);
  });

  it("and nothing of another command that runs at the same time", async () => {
    const other = shell("sleep 0.4; echo survived");
    expectEnded(await shell("sleep 600 & echo $!"));
    expect((await other).output.text).toBe("survived\n");
  });
});

describe("the tree", () => {
  it("remembers what it saw before it slipped away without a mark", async () => {
    const script = `import subprocess,os,time
child=subprocess.Popen(["sleep","602"],env={},start_new_session=True,close_fds=True)
while not os.path.exists("go"): time.sleep(0.005)`;
    const table = openProcessTable(createMarker());
    const rootPid = start("python3", ["-c", script]);
    const tree = new ProcessTree({ rootPid, table, ownsGroup: true });
    const isSleep = (row: ProcessRow): boolean => table.commandOf(row) === "sleep 602";
    await until(async () => (await tree.find()).some(isSleep));
    tree.watch();
    writeFileSync(join(folder, "go"), "");
    await until(() => !isAlive(rootPid));
    const [left, ...more] = await tree.find();
    tree.stopWatching();
    expect([left && isSleep(left), left?.sessionId, more]).toEqual([true, left?.pid, []]);
    process.kill(left?.pid ?? 0, "SIGKILL");
  });

  it("does not take a process that got a number it knows", async () => {
    const row = { pid: 4_000_001, parentPid: 1, groupId: 9, sessionId: 9, startedAt: "5", isStopped: false };
    const child = { ...row, pid: 4_000_002, parentPid: 4_000_001, groupId: 8, startedAt: "6" };
    const lists = [[row, child], [child], [{ ...child, startedAt: "7" }], [{ ...row, startedAt: "8" }]];
    const table: ProcessTable = {
      adopt: async () => row,
      list: async () => lists.shift() ?? [],
      isMarked: () => false,
      commandOf: () => "",
    };
    const tree = new ProcessTree({ rootPid: row.pid, table, ownsGroup: true });
    const found = [await tree.find(), await tree.find(), await tree.find(), await tree.find()];
    expect(found).toEqual([[row, child], [child], [], []]);
  });
});
