import { HeadTailBuffer } from "./head-tail-buffer.ts";
import {
  countOf,
  cutHead,
  cutTail,
  DEFAULT_MAX_CHARACTERS,
  joinParts,
  omissionMarker,
  splitBudget,
} from "./output-limit.ts";
import { SpillFile } from "./spill-file.ts";
import { withoutCutEnd, withoutCutStart } from "./utf8.ts";

export interface OutputCollectorOptions {
  /** UTF-16 code units that are shown, the marker line not counted. Default 30,000. */
  readonly maxCharacters?: number;
  /** Where the whole goes once it is more than that: a path that does not exist yet. Called at most once. */
  readonly spillPath?: () => string | Promise<string>;
  /** What the file holds at most. Default 1 GiB. */
  readonly maxSpillBytes?: number;
}

export interface CollectedOutput {
  readonly text: string;
  readonly truncated: boolean;
  readonly totalBytes: number;
  readonly totalLines: number;
  /** The file with the whole output, mode 0600; it belongs to the caller now. */
  readonly spillPath?: string;
  /** Why the whole could not be kept, or not all of it. */
  readonly spillProblem?: string;
}

const DEFAULT_MAX_SPILL_BYTES = 1024 ** 3;
// UTF-8 takes at most three bytes for one UTF-16 code unit.
const BYTES_PER_CHARACTER = 3;

/**
 * Collects the bytes of an output of any length in constant memory: its beginning and its end for the reader, the whole
 * in a file when it is too long. Whoever makes one must call `finish`, which closes the file.
 */
export class OutputCollector {
  readonly #options: OutputCollectorOptions;
  readonly #maxCharacters: number;
  readonly #kept: HeadTailBuffer;
  #spill: SpillFile | undefined;
  #finished: Promise<CollectedOutput> | undefined;

  constructor(options: OutputCollectorOptions = {}) {
    this.#options = options;
    this.#maxCharacters = options.maxCharacters ?? DEFAULT_MAX_CHARACTERS;
    const budget = splitBudget(this.#maxCharacters);
    this.#kept = new HeadTailBuffer(budget.head * BYTES_PER_CHARACTER, budget.tail * BYTES_PER_CHARACTER);
  }

  /**
   * Takes the chunk over. A promise means: pause the source until it settles, the disk is slower than the pipe.
   * It never rejects. What comes after `finish` is dropped.
   */
  write(chunk: Buffer): Promise<void> | undefined {
    if (this.#finished) return undefined;
    if (this.#kept.isWhole && !this.#fits(chunk)) this.#startSpill(Buffer.concat([this.#kept.head, this.#kept.tail]));
    this.#kept.append(chunk);
    return this.#spill?.write(chunk);
  }

  /** Ends the collection; the same answer however often it is asked. Never rejects. */
  finish(): Promise<CollectedOutput> {
    this.#finished ??= this.#finish();
    return this.#finished;
  }

  async #finish(): Promise<CollectedOutput> {
    const { totalBytes, totalLines, isWhole, head, tail } = this.#kept;
    const totals = { totalBytes, totalLines };
    const whole = isWhole ? Buffer.concat([head, tail]) : undefined;
    const text = whole?.toString("utf8");
    if (text !== undefined && text.length <= this.#maxCharacters) return { text, truncated: false, ...totals };
    if (whole && !this.#spill) this.#startSpill(whole);
    const { facts, where } = await this.#closeSpill();
    const parts = cutParts(
      text ?? [withoutCutEnd(head).toString("utf8"), withoutCutStart(tail).toString("utf8")],
      this.#maxCharacters,
    );
    const marker = omissionMarker(this.#omittedAmount(parts), where);
    return { text: joinParts({ ...parts, marker }), truncated: true, ...totals, ...facts };
  }

  #fits(chunk: Buffer): boolean {
    return this.#kept.totalBytes + chunk.length <= this.#maxCharacters * BYTES_PER_CHARACTER;
  }

  #startSpill(before: Buffer): void {
    if (!this.#options.spillPath) return;
    const maxBytes = this.#options.maxSpillBytes ?? DEFAULT_MAX_SPILL_BYTES;
    this.#spill = new SpillFile({ path: this.#options.spillPath, maxBytes });
    void this.#spill.write(before);
  }

  async #closeSpill(): Promise<{ facts: SpillFacts; where: { wholeAt?: string; note?: string } }> {
    if (!this.#spill) return { facts: {}, where: {} };
    const { path, problem, isCapped } = await this.#spill.close();
    if (path === undefined) {
      const spillProblem = `the whole could not be kept: ${problem ?? "nothing was written"}`;
      return { facts: { spillProblem }, where: { note: spillProblem } };
    }
    if (!isCapped) return { facts: { spillPath: path }, where: { wholeAt: path } };
    const maxBytes = this.#options.maxSpillBytes ?? DEFAULT_MAX_SPILL_BYTES;
    const spillProblem = `the file holds only the first ${countOf(maxBytes, "byte")}`;
    return { facts: { spillPath: path, spillProblem }, where: { wholeAt: path, note: spillProblem } };
  }

  #omittedAmount(parts: OutputParts): string {
    const lineEnds = this.#kept.lineEnds - lineEndsIn(parts.head) - lineEndsIn(parts.tail);
    const lines = lineEnds + (parts.tailStartsLine ? 0 : 1);
    // Bytes that are no UTF-8 are shown as three, so the sum can be too small by some.
    const bytes = this.#kept.totalBytes - Buffer.byteLength(parts.head) - Buffer.byteLength(parts.tail);
    return `${countOf(lines, "line")}, ${countOf(Math.max(1, bytes), "byte")}`;
  }
}

interface SpillFacts {
  readonly spillPath?: string;
  readonly spillProblem?: string;
}

interface OutputParts {
  readonly head: string;
  readonly tail: string;
  readonly tailStartsLine: boolean;
}

/** Cuts one whole text, or a beginning and an end that have a gap between them. */
function cutParts(source: string | readonly [string, string], maxCharacters: number): OutputParts {
  const budget = splitBudget(maxCharacters);
  const head = cutHead(typeof source === "string" ? source : source[0], budget.head);
  const rest = typeof source === "string" ? source.slice(head.length) : source[1];
  const tail = cutTail(rest, budget.tail);
  return { head, tail, tailStartsLine: rest[rest.length - tail.length - 1] === "\n" };
}

function lineEndsIn(text: string): number {
  return text.split("\n").length - 1;
}
