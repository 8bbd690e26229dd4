import { expect, test } from "vitest";
import { EnginesUnavailable, startEngines } from "../../src/app/engines.ts";
import { readConfig } from "../../src/config.ts";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import type { Logger } from "../../src/ports/logger.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { silentLogger } from "../kit/silent-logger.ts";

/** Threads that keep this process alive. */
const threads = () => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length;

test("engines that had started are stopped when one that is needed cannot start", async () => {
  const before = threads();
  const failures: unknown[] = [];
  const logger: Logger = { ...silentLogger(), warn: (message) => failures.push(message) };
  const starting = startEngines(readConfig({}), {}, adapterDeps({ clock: new SystemClock(), logger }));
  await expect(starting).rejects.toThrow(EnginesUnavailable);
  await expect(starting).rejects.toThrow(/there is no transcriber/u);
  expect(threads()).toBe(before);
  expect(failures).not.toContain("an engine did not close");
});
