import { expect, test } from "vitest";
import { startEngines } from "../../src/app/engines.ts";
import { EnginesUnavailable } from "../../src/app/engines-unavailable.ts";
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

test("a default voice that nobody has is told with those that there are", async () => {
  const env = { DEFAULT_VOICE: "nobody" };
  const starting = startEngines(readConfig(env), env, adapterDeps({ clock: new SystemClock() }));
  await expect(starting).rejects.toThrow(
    /DEFAULT_VOICE is nobody, .* there are .*flite-rms.*; not running are .*kokoro/u,
  );
});
