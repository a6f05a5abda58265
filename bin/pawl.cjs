#!/usr/bin/env node
// Starts the bundled command line. Written so that even an old Node can read it and say what it lacks.
"use strict";
var parts = process.versions.node.split(".").map(Number);
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 18)) {
  process.stderr.write(
    "pawl needs Node.js 22.18 or newer; this is " + process.versions.node + ". See https://nodejs.org/ to update it.\n",
  );
  process.exit(1);
}
// Compiled code is kept beside the user's other caches; where that cannot be written, nothing is lost but time.
var path = require("node:path");
var cache = process.env.XDG_CACHE_HOME || path.join(require("node:os").homedir(), ".cache");
require("node:module").enableCompileCache(path.join(cache, "pawl", "compiled"));
require("../dist/pawl.cjs");
