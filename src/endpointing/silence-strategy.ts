import type { EndpointStrategy } from "./endpoint-strategy.ts";

/** A plain timer: the turn is over when the caller has been silent for `waitMs`, whatever was said. */
export const silenceStrategy = (waitMs: number): EndpointStrategy => ({
  rule: () => ({ waitMs }),
  longestMs: waitMs,
});
