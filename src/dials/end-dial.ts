import { outcomeOf } from "../model/call-end.ts";
import type { LiveState } from "../ports/live.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { DialStore, EndOutcome, Ending } from "../ports/store.ts";
import type { DialTraces } from "./dial-traces.ts";

export type EndDialDeps = Readonly<{
  dials: Pick<DialStore, "end">;
  live: Pick<LiveState, "publish">;
  metrics: Pick<Metrics, "dialEnded">;
  traces?: DialTraces | undefined;
}>;

/**
 * Ends a dial by the terminal statement, and tells followers and metrics if it was this statement that decided. Everything that
 * ends a dial goes through here, so that each dial is counted and told once.
 */
export const endDial = async (deps: EndDialDeps, dialId: string, ending: Ending): Promise<EndOutcome> => {
  const outcome = await deps.dials.end(dialId, ending);
  if (outcome.changed && outcome.end !== null) {
    deps.live.publish(dialId, { type: "status", ...outcomeOf(outcome.end.reason) });
    // A correction changes how an ending that was counted already is described; it is no second ending.
    if (!outcome.corrected) {
      deps.metrics.dialEnded(outcome.end);
      deps.traces?.ended(dialId, outcome.end);
    }
  }
  return outcome;
};
