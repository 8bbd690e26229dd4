import type { CarrierEnd, PlaceOutcome } from "../../../ports/carrier.ts";
import type { EndReason } from "../../../model/call-end.ts";
import { headerOf, type SipResponse } from "./message.ts";

/** What the final answer to an INVITE means that is no 2xx. */
export const endOfRefusal = (response: SipResponse): CarrierEnd => {
  const { status } = response;
  if (retryAfterMs(response) !== undefined) return { cause: "rate-limited" };
  return { cause: CAUSES.get(status) ?? "failed" };
};

/**
 * What a final answer means that came before anything rang: such a call certainly is none, and one that was only refused because there are
 * too many may be asked for again.
 */
export const outcomeOfRefusal = (response: SipResponse): PlaceOutcome => {
  const { cause } = endOfRefusal(response);
  if (cause === "rate-limited") return { type: "rate-limited", retryAfterMs: retryAfterMs(response) ?? 0 };
  return { type: "rejected", reason: REASONS[cause] };
};

const CAUSES: ReadonlyMap<number, CarrierEnd["cause"]> = new Map([
  [403, "rejected"],
  [404, "invalid-number"],
  [408, "no-answer"],
  [410, "invalid-number"],
  [480, "no-answer"],
  [484, "invalid-number"],
  [486, "busy"],
  [487, "canceled"],
  [600, "busy"],
  [603, "rejected"],
  [604, "invalid-number"],
  [607, "rejected"],
  [608, "rejected"],
]);

const REASONS: Readonly<Record<CarrierEnd["cause"], EndReason>> = {
  busy: "busy",
  "no-answer": "no_answer",
  canceled: "canceled",
  rejected: "carrier_rejected",
  "invalid-number": "invalid_number",
  failed: "carrier_error",
  completed: "carrier_error",
  "time-limit": "max_duration",
  "rate-limited": "rate_limited",
};

/** Without a time, a trunk that has too many requests is asked again a second later. */
const USUAL_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 3_600_000;

/** How long to wait before another call; `undefined` where there are not too many. */
const retryAfterMs = (response: SipResponse): number | undefined => {
  const told = /^\s*(\d{1,9})/.exec(headerOf(response, "retry-after") ?? "");
  if (response.status === 429) return told === null ? USUAL_RETRY_MS : millisecondsOf(told[1]);
  return response.status === 503 && told !== null ? millisecondsOf(told[1]) : undefined;
};

const millisecondsOf = (seconds: string | undefined): number => Math.min(LONGEST_RETRY_MS, Number(seconds) * 1000);
