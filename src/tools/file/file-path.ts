// What the three file tools have in common: one file, named by `file_path` or what other clients call it.
import type { ToolContext } from "../base-tool.ts";
import type { FilePath } from "../../core/open-file.ts";

export const PATH_SYNONYMS = {
  path: "file_path",
  file: "file_path",
  filename: "file_path",
  absolute_path: "file_path",
  relative_path: "file_path",
  notebook_path: "file_path",
} as const;

/** The authorized form of the file that a call names. */
export function authorizedFile(params: { readonly file_path: string }, context: ToolContext): FilePath {
  const { canonical, display } = context.authorizedPath(params.file_path);
  return { path: canonical, shown: display };
}
