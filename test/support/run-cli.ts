// The built command line, as people start it.
import { spawn } from "node:child_process";

export interface CliRun {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly home: string;
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with the process once it runs. */
  readonly onStart?: (pid: number) => void;
}

/** Runs `pawl` with these words to its end. */
export function runCli(words: readonly string[], options: CliOptions): Promise<CliRun> {
  const cli = process.env.PAWL_TEST_CLI;
  if (!cli) throw new Error("The suite's set-up did not build the command line");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...words], {
      cwd: options.cwd,
      env: { ...process.env, PAWL_HOME: options.home, ...options.environment },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (status, signal) => resolve({ status, signal, stdout, stderr }));
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    if (child.pid !== undefined) options.onStart?.(child.pid);
  });
}
