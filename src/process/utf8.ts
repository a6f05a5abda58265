/** Drops an incomplete character at the end, the mark of a cut; bytes that are no UTF-8 stay as they are. */
export function withoutCutEnd(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length - incompleteLength(bytes));
}

/** Drops the rest of a character at the beginning, at most three bytes. */
export function withoutCutStart(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && from < bytes.length && isContinuation(bytes[from])) from++;
  return bytes.subarray(from);
}

/** Hands on whole characters only; the beginning of one waits for its rest. */
export class CharacterAligner {
  #rest: Buffer = Buffer.alloc(0);

  /** The bytes so far that end with a whole character. Bytes that are no UTF-8 pass unchanged. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const cut = bytes.length - incompleteLength(bytes);
    // A copy: three bytes must not keep the chunk alive.
    this.#rest = Buffer.from(bytes.subarray(cut));
    return bytes.subarray(0, cut);
  }

  /** What was still waiting when the stream ended. */
  flush(): Buffer {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest;
  }
}

/** How many bytes at the end begin a character without finishing it: 0 to 3 (RFC 3629, section 3). */
function incompleteLength(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xc2 && lead <= 0xdf ? 2 : 1;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
