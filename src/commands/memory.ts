// The instruction files that hold in a directory (CONTRACTS §3.5): from the root of the file system down to it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "../core/errors.ts";
import type { CommandContext, SlashCommand } from "./slash-command.ts";

const NAMES = ["CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md", "CLAUDE.local.md"];
const MANAGED = "/etc/claude-code/CLAUDE.md";

interface MemoryFile {
  readonly path: string;
  readonly scope: "managed" | "user" | "project";
  readonly lines: number;
  readonly bytes: number;
  readonly text: string;
}

export const memoryCommand: SlashCommand = {
  run: async (prompt, context) => {
    if (prompt !== "" && prompt !== "show") {
      throw new ToolError("invalid_input", `memory does not know ${JSON.stringify(prompt)}`, {
        hint: "`memory` lists the files, `memory show` prints them.",
      });
    }
    const files = memoryFiles(context);
    const data = { files: files.map(({ path, scope, lines, bytes }) => ({ path, scope, lines, bytes })) };
    if (files.length === 0) return { text: "No CLAUDE.md or AGENTS.md holds here.", data };
    if (prompt === "show") return { text: files.map((file) => `# ${file.path}\n\n${file.text}`).join("\n\n"), data };
    return {
      text: files
        .map((file) => `${file.scope.padEnd(8)} ${String(file.lines).padStart(5)} lines  ${file.path}`)
        .join("\n"),
      data,
    };
  },
};

/** In the order in which they hold; a file with the same text as an earlier one is left out. */
function memoryFiles({ services, session }: CommandContext): MemoryFile[] {
  const user = join(services.config.userHome, ".claude", "CLAUDE.md");
  const places: { path: string; scope: MemoryFile["scope"] }[] = [
    { path: MANAGED, scope: "managed" },
    { path: user, scope: "user" },
  ];
  for (const directory of ancestors(session.workingDirectory)) {
    for (const name of NAMES) places.push({ path: join(directory, name), scope: "project" });
  }
  const seen = new Set<string>();
  return places.flatMap(({ path, scope }) => {
    const text = readIfFile(path);
    if (text === undefined) return [];
    const digest = createHash("sha256").update(text).digest("hex");
    if (seen.has(digest)) return [];
    seen.add(digest);
    return [
      {
        path,
        scope,
        lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
        bytes: Buffer.byteLength(text),
        text,
      },
    ];
  });
}

function ancestors(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [...ancestors(parent), directory];
}

function readIfFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
