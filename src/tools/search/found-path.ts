/**
 * A path as ripgrep writes it, relative to the folder searched. It calls a file that it was handed as its standard input
 * `<stdin>`, and no file of a folder so: their paths begin with `./`.
 */
export function foundPath(written: string, inputName: string | undefined): string {
  if (inputName !== undefined && written === "<stdin>") return inputName;
  return written.startsWith("./") ? written.slice(2) : written;
}
