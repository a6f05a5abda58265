import { cpSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { defineConfig } from "tsdown";

const require = createRequire(import.meta.url);

/** The grammars that the shell parser loads at run time. */
const ASSETS = ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"];

const common = {
  format: "esm",
  platform: "node",
  target: "node22.18",
  outDir: "dist",
  fixedExtension: false,
  report: false,
  failOnWarn: false,
} as const;

export default defineConfig([
  {
    ...common,
    entry: { "cli/main": "src/cli/main.ts", index: "src/index.ts" },
    clean: true,
    minify: true,
    dts: false,
    // Start-up is what a command line is felt by: all code is bundled, but what brings a program of its own.
    deps: { alwaysBundle: [/./], neverBundle: [/^@vscode\/ripgrep/] },
    // The parser's glue code tells its platform by `eval`; it is not ours to change.
    checks: { eval: false },
    hooks: {
      "build:done": ({ options }) => {
        const assets = join(options.outDir, "assets");
        mkdirSync(assets, { recursive: true });
        for (const asset of ASSETS) cpSync(require.resolve(asset), join(assets, basename(asset)));
      },
    },
  },
  {
    ...common,
    entry: { index: "src/index.ts" },
    clean: false,
    dts: { emitDtsOnly: true },
    // The types of zod come with the package that the types name.
    deps: { neverBundle: [/^zod/] },
  },
]);
