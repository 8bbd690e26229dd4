import type { AdapterDeps } from "../../../src/ports/descriptor.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { SeededRandom } from "../../kit/seeded-random.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

/** What a language model may use; the parts that none of them uses fail when touched. */
export const adapterDeps = (clock = new VirtualClock()): AdapterDeps => ({
  clock,
  random: new SeededRandom(),
  logger: silent,
  dataDir: "/nonexistent",
  get metrics(): never {
    throw new Error("a language model counts nothing by itself");
  },
  get modelFiles(): never {
    throw new Error("a language model needs no files");
  },
});
