import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testApp, type TestApp } from "../../../test/support/test-app.ts";
import type { ToolResult } from "../../core/result.ts";
import { swapInLoop } from "../../../test/support/swap-in-loop.ts";
import { CatastropheGuard } from "../../governance/command-guard.ts";
import { interpretExit } from "./exit-meaning.ts";
import { joinArguments } from "./quote-word.ts";

async function bash(command: string, more: Record<string, unknown> = {}, pawl?: TestApp): Promise<ToolResult> {
  return (pawl ?? (await testApp())).call("Bash", { command, ...more });
}

function alive(pid: number): boolean {
  try {
    // A process that is gone but not yet collected has no command line.
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

describe("BashTool answers with", () => {
  it("the output and nothing else when all went well", async () => {
    expect(await bash("echo hello")).toMatchObject({
      success: true,
      text: "hello",
      data: { stdout: "hello\n", exit_code: 0, signal: null, exit_meaning: null, interrupted: false, left_behind: [] },
    });
  });

  it("both streams in the order written", async () => {
    const loop = "for i in $(seq 1 200); do echo out$i; echo err$i >&2; done";
    const lines = Array.from({ length: 200 }, (_, n) => `out${n + 1}\nerr${n + 1}`).join("\n");
    expect((await bash(loop)).text).toBe(lines);
  });

  it("the exit code of a failure", async () => {
    expect(await bash("echo before; exit 7")).toMatchObject({
      success: false,
      text: "before\n[exit code 7]\ncommand_failed: The command ended with exit code 7",
      data: { exit_code: 7 },
      error: { code: "command_failed" },
    });
  });

  it("the signal that ended the command", async () => {
    expect(await bash("kill -SEGV $$")).toMatchObject({
      success: false,
      data: { exit_code: null, signal: "SIGSEGV" },
      error: { code: "command_failed" },
    });
  });

  it("a word about a program that is not there", async () => {
    expect((await bash("no-such-program-here")).error?.hint).toContain("not found");
  });

  it("a word when there was no output", async () => {
    expect((await bash("true")).text).toBe("[no output, exit code 0]");
  });

  it.each([
    ["grep absent f.txt", "no line matched"],
    ["cat f.txt | grep absent", "no line matched"],
    ["LANG=C /bin/grep absent f.txt", "no line matched"],
    ["diff f.txt g.txt", "the inputs differ"],
    ["cmp -s f.txt g.txt", "the inputs differ"],
    ["[ 1 = 2 ]", "the condition is false"],
    ["test -e nothing", "the condition is false"],
    ["[[ a == b ]]", "the condition is false"],
    ["true && grep absent f.txt", "no line matched"],
  ])("success and the meaning of exit code 1 after %j", async (command, meaning) => {
    const pawl = await testApp();
    pawl.file("f.txt", "one\n");
    pawl.file("g.txt", "two\n");
    const result = await bash(command, {}, pawl);
    expect(result).toMatchObject({ success: true, data: { exit_code: 1, exit_meaning: meaning } });
    expect(result.text).toContain(`exit code 1: ${meaning}, not a failure]`);
  });

  it.each([
    "set -e; grep absent f.txt; echo never",
    "cd missing && grep absent f.txt",
    "grep absent f.txt; false",
    "exit 1",
    "bash -c 'exit 1'",
    "grep x missing-file",
    "(exit 1)",
  ])("failure for %j, whatever stands beside it", async (command) => {
    const pawl = await testApp();
    pawl.file("f.txt", "one\n");
    expect((await bash(command, {}, pawl)).success).toBe(false);
  });

  it("line numbers of the caller's own text", async () => {
    expect((await bash("true\nif; then")).text).toMatch(/line 2: syntax error/);
    expect((await bash("nope-nope")).text).toMatch(/line 1: nope-nope: command not found/);
  });

  it("characters that arrive in pieces, whole", async () => {
    const script = String.raw`python3 -c "import os,time;os.write(1,b'pay \xe2');time.sleep(.1);os.write(1,b'\x82\xac now')"`;
    expect((await bash(script)).text).toBe("pay € now");
  });
});

describe("BashTool passes on", () => {
  it.each([
    ["quotes and dollars", `printf '%s' 'a "b" $HOME \`x\` \\'`, 'a "b" $HOME `x` \\'],
    ["an exclamation mark", "echo 'a! b' \"!x\"", "a! b !x"],
    ["a heredoc", "cat <<'EOF'\nrm -rf / is $(text)\nEOF", "rm -rf / is $(text)"],
    ["many lines", "a=1\nb=2\necho $((a+b))", "3"],
    ["a function", "f() { echo in-$1; }; f x", "in-x"],
    ["no positional parameters", 'echo "$#"', "0"],
  ])("%s as it is", async (_name, command, shown) => {
    expect((await bash(command)).text).toBe(shown);
  });

  it("a script too long for an argument", async () => {
    const command = `${"# a long comment\n".repeat(20_000)}echo at the end $LINENO`;
    expect((await bash(command)).text).toBe("at the end 20001");
  });

  it("an empty standard input", async () => {
    expect((await bash("cat; echo eof-ok")).text).toBe("eof-ok");
  });

  it("the environment, without prompts and pagers, and its own BASH_ENV to nobody", async () => {
    const pawl = await testApp({ environment: { MARKER: "seen" } });
    const { text } = await bash(
      "echo $MARKER $PAGER $GIT_TERMINAL_PROMPT [$BASH_ENV]; bash -c 'echo inner [$BASH_ENV]'",
      {},
      pawl,
    );
    expect(text).toBe("seen cat 0 []\ninner []");
  });

  it("the caller's own BASH_ENV", async () => {
    const pawl = await testApp();
    const file = pawl.file("env.sh", "FROM_ENV=yes\n");
    const other = await testApp({ environment: { BASH_ENV: file } });
    expect((await bash("echo $FROM_ENV $BASH_ENV", {}, other)).text).toBe(`yes ${file}`);
  });

  it("a list of arguments, each as it is", async () => {
    const pawl = await testApp();
    expect((await pawl.call("Bash", { command: ["printf", "%s|", "a b", "$HOME", "it's"] })).text).toBe(
      "a b|$HOME|it's|",
    );
    expect((await pawl.call("Bash", { command: ["echo", 5] })).error?.code).toBe("invalid_input");
    expect(joinArguments(["bash", "-lc", "ls"])).toBe("bash -lc ls");
  });
});

describe("BashTool ends", () => {
  it("what was left in the background, and names it", async () => {
    const started = performance.now();
    const result = await bash("sleep 29.1 & echo $! started");
    expect(performance.now() - started).toBeLessThan(10_000);
    const pid = Number(result.text.split(" ")[0]);
    expect(result).toMatchObject({ success: true, data: { left_behind: [{ pid, command: "sleep 29.1" }] } });
    expect(result.text).toContain(`Left running and ended: ${pid} sleep 29.1`);
    expect(alive(pid)).toBe(false);
  });

  it.each([
    ["a child that left the session", "setsid sleep 29.2 >/dev/null 2>&1 & echo $!; sleep 29.3"],
    ["a child that ignores SIGTERM", "bash -c 'trap \"\" TERM; echo $$; sleep 29.4; sleep 29.5' & wait"],
    ["a child of a child that is gone", "(setsid bash -c 'echo $$; exec sleep 29.6' &) ; sleep 29.7"],
    ["a child with an empty environment", "env -i setsid bash -c 'echo $$; exec sleep 29.8' & sleep 29.9"],
  ])("%s, at the timeout, and keeps what was printed", async (_name, command) => {
    const result = await bash(command, { timeout: 600 });
    expect(result).toMatchObject({ success: false, error: { code: "timeout" }, data: { interrupted: true } });
    const pid = Number(result.text.split("\n")[0]);
    expect(pid).toBeGreaterThan(1);
    expect(alive(pid)).toBe(false);
    expect(result.text).toContain("timeout is 600 milliseconds");
  });

  it("everything when the caller cancels", async () => {
    const pawl = await testApp();
    const ending = new AbortController();
    pawl.app.services.bus.subscribe((event) => {
      if (event.type === "tool.progress" && event.text.includes("ready")) ending.abort();
    });
    const result = await pawl.call("Bash", { command: "echo $$ ready; sleep 28.1" }, { signal: ending.signal });
    expect(result).toMatchObject({
      success: false,
      error: { code: "cancelled" },
      data: { stdout: expect.stringContaining("ready") },
    });
    expect(alive(Number(result.text.split(" ")[0]))).toBe(false);
  });

  it("and leaves no file of the run behind", async () => {
    const pawl = await testApp();
    await bash("exit 3", {}, pawl);
    await bash("sleep 20", { timeout: 50 }, pawl);
    expect(readdirSync(join(pawl.home, "run"))).toEqual([]);
  });
});

describe("BashTool starts", () => {
  it("where the last call's cd led, by its real name", async () => {
    const pawl = await testApp();
    mkdirSync(join(pawl.workspace, "real dir"));
    symlinkSync("real dir", join(pawl.workspace, "link"));
    expect(await bash("cd link", {}, pawl)).toMatchObject({
      data: { working_directory: join(pawl.workspace, "real dir") },
    });
    expect((await bash("pwd", {}, pawl)).text).toBe(join(pawl.workspace, "real dir"));
  });

  it("also after a failure, an exit and a function that hides pwd", async () => {
    const pawl = await testApp();
    await bash("mkdir a; cd a; pwd() { echo /lies; }; cd() { :; }; exit 4", {}, pawl);
    expect((await bash("pwd", {}, pawl)).text).toBe(join(pawl.workspace, "a"));
  });

  it("where it ended although the command has traps of its own", async () => {
    const pawl = await testApp();
    await bash("mkdir t; cd t; trap 'echo debug' DEBUG; trap 'echo err' ERR; false; true", {}, pawl);
    expect((await bash("pwd", {}, pawl)).text).toBe(join(pawl.workspace, "t"));
  });

  it("in the workspace again when the cd led out of it, and says so", async () => {
    const pawl = await testApp();
    const first = await bash("cd /usr && pwd", {}, pawl);
    expect(first.text).toContain("/usr is outside the workspace");
    expect((await bash("pwd", {}, pawl)).text).toBe(pawl.workspace);
  });

  it("in the workspace when its directory was deleted, and says so", async () => {
    const pawl = await testApp();
    await bash("mkdir gone && cd gone", {}, pawl);
    await bash("rm -rf ../gone", {}, pawl);
    const { text } = await bash("pwd", {}, pawl);
    expect(text).toBe(
      `${pawl.workspace}\n[${join(pawl.workspace, "gone")} is gone; this call started in ${pawl.workspace}]`,
    );
  });

  it("not where a link now leads that took the directory's place", async () => {
    const pawl = await testApp();
    await bash("mkdir d && cd d", {}, pawl);
    await bash("cd .. && rmdir d && ln -s /usr d", { cwd: pawl.workspace }, pawl);
    expect((await bash("pwd", {}, pawl)).text).toContain(pawl.workspace);
    expect((await bash("pwd", {}, pawl)).text).not.toMatch(/^\/usr/);
  });

  it("in the directory that this call names, for this call only", async () => {
    const pawl = await testApp();
    mkdirSync(join(pawl.workspace, "sub"));
    expect((await pawl.call("Bash", { command: "pwd; cd ..", workdir: "sub" })).text).toBe(join(pawl.workspace, "sub"));
    expect((await bash("pwd", {}, pawl)).text).toBe(pawl.workspace);
    expect((await bash("pwd", { cwd: "/usr" }, pawl)).error?.code).toBe("denied");
    expect((await bash("pwd", { cwd: "missing" }, pawl)).error?.code).toBe("not_found");
  });

  it("never outside, when the directory is swapped for a link in a loop (REQ-062-123)", async () => {
    const pawl = await testApp();
    mkdirSync(join(pawl.workspace, "sw"));
    mkdirSync(join(pawl.workspace, "../outside"));
    symlinkSync("../outside", join(pawl.workspace, "link"));
    using _swapping = await swapInLoop(join(pawl.workspace, "sw"), join(pawl.workspace, "link"));
    for (let round = 0; round < 25; round++) {
      // What the kernel says: `pwd -P` resolves the name anew.
      const result = await bash("readlink /proc/$$/cwd", { cwd: "sw" }, pawl);
      expect(result.text).not.toMatch(/^\/.*outside$/m);
    }
  });

  it("anew after restart", async () => {
    const pawl = await testApp();
    await bash("mkdir r && cd r", {}, pawl);
    expect((await pawl.call("Bash", { restart: true })).text).toContain(pawl.workspace);
    expect((await pawl.call("Bash", { restart: true, command: "pwd" })).error?.code).toBe("invalid_input");
    expect((await bash("pwd", {}, pawl)).text).toBe(pawl.workspace);
  });
});

describe("BashTool keeps long output", () => {
  it("in a file, shows both ends, and stays small", async () => {
    const result = await bash("seq 1 400000; echo THE-END");
    expect(result.text.length).toBeLessThan(31_000);
    expect(result.text).toMatch(/^1\n2\n/);
    expect(result.text).toMatch(/THE-END$/);
    expect(result.meta.truncated).toBe(true);
    expect(statSync(result.meta.spill_path ?? "").size).toBe(2_688_895 + 8);
  });
});

describe("BashTool refuses (REQ-062-122)", () => {
  it.each([
    "rm -rf /",
    "env rm -rf /",
    "sh -c 'rm -rf /'",
    "x=/; rm -rf $x",
    "echo $(rm -rf /)",
    "true\nrm -rf ~",
    "cd / && rm -rf *",
    ":(){ :|:& };:",
  ])("%j, and nothing of it runs", async (command) => {
    const pawl = await testApp();
    const result = await bash(`touch ran; ${command}`, {}, pawl);
    expect(result.error?.code).toBe("denied");
    expect(existsSync(join(pawl.workspace, "ran"))).toBe(false);
  });

  it.each(["echo 'rm -rf /'", "# rm -rf /\necho fine", "rm -rf ./build"])("not %j", async (command) => {
    expect((await bash(command)).success).toBe(true);
  });

  it.each([
    ["nothing", {}, "invalid_input"],
    ["an empty command", { command: "" }, "invalid_input"],
    ["a blank command", { command: "  \n " }, "invalid_input"],
    ["a timeout of 0", { command: "true", timeout: 0 }, "invalid_input"],
    ["the background", { command: "true", run_in_background: true }, "invalid_input"],
    ["a command of a million characters", { command: "x".repeat(1_000_001) }, "invalid_input"],
  ])("%s", async (_name, payload, code) => {
    const pawl = await testApp();
    expect((await pawl.call("Bash", payload)).error?.code).toBe(code);
  });

  it("a NUL byte in the command", async () => {
    expect((await bash("true\nr\0m -rf /")).error?.code).toBe("invalid_input");
    expect(
      await new CatastropheGuard().judge("r\0m -rf /", { cwd: "/w", home: "/h", workspaceRoot: "/w", environment: {} }),
    ).toContain("NUL");
  });
});

describe("BashTool needs bash", () => {
  it("and takes the one that the settings name", async () => {
    const pawl = await testApp();
    const shell = pawl.file("my-shell", '#!/bin/sh\necho "mine: $(cat "$1")"\n');
    chmodSync(shell, 0o755);
    const other = await testApp({ environment: { PAWL_SHELL: shell } });
    expect((await bash("echo hi", {}, other)).text).toBe("mine: echo hi");
  });

  it("and says how to get it when it is not there", async () => {
    const pawl = await testApp({ environment: { PAWL_SHELL: "/nonexistent/bash" } });
    expect((await bash("true", {}, pawl)).error).toMatchObject({ code: "unavailable" });
  });

  it("and a home that can be written", async () => {
    const pawl = await testApp();
    writeFileSync(join(pawl.home, "run"), "in the way");
    expect((await bash("true", {}, pawl)).error?.code).toMatch(/io_error|not_found|invalid_input/);
  });
});

describe("the meaning of an exit code", () => {
  it.each([
    [0, "grep x", undefined],
    [2, "grep x", undefined],
    [1, undefined, undefined],
    [1, "git diff --exit-code", "the inputs differ"],
    [1, "git status", undefined],
    [1, "A=1 B=2 rg x", "no line matched"],
    [null, "grep", undefined],
  ])("%j after %j is %j", (code, command, meaning) => {
    expect(interpretExit(code, command)).toBe(meaning);
  });
});
