import { report, type ReportDeps } from "../dials/report.ts";
import type { InboundCalls } from "../dials/answer-inbound.ts";
import { toError } from "../kit/errors.ts";
import type { Carrier, CarrierCall, CarrierHost, InboundCall } from "../ports/carrier.ts";
import { withDeadline, type Clock } from "../ports/clock.ts";
import type { LiveState } from "../ports/live.ts";
import type { DialStore } from "../ports/store.ts";
import type { Transport } from "../ports/transport.ts";
import type { Lines } from "./lines.ts";

export type CarrierHostDeps = ReportDeps &
  Readonly<{
    clock: Clock;
    live: Pick<LiveState, "takeTicket">;
    dials: Pick<DialStore, "findByCall">;
    lines: Pick<Lines, "arrived">;
    /** Answers who rings, by a dial that this process holds. */
    inbound: InboundCalls;
    /** A dial's row may have changed. */
    onReport(dialId: string): void;
  }>;

/** Takes what a carrier brings that speaks a protocol of its own in this process; the tokens of media addresses work as they do for sockets. */
export const carrierHost = (deps: CarrierHostDeps, carrier: Carrier): CarrierHost => ({
  line: (mediaUrl, line) => {
    void bringLine(deps, carrier, mediaUrl, line);
  },
  report: (call, dialId) => {
    void takeReport(deps, carrier, call, dialId);
  },
  ring: (call) => {
    void takeRinging(deps, carrier, call);
  },
});

const TICKET_MS = 2000;

/** A turned-away caller is told within a second, or by nobody. */
const DECLINE_MS = 1000;

const bringLine = async (
  { clock, live, lines, logger }: CarrierHostDeps,
  carrier: Carrier,
  mediaUrl: string,
  line: Transport,
): Promise<void> => {
  try {
    const token = mediaUrl.slice(mediaUrl.lastIndexOf("/") + 1);
    const ticket = await withDeadline(clock, TICKET_MS, "taking a media ticket", live.takeTicket(token));
    if (ticket?.carrier === carrier.name && lines.arrived(ticket, line)) return;
    logger.warn("nobody waits for this media line", { dialId: ticket?.dialId });
  } catch (error) {
    logger.error("taking a media line failed", { provider: carrier.name, error: toError(error) });
  }
  line.close();
};

const takeReport = async (
  deps: CarrierHostDeps,
  carrier: Carrier,
  call: CarrierCall,
  known: string | undefined,
): Promise<void> => {
  try {
    const dialId = known ?? (await deps.dials.findByCall(carrier.name, call.callId));
    if (dialId === undefined) return;
    await report(deps, { dialId, call });
    deps.onReport(dialId);
  } catch (error) {
    // The carrier still knows, and is asked.
    deps.logger.warn("a carrier's report was not taken", { provider: carrier.name, error: toError(error) });
  }
};

const takeRinging = async (deps: CarrierHostDeps, carrier: Carrier, call: InboundCall): Promise<void> => {
  try {
    await deps.inbound.answer(carrier, call);
  } catch (error) {
    deps.logger.error("an inbound call could not be answered", { provider: carrier.name, error: toError(error) });
    const patience = new AbortController();
    const timer = deps.clock.setTimer(DECLINE_MS, () => patience.abort());
    await carrier.decline?.(call, "busy", patience.signal).catch(() => undefined);
    timer.cancel();
  }
};
