import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/leave-nothing.ts", "test/support/build-once.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A floating rejection is a fault, wherever it comes from.
    dangerouslyIgnoreUnhandledErrors: false,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts", "src/cli/main.ts", "src/**/*-types.ts"],
      reporter: ["text-summary", "json-summary", "text"],
      thresholds: { lines: 90 },
    },
  },
});
