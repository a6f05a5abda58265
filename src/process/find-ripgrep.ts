/** The ripgrep that came with the package, else the system's own; undefined when there is none. */
export async function findRipgrep(onPath: (name: string) => string | undefined): Promise<string | undefined> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    // Its part for this platform was not installed.
    return onPath("rg");
  }
}
