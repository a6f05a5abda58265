/**
 * Milliseconds since some moment in the past; never goes back. The global `performance` says the same, but its first use
 * loads ten of Node's modules, which a command line would pay at every start.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
