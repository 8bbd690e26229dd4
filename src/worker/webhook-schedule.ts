import type { Random } from "../ports/random.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses after the first, second, … failed attempt, in milliseconds: ten attempts over 75 hours. */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/** Spreads what failed together, as a part of the pause. */
const JITTER = 0.2;

/**
 * How long to wait after a failed attempt, in milliseconds; `undefined` after the last one. `step` counts the attempts before this
 * one.
 */
export const pauseAfter = (random: Random, step: number): number | undefined => {
  const pause = PAUSES[step];
  return pause === undefined ? undefined : pause * (1 - JITTER + 2 * JITTER * random.fraction());
};
