#!/usr/bin/env node
// Starts the bundled command line. Written so that even an old Node can read it and say what it lacks.
"use strict";
var parts = process.versions.node.split(".").map(Number);
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 18)) {
  process.stderr.write(
    "pawl needs Node.js 22.18 or newer; this is " + process.versions.node + ". See https://nodejs.org/ to update it.\n",
  );
  process.exitCode = 1;
} else {
  require("./load-bundle.cjs").loadBundle(require("node:path").join(__dirname, "..", "dist", "pawl.cjs"));
}
