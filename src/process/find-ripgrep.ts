import { createRequire } from "node:module";

/** The ripgrep that came with the package, else the system's own; undefined when there is none. */
export async function findRipgrep(onPath: (name: string) => string | undefined): Promise<string | undefined> {
  try {
    // Not `import()`, which a bundle that is run with cached code cannot do.
    const { rgPath } = createRequire(import.meta.url)("@vscode/ripgrep") as { rgPath: string };
    return rgPath;
  } catch {
    // Its part for this platform was not installed.
    return onPath("rg");
  }
}
