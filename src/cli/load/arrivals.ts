import type { Random } from "../../ports/random.ts";

export const CURVES = ["constant", "ramp", "poisson"] as const;
export type Curve = (typeof CURVES)[number];

/**
 * When each call begins, in milliseconds from the start and in order. `perSecond` is the rate of a constant stream, the mean of a
 * Poisson process, and what a ramp that begins at nothing has come to when the last call begins.
 */
export const arrivals = (
  curve: Curve,
  calls: number,
  perSecond: number,
  random: Pick<Random, "fraction">,
): readonly number[] => {
  const everyMs = 1000 / perSecond;
  switch (curve) {
    case "constant":
      return Array.from({ length: calls }, (_, index) => index * everyMs);
    case "ramp":
      // At a rate that grows evenly to r within T, n = r·T/2 calls come, and call k at T·√(k/n).
      return Array.from({ length: calls }, (_, index) => 2 * calls * everyMs * Math.sqrt(index / calls));
    case "poisson": {
      let atMs = 0;
      return Array.from({ length: calls }, () => (atMs += -Math.log(1 - random.fraction()) * everyMs));
    }
  }
};
