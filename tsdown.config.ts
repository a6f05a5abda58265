import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { defineConfig, type InlineConfig } from "tsdown";

const require = createRequire(import.meta.url);

/** The grammars that the shell parser loads at run time. */
const ASSETS = ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"];

const common: InlineConfig = {
  platform: "node",
  target: "node22.18",
  outDir: "dist",
  fixedExtension: false,
  report: false,
  failOnWarn: false,
  logLevel: "error",
};

/** All code is bundled, but what brings a program of its own. */
const bundled: InlineConfig = {
  minify: true,
  dts: false,
  shims: true,
  deps: { alwaysBundle: [/./], neverBundle: [/^@vscode\/ripgrep/], onlyBundle: false },
  // The parser's glue code tells its platform by `eval`; it is not ours to change.
  checks: { eval: false },
};

export default defineConfig([
  {
    ...common,
    ...bundled,
    // CommonJS: as an ES module every `node:` import would load all that the module offers, some of it large, at each start.
    format: "cjs",
    entry: { pawl: "src/cli/main.ts" },
    clean: true,
    outputOptions: {
      // Each file costs a start the time to find, read and link it: what a call needs whatever the tool is in one.
      codeSplitting: {
        groups: [
          { name: "call", test: isNeededByEveryCall },
          { name: "shell", test: isNeededByShellCalls },
        ],
      },
    },
    hooks: {
      "build:done": ({ options }) => {
        const assets = join(options.outDir, "assets");
        mkdirSync(assets, { recursive: true });
        for (const asset of ASSETS) cpSync(require.resolve(asset), join(assets, basename(asset)));
        for (const name of readdirSync(options.outDir)) {
          if (name.endsWith(".cjs")) makeQuick(join(options.outDir, name));
        }
      },
    },
  },
  { ...common, ...bundled, format: "esm", entry: { index: "src/index.ts" }, clean: false },
  {
    ...common,
    format: "esm",
    entry: { index: "src/index.ts" },
    clean: false,
    dts: { emitDtsOnly: true },
    // The types of zod come with the package that the types name.
    deps: { neverBundle: [/^zod/], onlyBundle: false },
  },
]);

/**
 * Makes a file of the bundle quick to load: a source with one letter beyond ASCII is kept, read and compared by V8 in twice
 * the memory, and a script that is run with cached code knows no `import()`, of which only Node's own modules are left.
 */
function makeQuick(path: string): void {
  const source = readFileSync(path, "utf8")
    .replaceAll(/\bimport\((["'`])((?:node:)?(?:v8|module|fs\/promises))\1\)/g, 'Promise.resolve(require("$2"))')
    .replaceAll(/[^\x00-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  writeFileSync(path, source);
}

function isNeededByEveryCall(id: string): boolean {
  if (id.includes("node_modules")) {
    return /\/(?:zod|kysely|@noble)\//.test(id) && !/locales|migration|introspect|json-schema/.test(id);
  }
  // What the command line needs before it knows what is asked stays with it.
  if (
    /\/src\/core\/(?:errors|version|nearest|replace-file)\.ts$|\/src\/(?:store\/migrations|audit\/audit-query)/.test(id)
  )
    return false;
  return /\/src\/(?:core|config\/(?:load|default)|events|store|audit|governance\/(?:path|canonical|roles|command-guard)|runtime|app\/create-app|tools\/[^/]+\.ts|cli\/with-app|cli\/commands\/exec-tool)/.test(
    id,
  );
}

/** Without the grammar, which only a command that is more than plain words needs. */
function isNeededByShellCalls(id: string): boolean {
  return (
    /\/src\/(?:tools\/shell|process|governance\/(?:command|shell))/.test(id) &&
    !/shell-parser|find-ripgrep|process-table-(?:ps|windows)|spill-output/.test(id)
  );
}
