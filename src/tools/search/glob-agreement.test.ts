import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { glob } from "../../../test/support/search-calls.ts";
import { testApp } from "../../../test/support/test-app.ts";

describe("what GlobTool finds", () => {
  it("agrees with a plain walk", async () => {
    const pawl = await testApp();
    const name = fc.constantFrom("a", "b", "ab", ".a", "a.b", "b.a", "[a]", "a b");
    const tree = fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
    const part = fc.constantFrom("*", "a*", "*.b", "?", "**", "a", ".a", "*a*");
    const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    let run = 0;
    await fc.assert(
      fc.asyncProperty(tree, pattern, async (paths, wanted) => {
        run += 1;
        const root = join(pawl.workspace, `run${run}`);
        mkdirSync(root);
        for (const path of paths.map((parts) => join(root, ...parts))) {
          try {
            mkdirSync(dirname(path), { recursive: true });
            writeFileSync(path, "");
          } catch {
            // A folder has the name already, or a file the folder's.
          }
        }
        const { data } = await glob(pawl, { pattern: wanted, path: root });
        const plain = plainWalk(root).filter((path) => plainMatch(wanted.split("/"), path.split("/")));
        expect(data.filenames.map((path) => path.slice(`run${run}/`.length)).sort()).toEqual(plain.sort());
      }),
      { numRuns: 150 },
    );
  });
});

function plainWalk(folder: string, prefix = ""): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? plainWalk(path, `${prefix}${name}/`) : [`${prefix}${name}`];
  });
}

/** The grammar of the property above, the slow and simple way. */
function plainMatch(pattern: readonly string[], path: readonly string[]): boolean {
  const [part, ...others] = pattern;
  if (part === undefined) return path.length === 0;
  if (part === "**") {
    const isLast = others.length === 0;
    return isLast ? path.length > 0 : path.some((_, skip) => plainMatch(others, path.slice(skip)));
  }
  const [first, ...rest] = path;
  return first !== undefined && plainName(part, first) && plainMatch(others, rest);
}

function plainName(part: string, name: string): boolean {
  if (part === "") return name === "";
  if (part[0] === "*") return plainName(part.slice(1), name) || (name !== "" && plainName(part, name.slice(1)));
  return name !== "" && (part[0] === "?" || part[0] === name[0]) && plainName(part.slice(1), name.slice(1));
}
