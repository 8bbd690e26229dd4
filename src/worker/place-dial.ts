import { toError } from "../kit/errors.ts";
import { callEnd, type CallEnd } from "../model/call-end.ts";
import type { Carrier, PlaceOutcome, PlaceRequest } from "../ports/carrier.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import type { LiveState } from "../ports/live.ts";
import type { Logger } from "../ports/logger.ts";
import type { Random } from "../ports/random.ts";
import type { Claim, Ending } from "../ports/store.ts";
import type { Gate } from "./gates.ts";
import { persist, withTimeout } from "./persist.ts";

/** A request to ring may leave at most this long after the claim was asked for: a paused process may not place late. */
const PLACE_TTL_MS = 5_000;

/** How long the carrier may take to answer the one request. */
const POST_TIMEOUT_MS = 10_000;

/** How long after its acceptance a call may still be missing from the carrier's lists. */
const LIST_LAG_MS = 90_000;

const ATTEMPTS = 3;

/** The carrier's own limit on a call stands this much beyond ours, so that ours is the one that ends it. */
const TIME_LIMIT_MARGIN_MS = 60_000;

export type PlaceDeps = Readonly<{
  clock: Clock;
  random: Random;
  logger: Logger;
  live: Pick<LiveState, "issueTicket">;
  gates: readonly Gate[];
  /** Base of the media URLs, such as `wss://calls.example.com`, without a slash at its end. */
  publicWsUrl: string;
  /** The URL that the carrier reports the call's progress to; it carries its own authorization. */
  statusUrl: (dial: Readonly<{ dialId: string; carrier: string }>) => string | Promise<string>;
  /** The URL at which the carrier fetches how the call's sound is connected. */
  answerUrl: (dial: Readonly<{ dialId: string; carrier: string }>) => string;
}>;

type PlaceOrder = Readonly<{
  claim: Claim;
  carrier: Carrier;
  to: string;
  from: string;
  /** Monotonic milliseconds, read before the claim was sent: the claim itself may have been what took long. */
  claimedAt: number;
  /** Asked in the same tick as each request leaves: true once this dial must not be placed any more. */
  withdrawn: () => boolean;
}>;

/**
 * What came of it. `refused` and `withdrawn`: certainly nobody rings. `ambiguous`: somebody may, and the request must never be
 * made again.
 */
export type Placed =
  | Readonly<{ type: "accepted"; callId: string }>
  | Readonly<{ type: "ambiguous" }>
  | Readonly<{ type: "refused"; ending: Ending }>
  | Readonly<{ type: "withdrawn" }>;

/** Three minutes at the least, as the store counts it too. */
const SHORTEST_HORIZON_MS = 180_000;

/** From claim until nothing can come of the request any more, in milliseconds. */
export const horizonMs = (ringTimeoutMs: number): number =>
  Math.max(SHORTEST_HORIZON_MS, POST_TIMEOUT_MS + LIST_LAG_MS + ringTimeoutMs);

/** Asks the carrier to ring a claimed dial's number, at most once as far as anybody can know. Never rejects. */
export const placeDial = async (deps: PlaceDeps, order: PlaceOrder): Promise<Placed> => {
  const { claim } = order;
  try {
    // Who rings us is there already, and nothing is asked of the carrier; once the call may go on it counts as placed.
    const { carrierCallId, direction } = claim.plan;
    if (direction === "inbound" && carrierCallId !== undefined)
      return order.withdrawn() ? { type: "withdrawn" } : { type: "accepted", callId: carrierCallId };
    for (const gate of deps.gates) {
      const end = await gate(claim);
      if (end !== undefined) return observed(end);
    }
    const request = await prepareRequest(deps, order);
    return await tryToPlace(deps, order, request);
  } catch (error) {
    // Nothing has been sent: every way of sending answers an outcome.
    deps.logger.error("a dial could not be placed", { dialId: claim.dialId, error: toError(error) });
    return observed(callEnd("worker_lost", "system"));
  }
};

const prepareRequest = async (deps: PlaceDeps, order: PlaceOrder): Promise<PlaceRequest> => {
  const { dialId, epoch, plan } = order.claim;
  const carrier = order.carrier.name;
  const token = deps.random.secret(24);
  const left = order.claimedAt + PLACE_TTL_MS - deps.clock.monotonic();
  await persist(deps, { forMs: Math.max(left, 0), attemptMs: 2_000, maxPauseMs: 500 }, "keeping a media ticket", () =>
    // As long as a call may still appear and be answered.
    deps.live.issueTicket(token, { dialId, epoch, carrier }, horizonMs(plan.ringTimeoutMs) + plan.ringTimeoutMs),
  );
  return {
    dialId,
    to: order.to,
    from: order.from,
    ringTimeoutMs: plan.ringTimeoutMs,
    timeLimitMs: plan.maxDurationMs + TIME_LIMIT_MARGIN_MS,
    mediaUrl: `${deps.publicWsUrl}/media/${carrier}/${token}`,
    statusUrl: await deps.statusUrl({ dialId, carrier }),
    answerUrl: deps.answerUrl({ dialId, carrier }),
    ...(plan.voicemail?.carrierDetection === true ? { detectMachine: true } : {}),
  };
};

const tryToPlace = async (deps: PlaceDeps, order: PlaceOrder, request: PlaceRequest): Promise<Placed> => {
  let notSent = 0;
  let limited = false;
  const left = () => order.claimedAt + PLACE_TTL_MS - deps.clock.monotonic();
  for (;;) {
    // No await between these two checks and the request.
    if (order.withdrawn()) return { type: "withdrawn" };
    if (left() < 0) return limited ? refusedBy("rate_limited") : observed(callEnd(tooLate(notSent), "system"));
    const outcome = await ask(deps, order, request);
    switch (outcome.type) {
      case "accepted":
        return outcome;
      case "ambiguous":
        deps.logger.warn("the carrier's answer was lost; the call is being looked for", {
          dialId: request.dialId,
          error: outcome.cause,
        });
        return { type: "ambiguous" };
      case "rejected":
        return refusedBy(outcome.reason);
      case "rate-limited":
        limited = true;
        // A carrier that names no time is asked again after a quarter of a second.
        if (outcome.retryAfterMs > left()) return refusedBy("rate_limited");
        await sleep(deps.clock, Math.max(250, outcome.retryAfterMs));
        break;
      case "not-sent":
        notSent += 1;
        deps.logger.warn("the carrier could not be reached", { dialId: request.dialId, error: outcome.cause });
        if (notSent === ATTEMPTS) return observed(callEnd("carrier_error", "carrier"));
        await sleep(deps.clock, 100 * notSent);
        break;
    }
  }
};

/** The one request. Anything that is not a clear answer is ambiguous. */
const ask = async (deps: PlaceDeps, order: PlaceOrder, request: PlaceRequest): Promise<PlaceOutcome> => {
  try {
    return await withTimeout(deps.clock, POST_TIMEOUT_MS, "placing a call", (signal) =>
      order.carrier.place(request, signal),
    );
  } catch (error) {
    return { type: "ambiguous", cause: toError(error) };
  }
};

/** A dial that was asked for too late was lost by us, unless it was the carrier that could not be reached. */
const tooLate = (notSent: number) => (notSent > 0 ? "carrier_error" : "worker_lost");

const observed = (end: CallEnd): Placed => ({ type: "refused", ending: { type: "observed", evidence: 2, end } });

/** A definite refusal is the carrier's own word. */
const refusedBy = (reason: CallEnd["reason"]): Placed => ({
  type: "refused",
  ending: { type: "observed", evidence: 3, end: callEnd(reason, "carrier") },
});
