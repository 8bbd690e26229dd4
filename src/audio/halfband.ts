/**
 * Doubles or halves the sample rate of one stream by a half-band filter of two chains of allpasses (an elliptic one, as Valenzuela and
 * Constantinides derived it in 1983): flat to 0.85 of the lower Nyquist frequency, below −90 dB from 1.15. It turns
 * phases near that edge, which the ear does not notice, and for it sound is late by a fifth of a millisecond in place of the 5 that a
 * filter of equal delay for all frequencies needs, at a third of its work.
 */
export interface Halfband {
  /** The next samples of the stream; any length. */
  process(samples: Int16Array): Int16Array;
}

/** Each sample becomes two. */
export class HalfbandUp implements Halfband {
  readonly #state = new Float64Array(STATE);

  process(samples: Int16Array): Int16Array {
    const output = new Int16Array(samples.length * 2);
    const state = this.#state;
    let a = state[0] as number;
    let a0 = state[1] as number;
    let a2 = state[2] as number;
    let a4 = state[3] as number;
    let b = state[4] as number;
    let b1 = state[5] as number;
    let b3 = state[6] as number;
    let b5 = state[7] as number;
    for (let index = 0; index < samples.length; index++) {
      const input = samples[index] as number;
      const y0 = C0 * (input - a0) + a;
      const y2 = C2 * (y0 - a2) + a0;
      const y4 = C4 * (y2 - a4) + a2;
      const y1 = C1 * (input - b1) + b;
      const y3 = C3 * (y1 - b3) + b1;
      const y5 = C5 * (y3 - b5) + b3;
      a = input;
      b = input;
      a0 = y0;
      a2 = y2;
      a4 = y4;
      b1 = y1;
      b3 = y3;
      b5 = y5;
      output[2 * index] = toSample(y4);
      output[2 * index + 1] = toSample(y5);
    }
    state[0] = settled(a);
    state[1] = settled(a0);
    state[2] = settled(a2);
    state[3] = settled(a4);
    state[4] = settled(b);
    state[5] = settled(b1);
    state[6] = settled(b3);
    state[7] = settled(b5);
    return output;
  }
}

/** Two samples become one; the last one of an odd number waits for the next. */
export class HalfbandDown implements Halfband {
  readonly #state = new Float64Array(STATE);
  #waiting: number | undefined;

  process(samples: Int16Array): Int16Array {
    const skipped = this.#waiting === undefined ? 0 : 1;
    const output = new Int16Array((samples.length + skipped) >> 1);
    const state = this.#state;
    let a = state[0] as number;
    let a0 = state[1] as number;
    let a2 = state[2] as number;
    let a4 = state[3] as number;
    let b = state[4] as number;
    let b1 = state[5] as number;
    let b3 = state[6] as number;
    let b5 = state[7] as number;
    let first = this.#waiting ?? 0;
    for (let index = 0; index < output.length; index++) {
      const at = 2 * index - skipped;
      if (at >= 0) first = samples[at] as number;
      const second = samples[at + 1] as number;
      const y0 = C0 * (second - a0) + a;
      const y2 = C2 * (y0 - a2) + a0;
      const y4 = C4 * (y2 - a4) + a2;
      const y1 = C1 * (first - b1) + b;
      const y3 = C3 * (y1 - b3) + b1;
      const y5 = C5 * (y3 - b5) + b3;
      a = second;
      b = first;
      a0 = y0;
      a2 = y2;
      a4 = y4;
      b1 = y1;
      b3 = y3;
      b5 = y5;
      output[index] = toSample((y4 + y5) / 2);
    }
    state[0] = settled(a);
    state[1] = settled(a0);
    state[2] = settled(a2);
    state[3] = settled(a4);
    state[4] = settled(b);
    state[5] = settled(b1);
    state[6] = settled(b3);
    state[7] = settled(b5);
    if (samples.length > 0) this.#waiting = (samples.length + skipped) % 2 === 1 ? samples.at(-1) : undefined;
    return output;
  }
}

/** Width of the transition, as a share of the higher rate: from 0.85 to 1.15 of a quarter of it. */
const TRANSITION = 0.075;

/** Six allpasses leave −92 dB, below the noise of 16 bits; a seventh would leave −107. */
const ALLPASSES = 6;

/**
 * The coefficients of the allpasses, the smallest first, by the series of Jacobi's theta functions: those with an even index belong to one
 * chain, the others to the other.
 */
const coefficients = (): readonly number[] => {
  const order = 2 * ALLPASSES + 1;
  const modulus = Math.tan(((1 - 2 * TRANSITION) * Math.PI) / 4) ** 2;
  const root = (1 - modulus * modulus) ** 0.25;
  const small = (1 - root) / (1 + root) / 2;
  const nome = small + 2 * small ** 5 + 15 * small ** 9 + 150 * small ** 13;
  return Array.from({ length: ALLPASSES }, (_, index) => {
    const angle = ((index + 1) * Math.PI) / order;
    let above = 0;
    let below = 0.5;
    for (let term = 0; term < TERMS; term++) {
      const sign = term % 2 === 0 ? 1 : -1;
      above += sign * nome ** (term * (term + 1)) * Math.sin((2 * term + 1) * angle);
      if (term > 0) below += sign * nome ** (term * term) * Math.cos(2 * term * angle);
    }
    const square = ((above * nome ** 0.25) / below) ** 2;
    const pole = Math.sqrt((1 - square * modulus) * (1 - square / modulus)) / (1 + square);
    return (1 - pole) / (1 + pole);
  });
};

/** The nome is below 0.1 here, and powers of it grow with the square of the term. */
const TERMS = 8;

const [C0 = 0, C1 = 0, C2 = 0, C3 = 0, C4 = 0, C5 = 0] = coefficients();

/** How late low frequencies are, in samples of the higher rate: of both chains the one without the odd sample. */
export const HALFBAND_DELAY = [C0, C2, C4].reduce((sum, c) => sum + (2 * (1 - c)) / (1 + c), 0);

/** Last input and last outputs of the allpasses of both chains. */
const STATE = 8;

/** Far below what a sample can show; smaller still, and the processor computes in its slow range of numbers. */
const NOTHING = 1e-15;

const settled = (value: number): number => (value < NOTHING && value > -NOTHING ? 0 : value);

const toSample = (value: number): number => {
  if (value >= 32_767) return 32_767;
  if (value <= -32_768) return -32_768;
  // Rounds as Math.round does, by one instruction: what is cut off is positive here.
  return ((value + 32_768.5) | 0) - 32_768;
};
