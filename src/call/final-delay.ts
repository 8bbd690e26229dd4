/** How long the transcriber takes for its final words, as it was measured in the call; milliseconds. */
export type FinalDelay = Readonly<{ meanMs: number; deviationMs: number }>;

/** What is assumed of a transcriber that tells nothing of itself. */
const UNKNOWN_MS = 500;

/** A final that comes within this is not given up, however quick the ones before it were. */
const LEAST_MS = 250;

/** Words that were known before the caller stopped are acted upon by then, however slow the transcriber has been. */
const MOST_MS = 2000;

export const expectedDelay = (typicalMs: number = UNKNOWN_MS): FinalDelay => ({
  meanMs: typicalMs,
  deviationMs: typicalMs / 2,
});

/** Takes in one more delay. The weights are those of TCP's retransmission timer (RFC 6298), twice as quick to follow. */
export const learnDelay = ({ meanMs, deviationMs }: FinalDelay, ms: number): FinalDelay => ({
  meanMs: meanMs + (ms - meanMs) / 4,
  deviationMs: deviationMs + (Math.abs(ms - meanMs) - deviationMs) / 2,
});

/** How long a final is waited for: what nearly all of them need, within bounds. */
export const delayLimitMs = ({ meanMs, deviationMs }: FinalDelay): number =>
  Math.min(MOST_MS, Math.max(LEAST_MS, meanMs + 4 * deviationMs));
