import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createApp } from "../src/app/create-app.ts";
import { loadConfig } from "../src/config/load-config.ts";
import { fakeTool } from "../test/support/fake-tool.ts";
import type { Figure } from "./figure.ts";

const CALLS = 20_000;
const AT_ONCE = 64;

/** A tool that does nothing, through every stage with its audit row, against bare inserts of rows as long. */
export async function benchPipeline(folder: string): Promise<Figure[]> {
  const app = await createApp({
    config: await loadConfig({ home: join(folder, "home") }),
    tools: [fakeTool(async () => ({}))],
  });
  const caller = { id: "user:bench", kind: "library", role: "execute" } as const;
  const call = async (): Promise<void> => {
    const result = await app.runCall({ tool: "ProbeTool", payload: { input: "x" }, cwd: folder }, caller);
    if (!result.success) throw new Error(result.text);
  };
  for (let warm = 0; warm < 2_000; warm++) await call();
  const together = await perSecond(CALLS, async () => {
    for (let done = 0; done < CALLS; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, call));
  });
  const oneByOne = await perSecond(CALLS / 4, async () => {
    for (let done = 0; done < CALLS / 4; done++) await call();
  });
  await app.close();
  const bare = await perSecond(CALLS, async () => insertBare(join(folder, "bare.sqlite")));
  const baseline = `bare inserts into SQLite: ${bare.toFixed(0)} a second`;
  return [
    figure(`no-op calls with audit row, ${AT_ONCE} at once`, together, baseline),
    {
      ...figure("no-op calls with audit row, one by one", oneByOne, baseline),
      wanted: "no figure of its own",
      holds: true,
    },
  ];
}

function figure(name: string, rate: number, baseline: string): Figure {
  return { name, measured: `${rate.toFixed(0)} a second`, baseline, wanted: "5,000 a second", holds: rate >= 5_000 };
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (count / (performance.now() - started)) * 1_000;
}

function insertBare(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = normal; create table t (id integer primary key, body text)",
  );
  const insert = database.prepare("insert into t (body) values (?)");
  const body = "x".repeat(600);
  for (let done = 0; done < CALLS; done++) insert.run(body);
  database.close();
}
