/** How like what was sent something received is. */
export type Fidelity = Readonly<{
  /** Median over blocks of half a second of the correlation with the sound that was sent, −1 to 1; silent blocks do not count. */
  median: number;
  /** The worst of these blocks. */
  worst: number;
  /** How far what was received lags behind, in milliseconds. */
  lagMs: number;
}>;

/**
 * Aligns `received` to `sent` once, as a whole, and compares block by block: a stretch that was lost, doubled or shifted pulls its
 * blocks down. Lags up to `maxLagMs`, either way.
 */
export const fidelityOf = (sent: Int16Array, received: Int16Array, sampleRate: number, maxLagMs = 1500): Fidelity => {
  const lag = lagOf(sent, received, Math.round((sampleRate * maxLagMs) / 1000));
  const length = sampleRate / 2;
  const blocks: number[] = [];
  for (let at = 0; at + length <= sent.length; at += length) {
    const block = sent.subarray(at, at + length);
    if (rms(block) < QUIET) continue;
    blocks.push(correlation(block, window(received, at + lag, length)));
  }
  const sorted = blocks.toSorted((a, b) => a - b);
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    worst: sorted[0] ?? 0,
    lagMs: (lag / sampleRate) * 1000,
  };
};

/** −40 dBFS: pauses between words. */
const QUIET = 330;

/** Coarsely on every eighth sample of the smoothed sound, then exactly around the best. */
const lagOf = (sent: Int16Array, received: Int16Array, maxLag: number): number => {
  const [a, b] = [smoothed(sent), smoothed(received)];
  const coarse = bestLag(a, b, -Math.ceil(maxLag / COARSE), Math.ceil(maxLag / COARSE));
  return bestLag(sent, received, (coarse - 2) * COARSE, (coarse + 2) * COARSE);
};

const COARSE = 8;

const smoothed = (samples: Int16Array): Int16Array =>
  Int16Array.from({ length: Math.floor(samples.length / COARSE) }, (_, index) =>
    Math.round(samples.subarray(index * COARSE, (index + 1) * COARSE).reduce((sum, value) => sum + value, 0) / COARSE),
  );

const bestLag = (a: Int16Array, b: Int16Array, from: number, to: number): number => {
  let [best, bestSum] = [0, -Infinity];
  for (let lag = from; lag <= to; lag++) {
    let sum = 0;
    const end = Math.min(a.length, b.length - lag);
    for (let index = Math.max(0, -lag); index < end; index++) sum += (a[index] as number) * (b[index + lag] as number);
    if (sum > bestSum) [best, bestSum] = [lag, sum];
  }
  return best;
};

const window = (samples: Int16Array, at: number, length: number): Int16Array => {
  const piece = new Int16Array(length);
  const from = Math.max(0, at);
  const found = samples.subarray(from, Math.max(from, at + length));
  if (found.length > 0) piece.set(found, from - at);
  return piece;
};

const rms = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

const correlation = (a: Int16Array, b: Int16Array): number => {
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((value, index) => {
    const other = b[index] as number;
    ab += value * other;
    aa += value * value;
    bb += other * other;
  });
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
};
