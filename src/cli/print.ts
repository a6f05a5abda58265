// Writing to the terminal or the pipe, whole.

/** Resolves when the text is handed to the system: a pipe that is read slowly holds us up, and loses nothing. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error && !isBrokenPipe(error) ? reject(error) : resolve()));
  });
}

/** One line, or many, with an end. */
export function printLine(text: string): Promise<void> {
  return print(text.endsWith("\n") || text === "" ? text : `${text}\n`);
}

export function printJson(value: unknown): Promise<void> {
  return printLine(JSON.stringify(value, null, 2));
}

/** True when the reader has gone, as in `pawl … | head`. */
export function isBrokenPipe(error: Error): boolean {
  return "code" in error && error.code === "EPIPE";
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
