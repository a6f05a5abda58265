// Writing to the terminal or the pipe, whole. Straight to the descriptor: the stream that Node keeps for it costs a start
// five milliseconds.
import { writeSync } from "node:fs";
import { fromSystemError, isSystemError } from "../core/errors.ts";

const STDOUT = 1;
const STDERR = 2;
const PAUSE_MS = 2;

/**
 * Returns when the system has the text: a pipe that is read slowly holds us up, and loses nothing. False: the reader has
 * gone, as in `pawl … | head`, which is no fault. Throws `io_error` for a disk that is full.
 */
export function print(text: string): boolean {
  return writeWhole(STDOUT, text);
}

/** A line for the person, apart from what was asked for. */
export function printError(text: string): void {
  writeWhole(STDERR, text.endsWith("\n") ? text : `${text}\n`);
}

function writeWhole(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      if (error.code === "EPIPE") return false;
      if (error.code !== "EAGAIN") throw fromSystemError(error, "Standard output");
      // Somebody who shares the pipe has made it non-blocking.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
  return true;
}

/** One line, or many, with an end. */
export function printLine(text: string): void {
  print(text.endsWith("\n") || text === "" ? text : `${text}\n`);
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, null, 2));
}

/** Columns padded to their widest cell; the last one is left ragged. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  const line = (row: readonly string[]): string =>
    row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  ");
  return rows.map(line).join("\n");
}
