// The user's settings file, `config.json` in PAWL_HOME.
import { z } from "zod";
import { DEFAULT_SETTINGS } from "./default-settings.ts";

const { output, store } = DEFAULT_SETTINGS;

const role = z.enum(["read", "write", "execute"]).describe("The most that the local user's calls may do.");

/** Strict: a misspelt key is an error, never dropped. */
export const configFileSchema = z.strictObject({
  role: role.default(DEFAULT_SETTINGS.role),
  shell: z
    .string()
    .min(1)
    .optional()
    .describe("Absolute path of the bash that BashTool runs; found on PATH by default."),
  output: z
    .strictObject({
      max_characters: z
        .int()
        .min(1_000)
        .max(150_000)
        .default(output.max_characters)
        .describe("Characters of output that a result shows; the rest goes to a file."),
      max_spill_bytes: z
        .int()
        .min(1_048_576)
        .max(5_368_709_120)
        .default(output.max_spill_bytes)
        .describe("Bytes of one call's output that are kept in a file."),
      keep_days: z.int().min(1).max(3_650).default(output.keep_days).describe("Days that such files are kept."),
    })
    .prefault({}),
  store: z
    .strictObject({
      synchronous: z
        .enum(["normal", "full"])
        .default(store.synchronous)
        .describe("`full` survives a power cut to the last row; `normal` survives a kill, and is faster."),
    })
    .prefault({}),
  workspace: z
    .strictObject({
      additional_directories: z
        .array(z.string().min(1))
        .default([])
        .describe("Absolute paths outside the workspace that tools may also read and write."),
    })
    .prefault({}),
});

export type ConfigFile = z.output<typeof configFileSchema>;

/** One frozen value, made by `load-config.ts`; nothing else reads the environment. */
export interface Config extends ConfigFile {
  /** PAWL_HOME, absolute. */
  readonly home: string;
  readonly configPath: string;
  readonly userHome: string;
  readonly userName: string;
  /** The environment that programs inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}
