import { endDial, type EndDialDeps } from "../dials/end-dial.ts";
import { toError } from "../kit/errors.ts";
import { outcomeOf, type CallEnd } from "../model/call-end.ts";
import type { Logger } from "../ports/logger.ts";
import type { Ending } from "../ports/store.ts";
import { persist, STORE, type PersistDeps } from "./persist.ts";

export type EndForGoodDeps = PersistDeps & EndDialDeps & Readonly<{ logger: Logger }>;

/**
 * Brings a dial to its end, trying until the store takes the terminal statement. Answers how the dial ended, or `undefined` when
 * the store stayed away for ten minutes or `signal` aborted; the reaper finds the dial then.
 */
export const endForGood = async (
  deps: EndForGoodDeps,
  dialId: string,
  ending: Ending,
  signal?: AbortSignal,
): Promise<CallEnd | undefined> => {
  let attempts = 0;
  try {
    const attempt = () => {
      attempts += 1;
      return endDial(deps, dialId, ending);
    };
    const { end, changed } = await persist(deps, STORE, "the terminal statement", attempt, signal);
    // An earlier attempt may have reached the store though its answer was lost: followers must not wait for ever, and saying
    // an end twice on the stream is harmless.
    if (!changed && attempts > 1 && end !== null)
      deps.live.publish(dialId, { type: "status", ...outcomeOf(end.reason) });
    return end ?? undefined;
  } catch (error) {
    deps.logger.error("the store did not take the end of a dial; it is left to the reaper", {
      dialId,
      error: toError(error),
    });
    return undefined;
  }
};
