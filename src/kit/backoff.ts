import type { Random } from "../ports/random.ts";

/**
 * Milliseconds to wait before attempt `attempt` (0 is the first retry): doubling from `firstMs` up to `maxMs`, with full jitter
 * so that many waiters spread out.
 */
export const backoff = (random: Random, attempt: number, firstMs: number, maxMs: number): number =>
  random.fraction() * Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
