import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { writeAtomically, type WithFileLock, type WriteOptions } from "./atomic-write.ts";
import { readStamp } from "./file-snapshot.ts";

const unlocked: WithFileLock = (_, work) => work();
const writerModule = fileURLToPath(new URL("./atomic-write.ts", import.meta.url));
const snapshotModule = fileURLToPath(new URL("./file-snapshot.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;

describe("writeAtomically", () => {
  let folder = "";

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "pawl-write-")));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const file = (name: string) => ({ path: join(folder, name), shown: name });
  const create = (name: string, content: string, options: Partial<WriteOptions> = {}) =>
    writeAtomically(file(name), Buffer.from(content), { expected: undefined, withFileLock: unlocked, ...options });
  const replace = async (name: string, content: string, options: Partial<WriteOptions> = {}) =>
    writeAtomically(file(name), Buffer.from(content), {
      expected: await readStamp(file(name)),
      withFileLock: unlocked,
      ...options,
    });
  const content = (name: string) => readFile(join(folder, name), "utf8");

  it("creates a file with its parents, and hands back its stamp", async () => {
    const outcome = await create("a/b/c.txt", "new\n");
    expect(await content("a/b/c.txt")).toBe("new\n");
    expect(outcome).toEqual({
      created: true,
      stamp: await readStamp(file("a/b/c.txt")),
      splitLinks: 0,
      ownerKept: true,
    });
    expect(await readdir(join(folder, "a/b"))).toEqual(["c.txt"]);
  });

  it("replaces a file, and hands back its stamp", async () => {
    await writeFile(join(folder, "a"), "old");
    const outcome = await replace("a", "new");
    expect(outcome).toEqual({ created: false, stamp: await readStamp(file("a")), splitLinks: 0, ownerKept: true });
    expect(await content("a")).toBe("new");
    expect(await readdir(folder)).toEqual(["a"]);
  });

  it("gives a new file the mode that the umask gives", async () => {
    await writeFile(join(folder, "probe"), "");
    await create("new", "");
    expect((await stat(join(folder, "new"))).mode).toBe((await stat(join(folder, "probe"))).mode);
  });

  it.each([0o755, 0o600, 0o664, 0o2755])("keeps mode %o of a replaced file", async (mode) => {
    await writeFile(join(folder, "a"), "old");
    await chmod(join(folder, "a"), mode);
    await replace("a", "new");
    expect((await stat(join(folder, "a"))).mode & 0o7777).toBe(mode);
  });

  it("keeps the owner where the system allows it", async () => {
    await writeFile(join(folder, "a"), "old");
    if (isRoot) await chown(join(folder, "a"), 1234, 2345);
    const before = await stat(join(folder, "a"));
    await replace("a", "new");
    const { uid, gid } = await stat(join(folder, "a"));
    expect({ uid, gid }).toEqual({ uid: before.uid, gid: before.gid });
  });

  it("leaves a link to the file a link", async () => {
    await writeFile(join(folder, "target"), "old");
    await symlink("target", join(folder, "link"));
    await replace("target", "new");
    expect((await lstat(join(folder, "link"))).isSymbolicLink()).toBe(true);
    expect(await content("link")).toBe("new");
  });

  it("splits hard links, and says how many names keep the old content", async () => {
    await writeFile(join(folder, "a"), "old");
    await link(join(folder, "a"), join(folder, "b"));
    expect(await replace("a", "new")).toMatchObject({ splitLinks: 1 });
    expect(await content("b")).toBe("old");
  });

  it("refuses a file without any write permission, also for root", async () => {
    await writeFile(join(folder, "a"), "old");
    await chmod(join(folder, "a"), 0o444);
    await expect(replace("a", "new")).rejects.toMatchObject({
      code: "io_error",
      message: "a is read-only (mode 444).",
    });
    expect(await content("a")).toBe("old");
  });

  it("refuses a directory, and a place below a file", async () => {
    await mkdir(join(folder, "dir"));
    await writeFile(join(folder, "a"), "");
    await expect(create("dir", "x")).rejects.toMatchObject({ code: "invalid_input", message: "dir is a directory." });
    await expect(create("a/b/c", "x")).rejects.toMatchObject({
      code: "invalid_input",
      message: "a is a file, so nothing can lie in it.",
    });
    await expect(create("a/b", "x")).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("denies a folder that was swapped for a link", async () => {
    await mkdir(join(folder, "real"));
    await symlink("real", join(folder, "swapped"));
    await expect(create("swapped/x/y", "x")).rejects.toMatchObject({ code: "denied" });
    await expect(create("swapped/x", "x")).rejects.toMatchObject({ code: "denied" });
    expect(await readdir(join(folder, "real"))).toEqual([]);
  });

  describe("when the file is not what was read", () => {
    it("writes nothing over a change of its content, even one of the same size and time", async () => {
      await writeFile(join(folder, "a"), "read");
      const times = await stat(join(folder, "a"));
      const expected = await readStamp(file("a"));
      await writeFile(join(folder, "a"), "edit");
      await utimes(join(folder, "a"), times.atime, times.mtime);
      const forged = { ...(await readStamp(file("a"))), sha256: expected.sha256 };
      await expect(replace("a", "mine", { expected: forged })).rejects.toMatchObject({ code: "conflict" });
      await expect(replace("a", "mine", { expected })).rejects.toMatchObject({
        code: "conflict",
        message: "a was changed by someone else since it was read. Nothing was written.",
      });
      expect(await content("a")).toBe("edit");
      expect(await readdir(folder)).toEqual(["a"]);
    });

    it("writes nothing where it was removed, created, or became something else", async () => {
      await writeFile(join(folder, "a"), "read");
      const expected = await readStamp(file("a"));
      await expect(create("a", "mine")).rejects.toMatchObject({
        code: "conflict",
        message: "a exists already. Nothing was written.",
      });
      await rm(join(folder, "a"));
      await expect(replaceWith("a", expected)).rejects.toMatchObject({ code: "conflict" });
      await symlink("elsewhere", join(folder, "a"));
      await expect(replaceWith("a", expected)).rejects.toMatchObject({ code: "conflict" });
      expect(await readdir(folder)).toEqual(["a"]);
    });

    it("writes nothing where that happens while it writes", async () => {
      await writeFile(join(folder, "a"), "read");
      const change: WithFileLock = async (path, work) => {
        await rm(path, { force: true });
        if (path.endsWith("b")) await writeFile(path, "theirs");
        return work();
      };
      await expect(replace("a", "mine", { withFileLock: change })).rejects.toMatchObject({
        code: "conflict",
        message: "a was removed or replaced since it was read. Nothing was written.",
      });
      await expect(create("new/b", "mine", { withFileLock: change })).rejects.toMatchObject({
        code: "conflict",
        message: "new/b was created by someone else meanwhile. Nothing was written.",
      });
      expect(await content("new/b")).toBe("theirs");
      expect(await readdir(join(folder, "new"))).toEqual(["b"]);
    });

    const replaceWith = (name: string, expected: WriteOptions["expected"]) =>
      writeAtomically(file(name), Buffer.from("mine"), { expected, withFileLock: unlocked });
  });

  it("lets one of two writers from the same state win, and tells the other", async () => {
    await writeFile(join(folder, "a"), "read");
    const queue = { last: Promise.resolve() as Promise<unknown> };
    const inTurn: WithFileLock = (_, work) => {
      const result = queue.last.then(work);
      queue.last = result.catch(() => undefined);
      return result;
    };
    const results = await Promise.allSettled([
      replace("a", "one", { withFileLock: inTurn }),
      replace("a", "two", { withFileLock: inTurn }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const failed = results.find((result) => result.status === "rejected");
    expect(failed?.reason).toMatchObject({ code: "conflict" });
  });

  it("leaves nothing behind when it is cancelled or fails", async () => {
    await writeFile(join(folder, "a"), "old");
    const reason = new Error("cancelled");
    await expect(replace("a", "new", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(create("x/y/z", "new", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await content("a")).toBe("old");
    expect(await readdir(folder)).toEqual(["a"]);
  });

  it("keeps the old file when the disk is full", async () => {
    const disk = join(folder, "disk");
    await mkdir(disk);
    const mounted = isRoot && spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]).status === 0;
    try {
      await writeFile(join(disk, "a"), "old");
      const failed = mounted
        ? await replace("disk/a", "x".repeat(2_000_000)).catch((error: unknown) => error)
        : tooLargeFor(disk);
      expect(failed).toMatchObject({ code: "io_error" });
      expect(await readFile(join(disk, "a"), "utf8")).toBe("old");
      expect(await readdir(disk)).toEqual(["a"]);
    } finally {
      if (mounted) execFileSync("umount", [disk]);
    }
  });

  it("keeps the old file when the system allows no larger one", async () => {
    await writeFile(join(folder, "a"), "old");
    expect(tooLargeFor(folder)).toEqual({
      code: "io_error",
      message: "a would be larger than the system allows (EFBIG)",
    });
    expect(await content("a")).toBe("old");
    expect(await readdir(folder)).toEqual(["a"]);
  });

  /** Replaces `a` with 2 MB in a process that may write files of 1 MB. */
  const tooLargeFor = (place: string) => replaceInChild(place, { size: 2_000_000, shell: "ulimit -f 1024" });

  /** Replaces `a` in a process of its own, by default as it is, else after a shell command or as another user. */
  function replaceInChild(place: string, how: { size: number; shell?: string; before?: string }): unknown {
    const script = `
      const { writeAtomically } = await import(${JSON.stringify(writerModule)});
      const { readStamp } = await import(${JSON.stringify(snapshotModule)});
      ${how.before ?? ""}
      const file = { path: ${JSON.stringify(join(place, "a"))}, shown: "a" };
      const options = { expected: await readStamp(file), withFileLock: (_, work) => work() };
      const { code, message, ownerKept } = await writeAtomically(file, Buffer.alloc(${how.size}, "x"), options).catch((error) => error);
      console.log(JSON.stringify({ code, message, ownerKept }));`;
    const command = `${how.shell ?? "true"}; exec "$0" --no-warnings --input-type=module -e "$1"`;
    const { stdout } = spawnSync("bash", ["-c", command, process.execPath, script], { encoding: "utf8" });
    return JSON.parse(stdout);
  }

  /** The suite's own folder is closed to others. */
  const letOthersIn = async () => {
    const { PAWL_TEST_RUN: suite } = process.env;
    if (suite) await chmod(suite, 0o711);
  };

  const asNobody = isRoot ? "process.setgroups([]); process.setegid(65534); process.seteuid(65534);" : "";

  it("refuses a folder in which the user may make no file", async () => {
    await letOthersIn();
    await writeFile(join(folder, "a"), "old");
    await chmod(join(folder, "a"), 0o666);
    await chmod(folder, 0o555);
    expect(replaceInChild(folder, { size: 3, before: asNobody })).toEqual({
      code: "io_error",
      message: "No file can be made in the folder of a (EACCES). The old file is intact.",
    });
    await chmod(folder, 0o755);
    expect(await content("a")).toBe("old");
  });

  it("says when the owner could not be kept, and gives no set-user-id bit to another one", async () => {
    await letOthersIn();
    await writeFile(join(folder, "a"), "old");
    await chmod(folder, 0o777);
    await chmod(join(folder, "a"), 0o4766);
    expect(replaceInChild(folder, { size: 3, before: asNobody })).toEqual({ ownerKept: !isRoot });
    expect(await content("a")).toBe("xxx");
    expect((await stat(join(folder, "a"))).mode & 0o7777).toBe(isRoot ? 0o766 : 0o4766);
  });

  it("leaves the old or the new file, and no more, wherever it is killed", { timeout: 60_000 }, async () => {
    const path = join(folder, "a");
    const contents = ["A".repeat(300_000), "B".repeat(500_000)];
    await writeFile(path, contents[0]!);
    const script = `
      const { writeAtomically } = await import(${JSON.stringify(writerModule)});
      const { readStamp } = await import(${JSON.stringify(snapshotModule)});
      const file = { path: ${JSON.stringify(path)}, shown: "a" };
      const contents = [Buffer.alloc(300_000, "A"), Buffer.alloc(500_000, "B")];
      const dot = (place) => process.argv[1] === place && process.stdout.write(".");
      const withFileLock = (_, work) => (dot("before the rename"), work());
      let expected = await readStamp(file);
      for (let round = 0; ; round++) {
        dot("before the write");
        ({ stamp: expected } = await writeAtomically(file, contents[round % 2], { expected, withFileLock }));
      }`;
    let leftovers = 0;
    for (let round = 0; round < 30; round++) {
      const place = round % 2 === 0 ? "before the write" : "before the rename";
      const options = ["--no-warnings", "--input-type=module", "-e", script, place];
      const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"] });
      const ended = once(child, "exit");
      for (let dots = 0; dots <= round % 5; dots++) await once(child.stdout, "data");
      for (let turn = 0; turn < round * 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      child.kill("SIGKILL");
      await ended;
      expect(contents).toContain(await readFile(path, "utf8"));
      leftovers += (await readdir(folder)).length - 1;
    }
    expect(leftovers).toBeGreaterThan(0);
    await replace("a", "end");
    expect(await readdir(folder)).toEqual(["a"]);
  });

  it("removes what a killed process left, and nothing of a living one or of another machine", async () => {
    await create("a", "x");
    const mine = { name: "" };
    const peek: WithFileLock = async (_, work) => {
      mine.name = (await readdir(folder)).find((name) => name.endsWith(".tmp")) ?? "";
      return work();
    };
    await replace("a", "y", { withFileLock: peek });
    const dead = spawnSync("true").pid;
    const leftover = mine.name.replace(`-${process.pid}-`, `-${dead}-`);
    const alive = mine.name;
    const foreign = leftover.replace(/^\.pawl-[0-9a-f]{8}/, ".pawl-00000000");
    for (const name of [leftover, alive, foreign]) await writeFile(join(folder, name), "half");
    await replace("a", "z");
    expect(await readdir(folder)).toEqual([alive, foreign, "a"].toSorted());
  });

  it("writes content larger than one chunk whole", async () => {
    const large = "0123456789abcdef".repeat(300_000);
    await create("large", large);
    expect(await content("large")).toBe(large);
    await truncate(join(folder, "large"), 5);
    await replace("large", large);
    expect(await content("large")).toBe(large);
  });
});
