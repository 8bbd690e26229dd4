/** Quantiles of a set of numbers; what was not seen at all is `NaN`. */
export type Quantiles = Readonly<{ count: number; p50: number; p90: number; p99: number; max: number }>;

export const quantilesOf = (values: readonly number[]): Quantiles => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
};

export const medianOf = (values: readonly number[]): number => quantilesOf(values).p50;
