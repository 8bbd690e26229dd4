import type { AdapterDeps } from "../../../src/ports/descriptor.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import type { Metrics } from "../../../src/ports/metrics.ts";
import type { ModelFiles } from "../../../src/ports/model-files.ts";
import { SeededRandom } from "../../kit/seeded-random.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

const uncounted: Metrics = {
  dialCreated: () => undefined,
  dialEnded: () => undefined,
  callStarted: () => undefined,
  callEnded: () => undefined,
  stage: () => undefined,
  bargeIn: () => undefined,
  providerError: () => undefined,
  framesDropped: () => undefined,
  framesLate: () => undefined,
  httpRequest: () => undefined,
  expose: () => Promise.resolve({ contentType: "text/plain", body: "" }),
};

/** What an adapter is given: a clock whose deadlines fire only when the test moves it, and nothing pulled unless told. */
export const adapterDeps = (
  given: Readonly<{ clock?: VirtualClock; modelFiles?: ModelFiles; dataDir?: string }> = {},
): AdapterDeps => ({
  clock: given.clock ?? new VirtualClock(),
  random: new SeededRandom(),
  logger: silent,
  metrics: uncounted,
  modelFiles: given.modelFiles ?? {
    find: () => Promise.resolve(undefined),
    derive: () => Promise.resolve(undefined),
  },
  dataDir: given.dataDir ?? "",
});
