import { toError } from "../kit/errors.ts";
import { callEnd, type CallEnd, type EndReason } from "../model/call-end.ts";
import type { CallReference, Carrier, CarrierCall, CarrierEnd, LookUp } from "../ports/carrier.ts";
import { sleep, type Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { withTimeout } from "./persist.ts";

export const LOOK_UP_TIMEOUT_MS = 5_000;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

type FindCallDeps = Readonly<{ clock: Clock; logger: Logger }>;

/** `absent`: there is no such call and will be none. `unknown`: the carrier could not be asked until the horizon. */
export type FoundCall = CarrierCall | Readonly<{ state: "absent" }> | Readonly<{ state: "unknown" }>;

/** Why a call ended that we never heard, by the carrier's word on it and by whether it has told of an answer before. */
export const unheard = (found: LookUp | undefined, answered: boolean): CallEnd => {
  const talked = found?.state === "in-progress" || (found?.state === "ended" && found.end.cause === "completed");
  return answered || talked ? callEnd("media_lost", "carrier") : callEnd("no_answer", "system");
};

/** What our own view adds to the carrier's word: nothing where that says that a call which nobody answered has failed. */
export const otherwise = (carrier: CarrierEnd, seen: CallEnd): Readonly<{ otherwise?: EndReason }> =>
  carrier.cause === "failed" && seen.reason === "no_answer" ? {} : { otherwise: seen.reason };

/**
 * Looks for a call whose answer was lost, by our reference, until it is found, or until `horizonAt` (monotonic milliseconds), past
 * which it cannot appear any more. Rejects only when `signal` aborts.
 */
export const findCall = async (
  deps: FindCallDeps,
  carrier: Carrier,
  reference: CallReference,
  horizonAt: number,
  signal: AbortSignal,
): Promise<FoundCall> => {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    await sleep(deps.clock, pause, signal);
    const past = deps.clock.monotonic() >= horizonAt;
    try {
      const found = await withTimeout(deps.clock, LOOK_UP_TIMEOUT_MS, "looking a call up", (timeout) =>
        carrier.lookUp(reference, timeout),
      );
      if (found.state !== "absent") return found;
      if (found.final || past) return { state: "absent" };
    } catch (error) {
      deps.logger.warn("the carrier could not be asked about a call", {
        dialId: reference.dialId,
        error: toError(error),
      });
      if (past) return { state: "unknown" };
    }
  }
};
