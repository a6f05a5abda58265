// Files and environment become one frozen value. The only reader of process.env.
import { readFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { isSystemError, ToolError } from "../core/errors.ts";
import type { Config, ConfigFile } from "./config-schema.ts";
import { DEFAULT_SETTINGS } from "./default-settings.ts";

export interface ConfigSources {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Wins over the environment: the library's own word. */
  readonly home?: string;
  readonly role?: ConfigFile["role"];
}

/**
 * Reads `PAWL_HOME`, `PAWL_ROLE`, `PAWL_SHELL` and `config.json`.
 * Throws `invalid_input` with the line when the file does not parse: it is never taken as empty.
 */
export async function loadConfig(sources: ConfigSources = {}): Promise<Config> {
  const environment = Object.freeze({ ...(sources.environment ?? process.env) });
  const userHome = environment.HOME || homedir();
  const home = homeDirectory(sources.home, environment, userHome);
  const configPath = join(home, "config.json");
  const file = await readSettings(configPath);
  const role = sources.role ?? roleOf(environment.PAWL_ROLE) ?? file.role;
  const shell = environment.PAWL_SHELL || file.shell;
  return Object.freeze({
    ...file,
    role,
    ...(shell && { shell }),
    home,
    configPath,
    userHome,
    userName: environment.USER || environment.USERNAME || systemUserName(),
    environment,
  });
}

async function readSettings(path: string): Promise<ConfigFile> {
  const text = readConfigText(path);
  if (text === undefined) return structuredClone(DEFAULT_SETTINGS) as unknown as ConfigFile;
  const { configFileSchema } = await import("./config-schema.ts");
  return parseConfig(text, path, configFileSchema);
}

type Schema = typeof import("./config-schema.ts").configFileSchema;

/** Parses and checks the text of a settings file; `undefined` stands for no file. */
export function parseConfig(text: string | undefined, path: string, schema: Schema): ConfigFile {
  let value: unknown = {};
  if (text !== undefined) {
    try {
      value = JSON.parse(text);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ToolError("invalid_input", `${path} is not valid JSON: ${why}`, {
        hint: "Mend the file or move it aside.",
      });
    }
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "(top level)";
  throw new ToolError("invalid_input", `${path}: ${where}: ${issue?.message}`, {
    hint: "Mend the file or move it aside; docs/settings.md has the keys.",
  });
}

function readConfigText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isSystemError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw new ToolError("io_error", `The settings file ${path} cannot be read`, {
      hint: "Check its owner and mode.",
      cause: error,
    });
  }
}

function homeDirectory(own: string | undefined, environment: Config["environment"], userHome: string): string {
  if (own) return resolve(own);
  const named = environment.PAWL_HOME;
  if (named) {
    if (isAbsolute(named)) return resolve(named);
    throw new ToolError("invalid_input", `PAWL_HOME is ${JSON.stringify(named)}`, {
      hint: "It has to be an absolute path.",
    });
  }
  if (process.platform === "win32" && environment.LOCALAPPDATA) return join(environment.LOCALAPPDATA, "pawl");
  const state = environment.XDG_STATE_HOME;
  return join(state && isAbsolute(state) ? state : join(userHome, ".local", "state"), "pawl");
}

function roleOf(value: string | undefined): ConfigFile["role"] | undefined {
  if (value === undefined || value === "") return undefined;
  if (value === "read" || value === "write" || value === "execute") return value;
  throw new ToolError("invalid_input", `PAWL_ROLE is ${JSON.stringify(value)}`, {
    hint: "It is read, write or execute.",
  });
}

function systemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
