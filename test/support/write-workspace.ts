import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testApp } from "./test-app.ts";

/** A workspace with these files, and what tests of FileWriteTool do in it; by default with a.txt. */
export async function writeWorkspace(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const pawl = await testApp();
  for (const [name, content] of Object.entries(files)) pawl.file(name, content);
  const path = (name = "a.txt") => join(pawl.workspace, name);
  const write = (payload: Record<string, unknown>) => pawl.call("FileWriteTool", { file_path: "a.txt", ...payload });
  const read = (name = "a.txt") => pawl.call("FileReadTool", { file_path: name });
  const bytes = (name = "a.txt") => readFileSync(path(name));
  const text = (name = "a.txt") => bytes(name).toString();
  return { pawl, path, write, read, bytes, text };
}
