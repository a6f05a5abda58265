import type { ProgramCheck } from "./checks.ts";

const VERSION = ["--version"];

/** The programs that Pawl's tools use, and how each system gets them. */
export const PROGRAMS: readonly ProgramCheck[] = [
  {
    name: "bash",
    programs: ["bash"],
    versionArguments: VERSION,
    neededFor: "BashTool",
    debian: "apt-get install bash",
    mac: "comes with macOS; newer: brew install bash",
    windows: "winget install Git.Git",
  },
  {
    name: "git",
    programs: ["git"],
    versionArguments: VERSION,
    neededFor: "repositories and worktrees",
    debian: "apt-get install git",
    mac: "xcode-select --install",
    windows: "winget install Git.Git",
  },
  {
    name: "ssh",
    programs: ["ssh"],
    versionArguments: ["-V"],
    neededFor: "remote hosts",
    debian: "apt-get install openssh-client",
    mac: "comes with macOS",
    windows: "Settings, Optional features, OpenSSH Client",
  },
  {
    name: "PowerShell",
    programs: ["pwsh", "powershell"],
    versionArguments: ["-NoProfile", "-Command", "$PSVersionTable.PSVersion.ToString()"],
    neededFor: "PowerShell commands",
    debian: "see https://learn.microsoft.com/powershell/scripting/install/install-debian",
    mac: "brew install powershell",
    windows: "winget install Microsoft.PowerShell",
  },
  {
    name: "PostgreSQL",
    programs: ["psql"],
    versionArguments: VERSION,
    neededFor: "a store that many machines share",
    debian: "apt-get install postgresql",
    mac: "brew install postgresql",
    windows: "winget install PostgreSQL.PostgreSQL",
  },
  languageServer("TypeScript", ["typescript-language-server", "tsc"], "npm install -g typescript"),
  languageServer("Python", ["pyright-langserver", "pylsp"], "npm install -g pyright", ["--help"]),
  languageServer("C and C++", ["clangd"], "apt-get install clangd, or brew install llvm"),
  languageServer("Go", ["gopls"], "go install golang.org/x/tools/gopls@latest", ["version"]),
  languageServer("Rust", ["rust-analyzer"], "rustup component add rust-analyzer"),
  languageServer("Bash", ["bash-language-server"], "npm install -g bash-language-server"),
];

function languageServer(...[language, programs, install, versionArguments = VERSION]: LanguageServer): ProgramCheck {
  const name = `language server: ${language}`;
  return {
    name,
    programs,
    versionArguments,
    neededFor: `code intelligence for ${language}`,
    debian: install,
    mac: install,
    windows: install,
  };
}

type LanguageServer = [
  language: string,
  programs: readonly string[],
  install: string,
  versionArguments?: readonly string[],
];
