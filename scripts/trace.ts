// Requirement → the tests that cite it: `npm run trace`. Exits 1 while an id has no test.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

const wanted = [
  ...range("REQ-062-", 1, 91),
  ...range("REQ-062-", 101, 134),
  ...range("S-", 1, 5),
  ...range("P-", 1, 13),
];
const cited = new Map<string, Set<string>>();
for (const file of testFiles()) {
  for (const [id] of readFileSync(join(ROOT, file), "utf8").matchAll(/\b(?:REQ-062-\d{3}|[SP]-\d{3})\b/g)) {
    cited.set(id, (cited.get(id) ?? new Set()).add(file));
  }
}
const open = wanted.filter((id) => !cited.has(id));
const strange = [...cited.keys()].filter((id) => !wanted.includes(id));
for (const id of wanted) console.log(`${id.padEnd(12)} ${[...(cited.get(id) ?? [])].join(", ") || "-"}`);
console.log(`\n${wanted.length - open.length} of ${wanted.length} requirements have a test.`);
if (strange.length > 0) console.log(`Cited, but no requirement: ${strange.join(", ")}`);
process.exitCode = open.length > 0 || strange.length > 0 ? 1 : 0;

function range(prefix: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `${prefix}${String(first + index).padStart(3, "0")}`);
}

function testFiles(): string[] {
  return ["src", "test"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );
}
