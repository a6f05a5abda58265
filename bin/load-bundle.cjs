// Loads the bundle with V8's compiled code from an earlier run. Node's own compile cache keeps what V8 compiles before
// anything has run, which leaves out most functions; this one is taken at the end of a call, when all that it used is there.
"use strict";
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const vm = require("node:vm");

const HEAD = "(function (exports, require, module, __filename, __dirname) { ";

/** Runs the CommonJS file and the bundle's files that it requires. */
function loadBundle(entry) {
  const folder = cacheFolder();
  const loaded = new Map();
  const fresh = [];
  const load = (file) => {
    const known = loaded.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(file, module);
    const { script, cache } = compile(file, folder);
    if (cache) fresh.push({ script, cache });
    const outside = require("node:module").createRequire(file);
    const inside = (name) =>
      /^\.\/[^/]+\.cjs$/.test(name) ? load(path.join(path.dirname(file), name)) : outside(name);
    script.runInThisContext().call(module.exports, module.exports, inside, module, file, path.dirname(file));
    return module.exports;
  };
  // A call of a tool is what has to start fast: its code is kept, not that of a help page.
  if (folder && process.argv[2] === "exec-tool") process.once("exit", () => fresh.forEach(keep));
  return load(entry);
}

/** `cache` is the file to keep the compiled code in; undefined when it came from there. */
function compile(file, folder) {
  const source = fs.readFileSync(file, "utf8").replace(/^#!.*/, "");
  const cache = folder && cacheFile(file, folder);
  const cachedData = cache && readIfThere(cache);
  const script = new vm.Script(`${HEAD}${source}\n})`, {
    filename: file,
    cachedData,
  });
  return { script, cache: cachedData && !script.cachedDataRejected ? undefined : cache };
}

/** Whole or not at all; where it cannot be written, nothing is lost but time. */
function keep({ script, cache }) {
  const draft = `${cache}.${process.pid}`;
  try {
    fs.mkdirSync(path.dirname(cache), { recursive: true, mode: 0o700 });
    fs.writeFileSync(draft, script.createCachedData(), { mode: 0o600, flag: "wx" });
    fs.renameSync(draft, cache);
  } catch {
    fs.rmSync(draft, { force: true });
  }
}

/** V8 itself refuses data of another version; the rest of the name tells one build of the file from another. */
function cacheFile(file, folder) {
  const { size, mtimeMs } = fs.statSync(file);
  return path.join(folder, `${path.basename(file)}-${process.versions.v8}-${size}-${Math.floor(mtimeMs)}`);
}

function cacheFolder() {
  const own = process.env.XDG_CACHE_HOME;
  if (own && path.isAbsolute(own)) return path.join(own, "pawl", "compiled");
  const home = process.env.HOME || os.homedir();
  return home && path.isAbsolute(home) ? path.join(home, ".cache", "pawl", "compiled") : undefined;
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

module.exports = { loadBundle };
