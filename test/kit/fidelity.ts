/** How like what was sent something received is. */
export type Fidelity = Readonly<{
  /** Median over blocks of half a second of the correlation with the sound that was sent, −1 to 1; silent blocks do not count. */
  median: number;
  /** The worst of these blocks. */
  worst: number;
  /** How far what was received lags behind, in milliseconds. */
  lagMs: number;
  /** How far the blocks lie apart from one another, in milliseconds: 0 unless they were aligned one by one. */
  spreadMs: number;
}>;

/** What is searched when sounds are aligned, in milliseconds. */
export type Alignment = Readonly<{
  /** How far what was received may lag behind as a whole, or be ahead; 1500 when absent. */
  maxLagMs?: number;
  /**
   * How far each block may be off that lag. 0 when absent: what was shifted counts as lost. More for ears that stretch time when
   * packets come late, as browsers do, which moves words and does not harm them.
   */
  wanderMs?: number;
}>;

/**
 * Aligns `received` to `sent` as a whole, then each block on its own as far as it may wander, and compares block by block: a stretch
 * that was lost, doubled or shifted further pulls its blocks down.
 */
export const fidelityOf = (
  sent: Int16Array,
  received: Int16Array,
  sampleRate: number,
  { maxLagMs = 1500, wanderMs = 0 }: Alignment = {},
): Fidelity => {
  const lag = lagOf(sent, received, Math.round((sampleRate * maxLagMs) / 1000));
  const length = sampleRate / 2;
  const wander = Math.round((sampleRate * wanderMs) / 1000);
  const blocks: { likeness: number; lag: number }[] = [];
  for (let at = 0; at + length <= sent.length; at += length) {
    const block = sent.subarray(at, at + length);
    if (rms(block) < QUIET) continue;
    const heard = window(received, at + lag - wander, length + 2 * wander);
    const off = wander === 0 ? 0 : offsetOf(block, heard, 2 * wander);
    blocks.push({ likeness: correlation(block, heard.subarray(off, off + length)), lag: lag - wander + off });
  }
  const sorted = blocks.map(({ likeness }) => likeness).toSorted((a, b) => a - b);
  const lags = blocks.map((block) => block.lag);
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    worst: sorted[0] ?? 0,
    lagMs: (lag / sampleRate) * 1000,
    spreadMs: blocks.length === 0 ? 0 : ((Math.max(...lags) - Math.min(...lags)) / sampleRate) * 1000,
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

/** Where in `heard` the block is found best, 0 to `most`: coarsely first, and by likeness, since a louder neighbour is not it. */
const offsetOf = (block: Int16Array, heard: Int16Array, most: number): number => {
  const coarse = COARSE * likest(smoothed(block), smoothed(heard), 0, Math.floor(most / COARSE));
  return likest(block, heard, Math.max(0, coarse - 2 * COARSE), Math.min(most, coarse + 2 * COARSE));
};

const likest = (block: Int16Array, heard: Int16Array, from: number, to: number): number => {
  let [best, bestLikeness] = [from, -Infinity];
  for (let at = from; at <= to; at++) {
    const likeness = correlation(block, heard.subarray(at, at + block.length));
    if (likeness > bestLikeness) [best, bestLikeness] = [at, likeness];
  }
  return best;
};

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
  for (let index = 0; index < a.length; index++) {
    const [value, other] = [a[index] as number, b[index] ?? 0];
    ab += value * other;
    aa += value * value;
    bb += other * other;
  }
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
};
