import type { PromMetrics } from "../adapters/metrics/prom.ts";
import { withDeadline } from "../ports/clock.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { State } from "./stopping.ts";
import type { Stores } from "./stores.ts";

type CapacityParts = Readonly<{
  deps: AdapterDeps & Readonly<{ metrics: PromMetrics }>;
  stores: Pick<Stores, "store">;
}>;

/** Well below the 10 s that a scrape may take, so that the other figures come also when the database is away. */
const BACKLOG_MS = 2_000;

/** Shows the room of this process and, beside the API, what waits in the queue of the whole deployment. */
export const watchCapacity = (role: "all" | "api" | "worker", { deps, stores }: CapacityParts, state: State): void => {
  const { worker } = state;
  if (worker !== undefined) deps.metrics.watchWorker(() => worker.load);
  if (role !== "worker")
    deps.metrics.watchBacklog(() =>
      withDeadline(deps.clock, BACKLOG_MS, "reading the backlog", stores.store.dials.backlog()),
    );
};
