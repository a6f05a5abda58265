import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { readSnapshot, readStamp, sameStamp } from "../tools/file/file-snapshot.ts";
import { openForReading, withOpenFile } from "./open-file.ts";

describe("openForReading", () => {
  let folder = "";

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "pawl-open-")));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const file = (name: string) => ({ path: join(folder, name), shown: name });
  const failure = (name: string) =>
    openForReading(file(name)).then(
      () => "opened",
      (error: unknown) => error,
    );

  it("opens a regular file and gives its stat", async () => {
    await writeFile(join(folder, "a.txt"), "hello");
    const { handle, stat } = await openForReading(file("a.txt"));
    expect(stat.size).toBe(5n);
    expect(await handle.readFile("utf8")).toBe("hello");
    await handle.close();
  });

  it("refuses a directory, a pipe, a socket and a device at once", async () => {
    await mkdir(join(folder, "dir"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const server = createServer().listen(join(folder, "socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    expect(await failure("dir")).toMatchObject({ code: "invalid_input", message: "dir is a directory, not a file." });
    expect(await failure("pipe")).toMatchObject({
      code: "invalid_input",
      message: "pipe is a named pipe, not a file.",
    });
    expect(await failure("socket")).toMatchObject({
      code: "invalid_input",
      message: "socket is a socket, not a file.",
    });
    await expect(openForReading({ path: "/dev/zero", shown: "/dev/zero" })).rejects.toMatchObject({
      code: "invalid_input",
      message: "/dev/zero is a device, not a file.",
    });
    await new Promise((resolve) => server.close(resolve));
  });

  it("denies a link: a canonical path has none", async () => {
    await writeFile(join(folder, "target"), "secret");
    await symlink("target", join(folder, "link"));
    expect(await failure("link")).toMatchObject({ code: "denied" });
  });

  it("denies a file whose folder was swapped for a link", async () => {
    await mkdir(join(folder, "real"));
    await writeFile(join(folder, "real", "f"), "secret");
    await symlink("real", join(folder, "swapped"));
    expect(await failure("swapped/f")).toMatchObject({
      code: "denied",
      message: "swapped/f was replaced by a link, or moved, while it was opened.",
    });
  });

  it("gives the file that lay there although it is replaced while it is read", async () => {
    await writeFile(join(folder, "a"), "old");
    await writeFile(join(folder, "b"), "new");
    const text = await withOpenFile(file("a"), async ({ handle }) => {
      await rename(join(folder, "b"), join(folder, "a"));
      return handle.readFile("utf8");
    });
    expect(text).toBe("old");
  });

  it("names the nearest files when one is missing", async () => {
    for (const name of ["config.json", "config.yml", "unrelated.md", "confg.toml"])
      await writeFile(join(folder, name), "");
    expect(await failure("config.toml")).toMatchObject({
      code: "not_found",
      message: "config.toml does not exist.",
      hint: "Nearest names: confg.toml, config.json, config.yml.",
    });
    expect(await failure("zzz")).toMatchObject({
      hint: "No name in . is like zzz; GlobTool finds files by pattern.",
    });
  });

  it("names look-alikes with what is special about them, and opens none instead", async () => {
    await writeFile(join(folder, "Shot\u202f1.txt"), "");
    await writeFile(join(folder, "cafe\u0301"), "");
    await writeFile(join(folder, "don\u2019t"), "");
    expect(await failure("shot 1.txt")).toMatchObject({
      hint: "A name that looks alike but is written otherwise exists: Shot\u202f1.txt (Shot\\u{202f}1.txt).",
    });
    expect(await failure("caf\u00e9")).toMatchObject({ hint: expect.stringContaining("(cafe\\u{301})") });
    expect(await failure("don't")).toMatchObject({ hint: expect.stringContaining("(don\\u{2019}t)") });
  });

  it("says so when the folder is missing too, with the nearest folder", async () => {
    await mkdir(join(folder, "source"));
    expect(await failure("sorce/a.ts")).toMatchObject({
      code: "not_found",
      hint: "Its folder sorce does not exist either. Nearest names: source.",
    });
    expect(await failure("zzzzzz/a.ts")).toMatchObject({ hint: "Its folder zzzzzz does not exist either." });
  });

  it("says what is wrong with a path through a file or with a NUL character", async () => {
    await writeFile(join(folder, "a"), "");
    expect(await failure("a/b")).toMatchObject({ code: "not_found" });
    expect(await failure("a\0b")).toMatchObject({
      code: "invalid_input",
      message: '"a\\u0000b" is no path: it holds a NUL character.',
    });
    expect(await failure("x".repeat(300))).toMatchObject({ code: "invalid_input" });
  });

  it("closes the file when its user throws, and turns system errors into typed ones", async () => {
    await writeFile(join(folder, "a"), "abc");
    const error = Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    await expect(withOpenFile(file("a"), () => Promise.reject(error))).rejects.toMatchObject({
      code: "io_error",
      message: "a: EIO",
    });
  });

  it("reads a whole file with a stamp that changes with its content", async () => {
    await writeFile(join(folder, "a"), "abc");
    const snapshot = await readSnapshot(file("a"), 100);
    expect(snapshot.bytes.toString()).toBe("abc");
    expect(sameStamp(snapshot.stamp, await readStamp(file("a")))).toBe(true);
    await chmod(join(folder, "a"), 0o600);
    expect(sameStamp(snapshot.stamp, await readStamp(file("a")))).toBe(true);
    await writeFile(join(folder, "a"), "abd");
    expect(sameStamp(snapshot.stamp, await readStamp(file("a")))).toBe(false);
  });

  it("refuses a file over the limit before it is read", async () => {
    await writeFile(join(folder, "a"), "abc");
    await expect(readSnapshot(file("a"), 2)).rejects.toMatchObject({
      code: "limit_exceeded",
      message: "a has 3 bytes; at most 2 can be handled whole.",
    });
  });
});
