// Calls of the search tools, with their data typed.
import type { GlobData } from "../../src/tools/search/glob-report.ts";
import type { GrepData } from "../../src/tools/search/grep-report.ts";
import { testApp, type TestApp } from "./test-app.ts";

export interface SearchAnswer<Data> {
  readonly success: boolean;
  readonly text: string;
  readonly data: Data;
  readonly code: string | undefined;
  /** Message and hint of the error. */
  readonly message: string;
}

type More = Parameters<TestApp["call"]>[2];

export function grep(pawl: TestApp, payload: unknown, more: More = {}): Promise<SearchAnswer<GrepData>> {
  return search<GrepData>(pawl, { tool: "Grep", payload, more });
}

export function glob(pawl: TestApp, payload: unknown, more: More = {}): Promise<SearchAnswer<GlobData>> {
  return search<GlobData>(pawl, { tool: "Glob", payload, more });
}

/** An app whose workspace holds these files. */
export async function appWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<TestApp> {
  const pawl = await testApp();
  for (const [name, content] of Object.entries(files)) pawl.file(name, content);
  return pawl;
}

/** The files that match, in the order of their paths. */
export async function grepped(pawl: TestApp, payload: unknown): Promise<string[]> {
  return (await grep(pawl, payload)).data.filenames.toSorted();
}

/** The lines that content mode shows. */
export async function greppedLines(pawl: TestApp, payload: Record<string, unknown>): Promise<string[]> {
  const { data } = await grep(pawl, { output_mode: "content", ...payload });
  return data.content === "" ? [] : (data.content ?? "").split("\n");
}

async function search<Data>(
  pawl: TestApp,
  call: { readonly tool: string; readonly payload: unknown; readonly more: More },
): Promise<SearchAnswer<Data>> {
  const { success, text, error, data } = await pawl.call(call.tool, call.payload, call.more);
  return { success, text, data: data as Data, code: error?.code, message: `${error?.message} ${error?.hint}` };
}
