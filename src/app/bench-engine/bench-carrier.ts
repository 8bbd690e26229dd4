import { acceptMediaLine, type MediaLineDeps } from "../../adapters/carrier/streaming/media-line.ts";
import { TwilioDialect } from "../../adapters/carrier/twilio/stream-dialect.ts";
import type { Carrier } from "../../ports/carrier.ts";

export const BENCH_CARRIER = "bench";

/** A carrier whose calls come with their sound: it rings nobody, and has nothing to say that the line does not. */
export const benchCarrier = (deps: MediaLineDeps, isOpen: (callId: string) => boolean): Carrier => ({
  name: BENCH_CARRIER,
  reports: false,
  place: async () => ({ type: "rejected", reason: "carrier_rejected" }),
  hangUp: async () => undefined,
  lookUp: async ({ callId }) => {
    if (callId === undefined) return { state: "absent", final: true };
    return isOpen(callId) ? { state: "in-progress", callId } : { state: "ended", callId, end: { cause: "completed" } };
  },
  readCallback: () => undefined,
  acceptMedia: (socket, signal) => acceptMediaLine(socket, new TwilioDialect(), deps, signal),
  close: async () => undefined,
});
