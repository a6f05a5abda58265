import type { FileHandle } from "node:fs/promises";
import { isSystemError } from "../core/errors.ts";

const HIGH_WATER_BYTES = 1024 * 1024;

export interface SpillFileOptions {
  /** Called once, before the first write; may make the directory. The file must not exist yet. */
  readonly path: () => string | Promise<string>;
  /** What is written at most. */
  readonly maxBytes: number;
}

/** The whole of an output on disk, only for this user. A failure ends the file, never the command. */
export class SpillFile {
  readonly #options: SpillFileOptions;
  #queue: Promise<void> = Promise.resolve();
  #queuedBytes = 0;
  #acceptedBytes = 0;
  #handle: FileHandle | undefined;
  #path: string | undefined;
  #problem: string | undefined;
  #isCapped = false;

  constructor(options: SpillFileOptions) {
    this.#options = options;
  }

  /** Takes the chunk over. A promise means: wait for it before more is brought, the disk is behind. */
  write(chunk: Buffer): Promise<void> | undefined {
    if (this.#problem !== undefined) return undefined;
    const accepted = chunk.subarray(0, Math.max(0, this.#options.maxBytes - this.#acceptedBytes));
    if (accepted.length < chunk.length) this.#isCapped = true;
    if (accepted.length === 0) return undefined;
    this.#acceptedBytes += accepted.length;
    this.#queuedBytes += accepted.length;
    this.#queue = this.#queue.then(() => this.#store(accepted));
    return this.#queuedBytes > HIGH_WATER_BYTES ? this.#queue : undefined;
  }

  /** Writes what waits and closes the file. Never rejects. */
  async close(): Promise<{ readonly path?: string; readonly problem?: string; readonly isCapped: boolean }> {
    await this.#queue;
    await this.#guard(async () => {
      await this.#handle?.close();
      this.#handle = undefined;
    });
    if (this.#problem !== undefined) return { problem: this.#problem, isCapped: false };
    return { ...(this.#path !== undefined && { path: this.#path }), isCapped: this.#isCapped };
  }

  async #store(bytes: Buffer): Promise<void> {
    await this.#guard(async () => {
      if (this.#problem !== undefined) return;
      this.#handle ??= await this.#create();
      await this.#handle.writeFile(bytes);
    });
    this.#queuedBytes -= bytes.length;
  }

  async #create(): Promise<FileHandle> {
    // Few outputs are that long; the others need not load it.
    const { open } = await import("node:fs/promises");
    const path = await this.#options.path();
    const handle = await open(path, "wx", 0o600);
    this.#path = path;
    return handle;
  }

  async #removePart(): Promise<void> {
    if (this.#path === undefined) return;
    const { rm } = await import("node:fs/promises");
    await rm(this.#path, { force: true }).catch(() => undefined);
  }

  /** On failure the part that was written goes: it would take the room that is missing. */
  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#problem = isSystemError(error) ? `${error.code}: ${error.message}` : String(error);
      await this.#handle?.close().catch(() => undefined);
      this.#handle = undefined;
      await this.#removePart();
      this.#path = undefined;
    }
  }
}
