// Writes the pages that come from the registry and the error table; with --check, says which are out of date.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadConfig } from "../src/config/load-config.ts";
import { systemClock } from "../src/core/clock.ts";
import { ERROR_CODES } from "../src/core/errors.ts";
import { ALL_COMMANDS } from "../src/commands/all-commands.ts";
import { parametersOf } from "../src/registry/describe-tool.ts";
import { ALL_TOOLS } from "../src/registry/catalog/all-tools.ts";
import type { ToolMetadata } from "../src/registry/tool-metadata.ts";
import type { BaseTool } from "../src/tools/base-tool.ts";

const DOCS = resolve(import.meta.dirname, "../docs");
const NOTICE = "<!-- Made by `npm run generate`; change the tool instead. -->\n";

const pages = new Map<string, string>();
const config = await loadConfig({ environment: {}, home: "/nonexistent" });
const services = { config, clock: systemClock, withFileLock: async <T>(critical: () => Promise<T>) => critical() };
for (const row of ALL_TOOLS) pages.set(`tools/${row.name}.md`, toolPage(row, await row.load(services)));
pages.set("tools/README.md", toolIndex());
pages.set("errors.md", errorPage());
pages.set("commands.md", commandPage());

if (process.argv.includes("--check")) {
  const stale = [...pages].filter(
    ([path, text]) => !existsSync(join(DOCS, path)) || readFileSync(join(DOCS, path), "utf8") !== text,
  );
  const names = [...stale.map(([path]) => path), ...orphans()];
  if (names.length > 0)
    console.error(`Out of date, run \`npm run generate\`: ${names.map((name) => `docs/${name}`).join(", ")}`);
  process.exitCode = names.length > 0 ? 1 : 0;
} else {
  mkdirSync(join(DOCS, "tools"), { recursive: true });
  for (const name of orphans()) rmSync(join(DOCS, name));
  for (const [path, text] of pages) writeFileSync(join(DOCS, path), text);
}

function orphans(): string[] {
  if (!existsSync(join(DOCS, "tools"))) return [];
  return readdirSync(join(DOCS, "tools"))
    .map((name) => `tools/${name}`)
    .filter((name) => !pages.has(name));
}

function toolPage(row: ToolMetadata, tool: BaseTool): string {
  const { governance } = row;
  const parameters = parametersOf(tool).map(
    (parameter) =>
      `| \`${parameter.name}\` | ${cell(parameter.type)} | ${parameter.required ? "yes" : "no"} | ${cell(parameter.description)} | ${parameter.synonyms.map((name) => `\`${name}\``).join(", ")} |`,
  );
  const examples = tool.examples.map((example) => {
    const files = Object.entries(example.files ?? {}).map(
      ([name, text]) => `With \`${name}\`:\n\n\`\`\`text\n${text.replace(/\n$/, "")}\n\`\`\`\n\n`,
    );
    return `### ${example.title}\n\n${files.join("")}\`\`\`sh\npawl exec-tool ${row.wireNames[0]} '${JSON.stringify(example.payload).replaceAll("'", "'\\''")}'\n\`\`\`\n\nThe answer contains \`${example.shows.replaceAll("\n", "\\n")}\`.\n`;
  });
  return [
    `# ${row.name}\n\n${NOTICE}`,
    `Also called ${row.wireNames.map((name) => `\`${name}\``).join(", ")}.\n`,
    `${tool.description}\n`,
    "| access | article | approval | timeout | at most | agent | needs |\n|---|---|---|---|---|---|---|",
    `| ${row.access} | ${governance.article} | ${governance.requiresApproval ? "yes" : "no"} | ${governance.timeoutSeconds} s | ${governance.ceilingSeconds} s | ${row.agent} | ${row.dependencies.join(", ") || "nothing"} |\n`,
    "## Parameters\n",
    parameters.length === 0
      ? "None.\n"
      : `| name | type | required | meaning | other spellings |\n|---|---|---|---|---|\n${parameters.join("\n")}\n`,
    examples.length === 0 ? "" : `## Examples\n\nA test runs each of them.\n\n${examples.join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function toolIndex(): string {
  const rows = ALL_TOOLS.map(
    (row) => `| [${row.name}](${row.name}.md) | ${row.access} | ${row.governance.article} | ${row.summary} |`,
  );
  return `# Tools\n\n${NOTICE}\n| tool | access | article | what it does |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

function errorPage(): string {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { exitStatus, httpStatus, retryable, meaning }]) =>
      `| \`${code}\` | ${exitStatus} | ${httpStatus} | ${retryable ? "yes" : "no"} | ${meaning} |`,
  );
  return `# Error codes\n\n${NOTICE}\nEvery failed call has \`success: false\` and an \`error\` with a stable \`code\`, a \`message\` that says what happened with the value that caused it, and a \`hint\` that says what to do next. A failed call may still carry what it had: partial output, an exit code.\n\n| code | exit status | HTTP | retry | meaning |\n|---|---|---|---|---|\n${rows.join("\n")}\n`;
}

function commandPage(): string {
  const rows = ALL_COMMANDS.map(
    (row) => `| \`${row.usage.replaceAll("|", "\\|")}\` | ${row.summary} | ${row.aliases.join(", ")} |`,
  );
  return `# Slash commands\n\n${NOTICE}\nEach runs as \`pawl exec-command NAME PROMPT\`.\n\n| command | what it does | also |\n|---|---|---|\n${rows.join("\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
