import { InboundCalls } from "../dials/answer-inbound.ts";
import type { CallbackTokens } from "../dials/callback-token.ts";
import type { DialTraces } from "../dials/dial-traces.ts";
import type { Engines } from "../dials/engines.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Carrier } from "../ports/carrier.ts";
import type { AdapterDeps } from "../ports/descriptor.ts";
import type { HttpCaller } from "../ports/http-caller.ts";
import { carrierHost } from "../worker/carrier-host.ts";
import type { Lines } from "../worker/lines.ts";
import type { Worker } from "../worker/worker.ts";
import type { Stores } from "./stores.ts";

type Parts = Readonly<{
  deps: AdapterDeps & Readonly<{ metrics: Metrics }>;
  traces: DialTraces | undefined;
  stores: Stores;
  http: HttpCaller;
  engines: Engines;
  lines: Lines;
  callbacks: CallbackTokens;
  publicUrl: string;
}>;

/**
 * Lets carriers listen that speak a protocol of their own. Who rings there is answered by this process's worker, which holds the
 * connection, and by no other. Rejects when one cannot listen.
 */
export const listenDirectly = async (parts: Parts, carriers: Iterable<Carrier>, worker: Worker): Promise<void> => {
  const { deps, traces, stores, http, engines, lines, callbacks, publicUrl } = parts;
  const { dials, outbox } = stores.store;
  const queue = {
    add: async (dialId: string, jobId = "") => {
      worker.take(dialId);
      return jobId;
    },
  };
  const own = { ...deps, ...stores, traces, dials, outbox, http, engines, callbacks, publicUrl: () => publicUrl };
  const inbound = new InboundCalls({ ...own, queue });
  const onReport = (dialId: string) => worker.nudge(dialId);
  for (const carrier of carriers) await carrier.listen?.(carrierHost({ ...own, lines, inbound, onReport }, carrier));
};
