/** A record that was too long to be kept: its beginning, and here its end. */
export type CutEnd = Buffer | undefined;

const MOST_BYTES = 4 * 1_048_576;
const KEPT_BYTES = 65_536;

/** Cuts a stream of bytes into records that end with a separator. Of a record above 4 MiB only both ends are kept. */
export class RecordSplitter {
  readonly #separator: number;
  readonly #onRecord: (record: Buffer, cutEnd: CutEnd) => void;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #head: Buffer | undefined;

  constructor(separator: number, onRecord: (record: Buffer, cutEnd: CutEnd) => void) {
    this.#separator = separator;
    this.#onRecord = onRecord;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(this.#separator); at >= 0; at = chunk.indexOf(this.#separator, from)) {
      const piece = chunk.subarray(from, at);
      from = at + 1;
      if (this.#pendingBytes === 0) this.#onRecord(piece, undefined);
      else {
        this.#keep(piece);
        this.#flush();
      }
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** What came after the last separator. */
  rest(): Buffer {
    return Buffer.concat(this.#pending);
  }

  #keep(piece: Buffer): void {
    this.#pending.push(piece);
    this.#pendingBytes += piece.length;
    if (this.#pendingBytes <= MOST_BYTES) return;
    const whole = Buffer.concat(this.#pending);
    this.#head ??= Buffer.from(whole.subarray(0, KEPT_BYTES));
    const end = Buffer.from(whole.subarray(-KEPT_BYTES));
    this.#pending = [end];
    this.#pendingBytes = end.length;
  }

  #flush(): void {
    const record = Buffer.concat(this.#pending);
    const head = this.#head;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#head = undefined;
    if (head) this.#onRecord(head, record.subarray(-KEPT_BYTES));
    else this.#onRecord(record, undefined);
  }
}
