import { defineConfig } from "vitest/config";

// Tests that run at the speed of sound would hear other tests' load as gaps: they go last, one file at a time.
const realTime = ["test/integration/**/*.test.ts", "test/e2e/**/*.test.ts", "test/**/*-sound.test.ts"];

export default defineConfig({
  test: {
    pool: "forks",
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.d.ts"],
      reporter: ["text-summary", "json-summary", "html"],
      thresholds: { "src/call/**": { lines: 95 } },
    },
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: realTime,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "real-time",
          include: realTime,
          fileParallelism: false,
          maxWorkers: 1,
          maxConcurrency: 20,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
