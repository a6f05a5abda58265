// Draws docs/pawl.svg from what the built command line really prints: `npm run build && npm run picture`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const LINE_HEIGHT = 19;
const WIDTH = 900;
const INK = { prompt: "#7ee787", typed: "#e6edf3", shown: "#9da7b3", refused: "#ff7b72" };

/** What is typed, in order, in one workspace. */
const SCENES: readonly (readonly string[])[] = [
  ["exec-tool", "Bash", "sleep 60 & echo started"],
  ["exec-tool", "Bash", "env sh -c 'rm -rf $HOME/../..'"],
  ["exec-tool", "Bash", `echo "rm -rf / is only text here"`],
  ["exec-tool", "Edit", `{"file_path":"app.ini","old_string":"port = 80\\n","new_string":"port = 8080\\n"}`],
  ["exec-tool", "Grep", `{"pattern":"prot"}`],
  ["exec-tool", "Read", `{"file_path":"app.inni"}`],
  ["audit", "verify"],
];

const folder = mkdtempSync(join(tmpdir(), "pawl-picture-"));
const lines: { text: string; ink: string; prompt?: boolean }[] = [];
try {
  writeFileSync(join(folder, "app.ini"), "[server]\r\nhost = ::1\r\nport = 80\r\n");
  for (const words of SCENES) play(words);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
writeFileSync(join(ROOT, "docs/pawl.svg"), drawing());

function play(words: readonly string[]): void {
  lines.push({ text: `pawl ${words.map(quoted).join(" ")}`, ink: INK.typed, prompt: true });
  const ran = spawnSync(process.execPath, [join(ROOT, "bin/pawl.cjs"), ...words], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, PAWL_HOME: join(folder, ".pawl-home"), HOME: "/home/you" },
  });
  const ink = ran.status === 0 ? INK.shown : INK.refused;
  const shown = `${ran.stdout}${ran.stderr}`.trimEnd().replaceAll(folder, "/home/you/app");
  for (const text of shown.replaceAll(/\b\d{3,7} sleep 60/g, "4711 sleep 60").split("\n")) lines.push({ text, ink });
}

function quoted(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function drawing(): string {
  const height = lines.length * LINE_HEIGHT + 56;
  const rows = lines.map(({ text, ink, prompt }, index) => {
    const y = 50 + index * LINE_HEIGHT;
    const mark = prompt ? `<tspan fill="${INK.prompt}">$ </tspan>` : "";
    return `<text x="18" y="${y}" fill="${ink}" xml:space="preserve">${mark}${escaped(text)}</text>`;
  });
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (fill, index) => `<circle cx="${22 + index * 20}" cy="18" r="6" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" role="img" aria-label="A terminal with seven calls of pawl and their answers">
<rect width="${WIDTH}" height="${height}" rx="10" fill="#0d1117"/>
${dots.join("\n")}
${rows.join("\n")}
</svg>
`;
}

function escaped(text: string): string {
  const short = text.length > 112 ? `${text.slice(0, 110)} …` : text;
  return short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
