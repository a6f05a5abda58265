import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "../core/errors.ts";

/** A path as people and clients write it (`~`, relative, `file://`), absolute. What it leads to is not looked at. */
export function expandPath(
  path: string,
  base: { readonly workingDirectory: string; readonly userHome: string },
): string {
  if (/^file:\/\//i.test(path)) return fromFileUrl(path);
  if (path === "~") return base.userHome;
  if (path.startsWith("~/")) return join(base.userHome, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(base.workingDirectory, path);
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw new ToolError("invalid_input", `${JSON.stringify(url.slice(0, 200))} is not a file URL of this machine`, {
      hint: "Give the path itself.",
      cause: error,
    });
  }
}
