import { countLineFeeds } from "./count-line-feeds.ts";

const LINE_FEED = 10;

/** Keeps the first and the last bytes of a stream in memory of a fixed size, and counts the rest. */
export class HeadTailBuffer {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head: Buffer = Buffer.alloc(0);
  #headBytes = 0;
  #ring: Buffer = Buffer.alloc(0);
  #ringBytes = 0;
  #totalBytes = 0;
  #lineEnds = 0;
  #endsInLine = false;

  /** Both limits in bytes. */
  constructor(headLimit: number, tailLimit: number) {
    this.#headLimit = headLimit;
    this.#tailLimit = tailLimit;
  }

  /** Copies the bytes; the chunk stays the caller's. */
  append(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#totalBytes += chunk.length;
    this.#lineEnds += countLineFeeds(chunk);
    this.#endsInLine = chunk[chunk.length - 1] !== LINE_FEED;
    const toHead = Math.min(chunk.length, this.#headLimit - this.#headBytes);
    if (toHead > 0) this.#appendHead(chunk.subarray(0, toHead));
    if (toHead < chunk.length) this.#appendTail(chunk.subarray(toHead));
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  get lineEnds(): number {
    return this.#lineEnds;
  }

  /** A last line without a line feed counts. */
  get totalLines(): number {
    return this.#lineEnds + (this.#endsInLine ? 1 : 0);
  }

  /** True while `head` and `tail` joined are all there was. */
  get isWhole(): boolean {
    return this.#totalBytes <= this.#headLimit + this.#tailLimit;
  }

  /** A view, good until the next `append`. */
  get head(): Buffer {
    return this.#head.subarray(0, this.#headBytes);
  }

  /** A view, good until the next `append`; empty as long as everything fits the head. */
  get tail(): Buffer {
    return this.#ring.subarray(Math.max(0, this.#ringBytes - this.#tailLimit), this.#ringBytes);
  }

  #appendHead(bytes: Buffer): void {
    const needed = this.#headBytes + bytes.length;
    if (needed > this.#head.length) {
      const grown = Buffer.alloc(Math.min(this.#headLimit, Math.max(needed, this.#head.length * 2)));
      this.#head.copy(grown, 0, 0, this.#headBytes);
      this.#head = grown;
    }
    this.#headBytes += bytes.copy(this.#head, this.#headBytes);
  }

  /** The ring has twice the room, so the bytes move only once per `tailLimit` bytes. */
  #appendTail(bytes: Buffer): void {
    if (this.#ring.length === 0) this.#ring = Buffer.alloc(this.#tailLimit * 2);
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#tailLimit));
    if (this.#ringBytes + kept.length > this.#ring.length) {
      const from = Math.max(0, this.#ringBytes - this.#tailLimit);
      this.#ring.copyWithin(0, from, this.#ringBytes);
      this.#ringBytes -= from;
    }
    this.#ringBytes += kept.copy(this.#ring, this.#ringBytes);
  }
}
