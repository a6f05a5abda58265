import { VERSION } from "../core/version.ts";
import type { SlashCommand } from "./slash-command.ts";

export const versionCommand: SlashCommand = {
  run: async () => {
    const data = { pawl: VERSION, node: process.versions.node, platform: process.platform, architecture: process.arch };
    return { text: `pawl ${VERSION} (Node.js ${data.node}, ${data.platform} ${data.architecture})`, data };
  },
};
