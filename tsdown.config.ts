import { cpSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { defineConfig } from "tsdown";

const require = createRequire(import.meta.url);

/** The grammars that the shell parser loads at run time. */
const ASSETS = ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"];

export default defineConfig({
  entry: { "cli/main": "src/cli/main.ts", index: "src/index.ts" },
  format: "esm",
  platform: "node",
  target: "node22.18",
  outDir: "dist",
  clean: true,
  minify: true,
  dts: true,
  fixedExtension: false,
  // What is bundled is a development dependency; the rest is what the package installs.
  deps: { alwaysBundle: [/./], neverBundle: [/^@vscode\/ripgrep/, /^zod/] },
  hooks: {
    "build:done": () => {
      mkdirSync("dist/assets", { recursive: true });
      for (const asset of ASSETS) cpSync(require.resolve(asset), `dist/assets/${asset.split("/").at(-1)}`);
    },
  },
});
