import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeCommand } from "./command-analysis.ts";
import { findCatastrophe } from "./command-catastrophes.ts";
import { ShellParser } from "./shell-parser.ts";

const parser = new ShellParser();
const places = { home: "/home/ann", workspaceRoot: "/data/projects/repo" };
const context = { cwd: "/data/projects/repo", home: "/home/ann", environment: { HOME: "/home/ann" } };

async function judge(command: string, cwd = context.cwd) {
  return findCatastrophe(await analyzeCommand(command, { ...context, cwd }, parser), places);
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

describe("findCatastrophe", () => {
  it("names the program and what it would do", async () => {
    expect(await judge("sudo sh -c 'rm -rf /etc'")).toEqual({
      program: "rm",
      reason: "removes a system directory (/etc) with everything in it",
    });
  });

  it("says so when a command is too large to be judged", async () => {
    expect(await judge("a && ".repeat(5_000) + "a")).toEqual({
      program: "the command",
      reason: "is too large or too deeply nested to be judged",
    });
  });

  it("says so when a script starts itself", async () => {
    const reason = "is a script that starts itself again without end";
    expect(await judge("cat > x.sh <<'EOF'\nbash x.sh\nEOF\nbash x.sh")).toEqual({ program: "x.sh", reason });
    expect(await judge("echo './x.sh' > x.sh; ./x.sh")).toMatchObject({ reason });
    expect(await judge("echo '[ $1 = 0 ] && exec bash $0 1' > x.sh; bash x.sh 0")).toBeUndefined();
  });

  it("searches the bare words of text that does not parse", async () => {
    expect(await judge('rm -rf / "')).toMatchObject({ program: "rm" });
    expect(await judge('sudo reboot; echo "')).toMatchObject({ program: "reboot" });
    expect(await judge('X=1 \\\n poweroff; echo "')).toMatchObject({ program: "poweroff" });
    expect(await judge('rm -rf "$UNKNOWN"/*; echo "')).toMatchObject({ program: "rm" });
    expect(await judge('"echo x > /dev/sda;')).toMatchObject({ program: "tee" });
    expect(await judge(':(){ :|:& };: "')).toBeDefined();
    expect(await judge('echo the reboot is over; rm -rf build; echo "')).toBeUndefined();
  });

  it("refuses a text that neither parses nor can be searched", async () => {
    expect(await judge(`${"x".repeat(250_000)} "`)).toMatchObject({ program: "the command" });
  });

  it("judges relative paths from the directory of the call", async () => {
    expect(await judge("rm -rf *", "/")).toMatchObject({ program: "rm" });
    expect(await judge("rm -rf *", "/etc")).toMatchObject({ program: "rm" });
    expect(await judge("rm -rf *", "/home/ann")).toMatchObject({ program: "rm" });
    expect(await judge("rm -rf *", "/tmp/x")).toBeUndefined();
  });

  it("spares a workspace that lies directly below the root", async () => {
    const analysis = await analyzeCommand("rm -rf /srv/* ./* build", { ...context, cwd: "/srv" }, parser);
    expect(findCatastrophe(analysis, { home: "/root", workspaceRoot: "/srv" })).toBeUndefined();
    const whole = await analyzeCommand("rm -rf /srv", { ...context, cwd: "/srv" }, parser);
    expect(findCatastrophe(whole, { home: "/root", workspaceRoot: "/srv" })).toBeDefined();
  });

  it("never refuses a quoted argument of echo, whatever it says (REQ-062-122)", async () => {
    const words = fc.constantFrom(
      "rm -rf /",
      "$(reboot)",
      "`halt`",
      "; rm -rf ~",
      "'",
      '"',
      "\\",
      "\n",
      ":(){ :|:& };:",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 6 }).map((all) => all.join(" ")),
    );
    await fc.assert(
      fc.asyncProperty(text, async (argument) => {
        fc.pre(!argument.includes("\0"));
        expect(await judge(`echo ${quoted(argument)}`)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("refuses rm -rf / behind any chain of wrappers (REQ-062-122)", async () => {
    const wrapper = fc.constantFrom(
      (command: string) => `sudo ${command}`,
      (command: string) => `env A=1 ${command}`,
      (command: string) => `timeout -k 1 5 ${command}`,
      (command: string) => `bash -c ${quoted(command)}`,
      (command: string) => `eval ${quoted(command)}`,
      (command: string) => `xargs -n1 ${command}`,
      (command: string) => `find . -exec ${command} {} \\;`,
      (command: string) => `nice -n 3 ${command}`,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(wrapper, { maxLength: 5 }), async (wrappers) => {
        const command = wrappers.reduce((inner, wrap) => wrap(inner), "rm -rf /");
        expect(await judge(command)).toBeDefined();
      }),
      { numRuns: 200 },
    );
  });
});
