export interface Figure {
  readonly name: string;
  readonly measured: string;
  /** What it is held against, measured in the same run. */
  readonly baseline: string;
  readonly wanted: string;
  readonly holds: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs the jobs in turn, so that whatever else the machine does hits all alike; the medians in milliseconds. */
export async function timeInTurn(rounds: number, jobs: readonly (() => void | Promise<void>)[]): Promise<number[]> {
  const times: number[][] = jobs.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, job] of jobs.entries()) {
      const started = performance.now();
      await job();
      times[index]?.push(performance.now() - started);
    }
  }
  return times.map(median);
}
