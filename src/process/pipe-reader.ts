import type { Readable } from "node:stream";
import { monotonicMs } from "../core/monotonic.ts";
import type { OutputCollector } from "./output-collector.ts";
import { CharacterAligner } from "./utf8.ts";

export interface PipeReaderOptions {
  readonly collector: OutputCollector;
  /** Gets text as it comes, whole characters only. It is not called again after it throws. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

const LOOK_MS = 5;

/** Reads one pipe of a process into a collector, no faster than the collector takes it. */
export class PipeReader {
  /** Settles when the pipe is closed on both sides. Never rejects. */
  readonly closed: Promise<void>;
  readonly #stream: Readable;
  readonly #collector: OutputCollector;
  readonly #aligner = new CharacterAligner();
  #onOutput: ((text: string) => void) | undefined;
  #isClosed = false;
  #waitsForCollector = false;
  #lastDataAt = monotonicMs();

  constructor(stream: Readable, options: PipeReaderOptions) {
    this.#stream = stream;
    this.#collector = options.collector;
    this.#onOutput = options.onOutput;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    stream.on("data", (chunk: Buffer) => this.#take(this.#aligner.push(chunk)));
    // A broken pipe ends the output like any other end; what was read is kept.
    stream.on("error", () => undefined);
    stream.once("close", () => {
      this.#take(this.#aligner.flush());
      this.#isClosed = true;
      resolve();
    });
  }

  /**
   * Call it after the process has ended: reads what is left until the pipe closes, or, when a stranger still holds it,
   * until nothing has come for `quietMs`, at most `limitMs`; then closes it. Time that the collector takes is not counted.
   */
  async drain(options: { readonly quietMs: number; readonly limitMs: number }): Promise<void> {
    let remainingMs = options.limitMs;
    this.#lastDataAt = monotonicMs();
    while (!this.#isClosed) {
      const lookedAt = monotonicMs();
      const isQuiet = lookedAt - this.#lastDataAt > options.quietMs;
      if (!this.#waitsForCollector && (isQuiet || remainingMs <= 0)) break;
      await this.#closedOrAfter(LOOK_MS);
      if (!this.#waitsForCollector) remainingMs -= monotonicMs() - lookedAt;
    }
    this.#stream.destroy();
    await this.closed;
  }

  async #closedOrAfter(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    await Promise.race([this.closed, promise]);
    clearTimeout(timer);
  }

  #take(bytes: Buffer): void {
    this.#lastDataAt = monotonicMs();
    if (bytes.length === 0) return;
    const busy = this.#collector.write(bytes);
    if (busy) void this.#pauseUntil(busy);
    this.#announce(bytes);
  }

  async #pauseUntil(busy: Promise<void>): Promise<void> {
    this.#waitsForCollector = true;
    this.#stream.pause();
    await busy;
    this.#waitsForCollector = false;
    this.#lastDataAt = monotonicMs();
    this.#stream.resume();
  }

  #announce(bytes: Buffer): void {
    try {
      this.#onOutput?.(bytes.toString("utf8"));
    } catch {
      this.#onOutput = undefined;
    }
  }
}
