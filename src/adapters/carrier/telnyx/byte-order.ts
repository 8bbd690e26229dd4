export type ByteOrder = "little" | "big";

/**
 * Finds out in which order the bytes of 16-bit samples come. Sound moves little from one sample to the next; with the bytes
 * swapped it jumps about over the whole range.
 */
export class ByteOrderDetector {
  #votes = 0;

  /** The order, once ten pieces with sound in them agree; they may be of any even length. */
  next(payload: Uint8Array): ByteOrder | undefined {
    const little = roughness(payload, 0);
    const big = roughness(payload, 1);
    if (Math.max(little, big) < (payload.length / 2) * LEAST_STEP) return undefined;
    if (little * CLEAR < big) this.#votes += 1;
    else if (big * CLEAR < little) this.#votes -= 1;
    if (Math.abs(this.#votes) < ENOUGH_VOTES) return undefined;
    return this.#votes > 0 ? "little" : "big";
  }
}

/** The same bytes with each two of them swapped; an odd last one is left out. */
export const swapBytes = (payload: Uint8Array): Uint8Array =>
  Buffer.from(payload.subarray(0, payload.length - (payload.length % 2))).swap16();

/** Sum of the steps from sample to sample; `low` is the place of the low byte in its pair. */
const roughness = (payload: Uint8Array, low: 0 | 1): number => {
  let sum = 0;
  let last = 0;
  for (let at = 0; at + 1 < payload.length; at += 2) {
    const sample = (((payload[at + low] ?? 0) | ((payload[at + 1 - low] ?? 0) << 8)) << 16) >> 16;
    if (at > 0) sum += Math.abs(sample - last);
    last = sample;
  }
  return sum;
};

const ENOUGH_VOTES = 10;

/** One order has to be smoother by this factor. */
const CLEAR = 3;

/** Below this step from sample to sample there is nothing to be heard. */
const LEAST_STEP = 100;
