import { PromMetrics } from "../../src/adapters/metrics/prom.ts";
import type { AdapterDeps } from "../../src/ports/descriptor.ts";
import { SeededRandom } from "./seeded-random.ts";
import { silentLogger } from "./silent-logger.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** What an adapter is given when a test does not say otherwise: time that stands still, no model files, nowhere to write. */
export const adapterDeps = (given: Partial<AdapterDeps> = {}): AdapterDeps => ({
  clock: new VirtualClock(),
  random: new SeededRandom(),
  logger: silentLogger(),
  metrics: new PromMetrics(),
  modelFiles: { find: () => Promise.resolve(undefined), derive: () => Promise.resolve(undefined) },
  // Nobody can make a folder there, whoever runs the tests.
  dataDir: "/dev/null/nowhere",
  ...given,
});
