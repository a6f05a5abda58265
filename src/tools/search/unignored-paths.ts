import type { Config } from "../../config/config-schema.ts";
import { RecordSplitter } from "./record-splitter.ts";
import { unignoredFilesArguments } from "./ripgrep-arguments.ts";
import { runRipgrep } from "./run-ripgrep.ts";

/** The files below a folder that no ignore rule names, and the folders that hold one. */
export async function unignoredPaths(
  config: Config,
  folder: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  const splitter = new RecordSplitter(0, (record) => {
    const path = record.toString("utf8").replace(/^\.\//, "");
    paths.add(path);
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const above = path.slice(0, end);
      if (paths.has(above)) break;
      paths.add(above);
    }
  });
  const onChunk = (chunk: Buffer): void => splitter.push(chunk);
  await runRipgrep({ config, args: unignoredFilesArguments(), cwd: folder, signal, onChunk });
  return paths;
}
