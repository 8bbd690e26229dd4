import { KEY_FREQUENCIES } from "./dtmf.ts";
import { levelDbfs } from "./level.ts";

/**
 * Hears keys in a stream of sound, as the other end of a telephone line does: by two tones that carry nearly all of its power for
 * two frames of 20 ms in a row. Speech has its power in more than two places, so it presses no keys.
 */
export class KeyDetector {
  readonly #sampleRate: number;
  /** The key that the last frame sounded like, and for how many frames. */
  #candidate: string | undefined;
  #frames = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  /** The next 20 ms; answers a key when it becomes certain, once for each time that it is pressed. */
  next(samples: Int16Array): string | undefined {
    const key = this.#keyIn(samples);
    this.#frames = key !== undefined && key === this.#candidate ? this.#frames + 1 : 1;
    this.#candidate = key;
    return this.#frames === CERTAIN_FRAMES ? key : undefined;
  }

  #keyIn(samples: Int16Array): string | undefined {
    if (levelDbfs(samples) < QUIET_DBFS) return undefined;
    let total = 0;
    for (const sample of samples) total += sample * sample;
    const powers = new Map<number, number>();
    const powerAt = (frequency: number): number => {
      const known = powers.get(frequency) ?? tonePower(samples, frequency, this.#sampleRate);
      powers.set(frequency, known);
      return known;
    };
    for (const [key, [low, high]] of KEY_FREQUENCIES) {
      const [a, b] = [powerAt(low) / total, powerAt(high) / total];
      if (a + b > SHARE && Math.min(a, b) > SHARE_OF_WEAKER) return key;
    }
    return undefined;
  }
}

/** Energy of one frequency in the samples, by Goertzel's algorithm; comparable to the sum of their squares. */
const tonePower = (samples: Int16Array, frequency: number, sampleRate: number): number => {
  const coefficient = 2 * Math.cos((2 * Math.PI * frequency) / sampleRate);
  let before = 0;
  let last = 0;
  for (const sample of samples) [before, last] = [last, sample + coefficient * last - before];
  const power = last * last + before * before - coefficient * last * before;
  return samples.length === 0 ? 0 : (2 * power) / samples.length;
};

/** 40 ms, the shortest tone that Q.24 asks receivers to take for a key. */
const CERTAIN_FRAMES = 2;
const QUIET_DBFS = -40;
/** Of all power in both tones together, and in the weaker one. */
const SHARE = 0.8;
const SHARE_OF_WEAKER = 0.15;
