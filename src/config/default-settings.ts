/** What holds where the settings file says nothing. Apart from the schema, which a call without a settings file need not load. */
export const DEFAULT_SETTINGS = {
  role: "execute",
  output: { max_characters: 30_000, max_spill_bytes: 1_073_741_824, keep_days: 7 },
  store: { synchronous: "normal" },
  workspace: { additional_directories: [] },
} as const;
