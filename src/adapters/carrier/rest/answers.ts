import type { EndReason } from "../../../model/call-end.ts";
import type { CarrierHttpOutcome } from "../../../ports/carrier-http.ts";
import type { PlaceOutcome } from "../../../ports/carrier.ts";

export type Answered = Extract<CarrierHttpOutcome, Readonly<{ type: "answered" }>>;

/** A carrier did not do what it was asked for, or its answer was lost; the message carries nothing of what was sent. */
export class CarrierRequestFailed extends Error {
  override readonly name = "CarrierRequestFailed";
  /** Of the answer; `undefined` when there was none. */
  readonly status: number | undefined;

  constructor(what: string, status: number | undefined, cause?: Error) {
    const why = status === undefined ? "found no answer" : `was answered with ${status}`;
    super(`${what} ${why}`, cause === undefined ? undefined : { cause });
    this.status = status;
  }
}

/** How one carrier writes its answers to a request to ring somebody. */
export type PlaceAnswer = Readonly<{
  /** The id of the call in the body of a 2xx; `undefined` when it is not there. */
  callId(body: string): string | undefined;
  /** Why a refusal (4xx) refuses, as far as it can be told. */
  refusal(answer: Answered): EndReason;
}>;

/**
 * What came of a request to ring somebody. An error of the carrier's own (5xx) and an answer without an id leave open whether
 * somebody rings.
 */
export const placeOutcomeOf = (outcome: CarrierHttpOutcome, { callId, refusal }: PlaceAnswer): PlaceOutcome => {
  if (outcome.type === "not-sent") return outcome;
  if (outcome.type === "lost") return { type: "ambiguous", cause: outcome.cause };
  const { status } = outcome;
  const failure = new CarrierRequestFailed("placing a call", status);
  if (status >= 200 && status < 300) {
    const id = callId(outcome.body);
    return id === undefined ? { type: "ambiguous", cause: failure } : { type: "accepted", callId: id };
  }
  if (status === 429) return { type: "rate-limited", retryAfterMs: retryAfterMs(outcome) };
  if (status === 408 || status >= 500) return { type: "ambiguous", cause: failure };
  return { type: "rejected", reason: refusal(outcome) };
};

/** The answer, when its status is a 2xx or one of `also`. @throws {CarrierRequestFailed} otherwise. */
export const expectAnswer = (what: string, outcome: CarrierHttpOutcome, also: readonly number[] = []): Answered => {
  if (outcome.type !== "answered") throw new CarrierRequestFailed(what, undefined, outcome.cause);
  const good = outcome.status >= 200 && outcome.status < 300;
  if (!good && !also.includes(outcome.status)) throw new CarrierRequestFailed(what, outcome.status);
  return outcome;
};

/** Seconds of the header, a second when it says nothing that is understood, a minute at the most. */
const retryAfterMs = ({ headers }: Answered): number => {
  const seconds = Number(headers["retry-after"] ?? "1");
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 60) * 1000 : 1000;
};
