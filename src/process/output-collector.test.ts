import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countLineFeeds } from "./count-line-feeds.ts";
import { type CollectedOutput, OutputCollector, type OutputCollectorOptions } from "./output-collector.ts";
import { PipeReader } from "./pipe-reader.ts";
import { CharacterAligner } from "./utf8.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-output-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The bytes in chunks of the given sizes, again and again. */
function chunksOf(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(from, from + size));
    from += size;
  }
  return chunks;
}

async function collect(chunks: readonly Buffer[], options: OutputCollectorOptions) {
  const collector = new OutputCollector(options);
  for (const chunk of chunks) await collector.write(chunk);
  return collector.finish();
}

function parts(text: string): readonly [string, string] {
  const marker = /\n?\[\.\.\. left out: [^\n]*\.\.\.\]\n/.exec(text);
  return [text.slice(0, marker?.index), text.slice((marker?.index ?? 0) + (marker?.[0].length ?? 0))];
}

const words = fc.string({ unit: fc.constantFrom("a", "é", "€", "💖", "\n"), maxLength: 400 });
const sizes = fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1, maxLength: 5 });

describe("OutputCollector", () => {
  it("shows all of what fits and makes no file", async () => {
    const spillPath = (): string => expect.fail("no file is needed");
    const options = { maxCharacters: 6, spillPath };
    expect(await collect([Buffer.from("€€\n"), Buffer.from("€€€")], options)).toEqual({
      text: "€€\n€€€",
      truncated: false,
      totalBytes: 16,
      totalLines: 2,
    });
    expect(await collect([], options)).toEqual({ text: "", truncated: false, totalBytes: 0, totalLines: 0 });
  });

  it("shows a beginning and an end without a broken character, and keeps the whole, however it is chunked", async () => {
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(words, sizes, fc.integer({ min: 2, max: 60 }), async (text, sizes, maxCharacters) => {
        const bytes = Buffer.from(text);
        const path = join(folder, `property-${serial++}`);
        const output = await collect(chunksOf(bytes, sizes), { maxCharacters, spillPath: () => path });
        expect([output.totalBytes, output.truncated]).toEqual([bytes.length, text.length > maxCharacters]);
        expect(output.totalLines).toBe(text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0));
        if (!output.truncated) {
          expect([output.text, existsSync(path)]).toEqual([text, false]);
          return;
        }
        const [head, tail] = parts(output.text);
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(head.length + tail.length).toBeLessThanOrEqual(maxCharacters);
        expect(output.text).not.toContain("\uFFFD");
        expect(output.spillPath).toBe(path);
        expect(readFileSync(path).equals(bytes)).toBe(true);
        rmSync(path);
      }),
      { numRuns: 200 },
    );
  });

  it("counts what is left out", async () => {
    const text = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`).join("");
    const output = await collect(chunksOf(Buffer.from(text), [64]), { maxCharacters: 50 });
    expect(output.text).toBe(
      "line 0\nline 1\nline 2\nline 3\n[... left out: 994 lines, 8,844 bytes ...]\nline 998\nline 999\n",
    );
  });

  it("keeps only the first part in the file when the whole is too much for it, and says so", async () => {
    const spillPath = join(folder, "capped");
    const chunks = chunksOf(Buffer.from("0123456789".repeat(100)), [30]);
    const output = await collect(chunks, { maxCharacters: 20, maxSpillBytes: 100, spillPath: () => spillPath });
    expect(readFileSync(spillPath, "utf8")).toBe("0123456789".repeat(10));
    expect([output.spillPath, output.spillProblem]).toEqual([spillPath, "the file holds only the first 100 bytes"]);
    expect(output.text).toContain("the file holds only the first 100 bytes");
  });

  it("says why the whole could not be kept, and shows what it has", async () => {
    const options = { maxCharacters: 10, spillPath: () => join(folder, "missing", "file") };
    const output = await collect(chunksOf(Buffer.from("a".repeat(100)), [7]), options);
    expect(output.spillProblem).toMatch(/^the whole could not be kept: ENOENT/);
    expect(output.text).toMatch(/^aaaaaa\n\[\.\.\. left out: 1 line, 90 bytes; the whole could not be kept[^]*\naaaa$/);
    const thrown = await collect([Buffer.from("a".repeat(20))], { ...options, spillPath: () => Promise.reject("no") });
    expect(thrown.spillProblem).toBe("the whole could not be kept: no");
  });

  it("shows what it has when the disk takes no more, and removes the part that was written", async () => {
    const spillPath = join(folder, "too-large");
    const module = JSON.stringify(new URL("output-collector.ts", import.meta.url).href);
    const script = `const { OutputCollector } = await import(${module});
      const collector = new OutputCollector({ maxCharacters: 10, spillPath: () => ${JSON.stringify(spillPath)} });
      for (let block = 0; block < 9; block++) await collector.write(Buffer.alloc(9000, "a"));
      console.log(JSON.stringify(await collector.finish()));`;
    const args = ["-c", 'ulimit -f 16; exec "$0" --input-type=module -e "$1"', process.execPath, script];
    const { stdout } = await promisify(execFile)("bash", args);
    const output = JSON.parse(stdout) as CollectedOutput;
    expect([output.totalBytes, output.spillPath, existsSync(spillPath)]).toEqual([81_000, undefined, false]);
    expect(output.spillProblem).toMatch(/^the whole could not be kept: EFBIG/);
    expect(output.text).toMatch(/^aaaaaa\n\[\.\.\. left out: 1 line, 80,990 bytes; the whole could not be kept/);
  });

  it("never writes over a file that is there", async () => {
    const taken = join(folder, "taken");
    writeFileSync(taken, "mine");
    const output = await collect([Buffer.from("a".repeat(100))], { maxCharacters: 10, spillPath: () => taken });
    expect(output.spillProblem).toMatch(/EEXIST/);
    expect(readFileSync(taken, "utf8")).toBe("mine");
  });

  it("answers the same twice and drops what comes after", async () => {
    const collector = new OutputCollector();
    void collector.write(Buffer.from("a"));
    const first = await collector.finish();
    void collector.write(Buffer.from("b"));
    expect(await collector.finish()).toBe(first);
  });
});

describe("PipeReader", () => {
  it("pauses the source while the disk is behind", async () => {
    const opened = Promise.withResolvers<string>();
    const collector = new OutputCollector({ maxCharacters: 10, spillPath: () => opened.promise });
    const source = new PassThrough();
    const reader = new PipeReader(source, { collector });
    for (let block = 0; block < 40; block++) source.write(Buffer.alloc(64 * 1024, "x"));
    source.end();
    await expect.poll(() => source.isPaused()).toBe(true);
    const drained = reader.drain({ quietMs: 1, limitMs: 10_000 });
    opened.resolve(join(folder, "slow"));
    await drained;
    const { totalBytes } = await collector.finish();
    expect([totalBytes, readFileSync(join(folder, "slow")).length]).toEqual([40 * 65_536, 40 * 65_536]);
  });

  it("closes a pipe that a stranger holds once it is quiet, or in the end anyway", async () => {
    const quiet = new PassThrough();
    const collector = new OutputCollector();
    const reader = new PipeReader(quiet, { collector });
    quiet.write("said\u20ac".slice(0, 4));
    await reader.drain({ quietMs: 20, limitMs: 10_000 });
    expect([quiet.destroyed, (await collector.finish()).text]).toEqual([true, "said"]);
    const noisy = new PassThrough();
    const talking = setInterval(() => noisy.write("x"), 1);
    await new PipeReader(noisy, { collector: new OutputCollector() }).drain({ quietMs: 1000, limitMs: 50 });
    clearInterval(talking);
    expect(noisy.destroyed).toBe(true);
  });

  it("keeps what it has when the pipe breaks, an unfinished character included", async () => {
    const source = new PassThrough();
    const collector = new OutputCollector();
    const reader = new PipeReader(source, { collector });
    source.write(Buffer.from([0x61, 0xe2, 0x82]));
    await expect.poll(() => source.readableLength).toBe(0);
    source.destroy(new Error("broken"));
    await reader.closed;
    expect((await collector.finish()).text).toBe("a\uFFFD");
  });
});

describe("CharacterAligner", () => {
  it("hands on every byte in order, whatever they are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), sizes, (array, sizes) => {
        const aligner = new CharacterAligner();
        const pieces = chunksOf(Buffer.from(array), sizes).map((chunk) => Buffer.from(aligner.push(chunk)));
        expect(Buffer.concat([...pieces, aligner.flush()]).equals(array)).toBe(true);
      }),
    );
  });

  it("never splits a character", () => {
    fc.assert(
      fc.property(words, sizes, (text, sizes) => {
        const aligner = new CharacterAligner();
        const pieces = chunksOf(Buffer.from(text), sizes).map((chunk) => aligner.push(chunk).toString("utf8"));
        expect(pieces.join("")).toBe(text);
      }),
    );
  });
});

describe("countLineFeeds", () => {
  it("counts as a plain loop does, at any alignment", () => {
    const bytes = fc.array(fc.constantFrom(0, 9, 10, 11, 138, 255), { maxLength: 90 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 0, max: 4 }), (list, from) => {
        const array = Uint8Array.from(list).subarray(from);
        expect(countLineFeeds(array)).toBe(array.filter((byte) => byte === 10).length);
      }),
    );
  });
});
