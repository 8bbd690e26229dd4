import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/kit/longest-first.ts";

// Tests that measure sound or latency would take other tests' load for a fault: they go last, one file at a time.
const alone = ["test/e2e/demo.test.ts", "test/e2e/black-hole.test.ts", "test/**/*-sound.test.ts"];

// Whole services in real time mostly wait, for phones that ring and people that speak, and can do so side by side.
const waiting = ["test/integration/**/*.test.ts", "test/e2e/**/*.test.ts", "test/nemesis/**/*.test.ts"];

// Databases and sockets, and more so neural models and whole processes in real time, meet the machine's other load, which one
// more try tells from a fault; what took another try is shown as such.
const retry = 1;
const inRealTime = { maxConcurrency: 20, testTimeout: 120_000, hookTimeout: 120_000, retry: 2 };

// What keeps no state beyond a test: the files of a worker share what they import, which takes longer than most of them run. Of
// the call loop, three replace a module, measure memory or hear with neural models; the rest is a project of its own, which the
// gate runs with coverage.
const call = ["test/call/!(hearing|many-calls|barge-in-heard).test.ts"];
const together = ["test/{audio,dialogue,endpointing}/**/*.test.ts"];

export default defineConfig({
  test: {
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    retry,
    sequence: { sequencer: LongestFirst },
    setupFiles: "test/kit/seeded-properties.ts",
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
          exclude: [...waiting, ...alone, ...together, ...call],
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "together",
          include: together,
          exclude: alone,
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "call",
          include: call,
          exclude: alone,
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "waiting",
          include: waiting,
          exclude: alone,
          // With four, calls of two cores are late now and then, and what takes another try takes its time again.
          maxWorkers: 3,
          ...inRealTime,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: alone,
          fileParallelism: false,
          maxWorkers: 1,
          ...inRealTime,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
