import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { testFolders } from "../support/test-app.ts";

function folders(): { cwd: string; home: string } {
  const { workspace, home } = testFolders();
  return { cwd: workspace, home };
}

describe("pawl exec-tool", () => {
  it("prints what the command printed, and nothing else (S-001)", async () => {
    const run = await runCli(["exec-tool", "BashTool", '{"command":"echo hello"}'], folders());
    expect(run).toEqual({ status: 0, signal: null, stdout: "hello\n", stderr: "" });
  });

  it("reads the payload from standard input", async () => {
    const run = await runCli(["exec-tool", "Bash", "-", "--json"], {
      ...folders(),
      input: '{"command":"echo from-stdin"}',
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ success: true, text: "from-stdin" });
  });

  it("refuses more than 10 MB of standard input without reading on", async () => {
    const run = await runCli(["exec-tool", "Bash", "-", "--json"], {
      ...folders(),
      input: "x".repeat(11 * 1024 * 1024),
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ success: false, error: { code: "limit_exceeded" } });
    expect(run.status).toBe(1);
  });

  it.each([
    ["invalid input", ["exec-tool", "Bash", '{"comand":"x"}'], 2],
    ["an unknown tool", ["exec-tool", "Nope", ""], 2],
    ["a denied call", ["exec-tool", "Bash", "rm -rf /"], 3],
    ["a failed command", ["exec-tool", "Bash", "exit 7"], 1],
    ["a timeout", ["exec-tool", "Bash", "sleep 30", "--timeout", "0.2"], 4],
    ["an unknown command", ["nope"], 2],
    ["an unknown option", ["exec-tool", "Bash", "true", "--jsno"], 2],
    ["a timeout that is no number", ["exec-tool", "Bash", "true", "--timeout", "soon"], 2],
    ["help", ["--help"], 0],
    ["help of a command", ["exec-tool", "--help"], 0],
    ["the version", ["--version"], 0],
    ["the version as a word", ["version"], 0],
    ["help of a family", ["audit", "--help"], 0],
    ["help by its word", ["help", "exec-tool"], 0],
    ["almost JSON", ["exec-tool", "Bash", "{command: ls; touch x}"], 2],
    ["half a character", ["exec-tool", "Bash", '{"command":"echo \\ud800"}'], 2],
    [
      "a number where text belongs that JSON cannot hold",
      ["exec-tool", "Write", '{"file_path":"n","content":12345678901234567890}'],
      2,
    ],
  ])("exits for %s with the status that the error table says", async (_name, words, status) => {
    const run = await runCli(words, folders());
    expect(run.status).toBe(status);
    expect(run.stderr).not.toMatch(/^\s+at /m);
  });

  it("ends what it started when it is interrupted, and says cancelled", async () => {
    const place = folders();
    const run = await runCli(["exec-tool", "Bash", "echo $$ > pid; exec sleep 47.11", "--json"], {
      ...place,
      onStart: (pid) => {
        const watch = setInterval(() => {
          if (!existsSync(join(place.cwd, "pid")) || readFileSync(join(place.cwd, "pid"), "utf8") === "") return;
          clearInterval(watch);
          process.kill(pid, "SIGINT");
        }, 20);
      },
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ success: false, error: { code: "cancelled" } });
    expect(run.status).toBe(130);
    const child = Number(readFileSync(join(place.cwd, "pid"), "utf8"));
    expect(() => process.kill(child, 0)).toThrow("ESRCH");
  });

  it("judges a command by its grammar without half a gigabyte", () => {
    const { cwd, home } = folders();
    const script = `import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)`;
    const words = [process.env.PAWL_TEST_CLI ?? "", "exec-tool", "Bash", 'echo "a"; echo b | cat && ls'];
    const ran = spawnSync("python3", ["-c", script, process.execPath, ...words], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, PAWL_HOME: home },
    });
    expect(Number(ran.stdout)).toBeGreaterThan(30);
    expect(Number(ran.stdout)).toBeLessThan(200);
  });

  it("fails when what it says cannot be written", () => {
    const { cwd, home } = folders();
    const script = `"${process.execPath}" "${process.env.PAWL_TEST_CLI}" exec-tool Bash 'echo x' >/dev/full`;
    const ran = spawnSync("bash", ["-c", script], { cwd, encoding: "utf8", env: { ...process.env, PAWL_HOME: home } });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain("io_error: Standard output does not fit");
  });

  it("survives a reader that leaves early", async () => {
    const { cwd, home } = folders();
    const script = `"${process.execPath}" "${process.env.PAWL_TEST_CLI}" exec-tool Bash 'seq 1 5000' | head -1`;
    const child = spawn("bash", ["-c", `${script}; echo "\${PIPESTATUS[0]}"`], {
      cwd,
      env: { ...process.env, PAWL_HOME: home },
    });
    let out = "";
    for await (const chunk of child.stdout) out += String(chunk);
    expect(out).toBe("1\n0\n");
  });

  it("starts the next call where the last one's cd led, and elsewhere for somebody who stands elsewhere", async () => {
    const { cwd, home } = folders();
    const call = (command: string, where = cwd): Promise<{ stdout: string }> =>
      runCli(["exec-tool", "Bash", command], { cwd: where, home });
    await call("mkdir -p a/b && cd a/b");
    expect((await call("pwd")).stdout).toBe(`${join(cwd, "a/b")}\n`);
    await call("git init -q ../.. ");
    expect((await call("pwd", join(cwd, "a"))).stdout).toBe(`${join(cwd, "a")}\n`);
  });
});

describe("a PAWL_HOME at fault", () => {
  it("answers integrity_error for a damaged store and leaves it as it is", async () => {
    const place = folders();
    await runCli(["exec-tool", "Bash", "true"], place);
    const store = join(place.home, "pawl.sqlite");
    const damaged = Buffer.from(readFileSync(store));
    damaged.fill(0x5a, 0, 600);
    writeFileSync(store, damaged);
    const run = await runCli(["exec-tool", "Bash", '{"command":"touch ran"}', "--json"], place);
    expect(JSON.parse(run.stdout)).toMatchObject({
      success: false,
      error: { code: "integrity_error", hint: expect.stringContaining("restore") },
    });
    expect(readFileSync(store).equals(damaged)).toBe(true);
    expect(existsSync(join(place.cwd, "ran"))).toBe(false);
  });

  it.each([
    ["an empty store", "pawl.sqlite", "", "integrity_error"],
    [
      "a store that is text",
      "pawl.sqlite",
      "not a database, but long enough to be looked at ".repeat(40),
      "integrity_error",
    ],
    ["settings that do not parse", "config.json", "{ role: ", "invalid_input"],
    ["settings with an unknown key", "config.json", '{"rôle":"read"}', "invalid_input"],
  ])("answers with a typed error for %s", async (_name, file, content, code) => {
    const place = folders();
    await runCli(["exec-tool", "Bash", "true"], place);
    const path = join(place.home, file);
    writeFileSync(path, content);
    const run = await runCli(["exec-tool", "Bash", "true", "--json"], place);
    expect(JSON.parse(run.stdout)).toMatchObject({ success: false, error: { code } });
    expect(readFileSync(path, "utf8")).toBe(content);
  });
});

describe("pawl doctor", () => {
  it.each([
    ["settings", "config.json", '{"role":"read",}'],
    ["store", "pawl.sqlite", "junk ".repeat(500)],
  ])("says first that the %s are broken, and then the rest", async (name, file, content) => {
    const place = folders();
    await runCli(["exec-tool", "Bash", "true"], place);
    writeFileSync(join(place.home, file), content);
    const run = await runCli(["doctor", "--json"], place);
    expect(run.status).toBe(1);
    const { checks } = JSON.parse(run.stdout) as { checks: { name: string; status: string }[] };
    expect(checks[0]).toMatchObject({ name, status: "broken" });
    expect(checks.some((check) => check.name === "git" && check.status === "works")).toBe(true);
  });
});

describe("pawl", () => {
  it.each([
    [["tools"], "BashTool"],
    [["show-tool", "Bash"], "Parameters:"],
    [["commands"], "doctor"],
    [["show-command", "config"], "KEY=VALUE"],
    [["parity"], "of 40 work here"],
    [["exec-command", "help", ""], "Commands:"],
    [["exec-command", "version", ""], "pawl 0."],
    [["audit", "verify"], "intact"],
  ])("answers %j (S-002, S-005)", async (words, shows) => {
    const place = folders();
    const plain = await runCli(words, place);
    expect(plain).toMatchObject({ status: 0, stdout: expect.stringContaining(shows) });
    const json = await runCli([...words, "--json"], place);
    expect(() => JSON.parse(json.stdout) as unknown).not.toThrow();
  });

  it("lists, shows and exports what was called", async () => {
    const place = folders();
    await runCli(["exec-tool", "Bash", "echo one"], place);
    await runCli(["exec-tool", "Bash", "exit 3"], place);
    const rows = JSON.parse((await runCli(["audit", "list", "--json"], place)).stdout) as {
      record: { call_id: string; outcome: string };
    }[];
    expect(rows.map((row) => row.record.outcome)).toEqual(["failed", "completed"]);
    const shown = await runCli(["audit", "show", rows[1]?.record.call_id ?? ""], place);
    expect(shown.stdout).toContain('{"command":"echo one"}');
    const lines = (await runCli(["audit", "export"], place)).stdout.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2]);
    expect((await runCli(["audit", "show", "99"], place)).status).toBe(1);
    expect((await runCli(["audit", "list", "--limit", "none"], place)).status).toBe(2);
  });
});
