import { levelDbfs, SILENCE_DBFS, softClip } from "./level.ts";

/** Where a background lies unless a volume is asked for: some 20 dB below a voice on a telephone. */
export const BACKGROUND_DBFS = -44;

/**
 * A sound that goes on for ever below another: one loop, and how far it has been heard. Brought to {@link BACKGROUND_DBFS} and then
 * made louder or softer by `volumeDb`, so that what was recorded loudly does not bury the voice.
 */
export class Background {
  readonly #loop: Int16Array;
  readonly #factor: number;
  #at = 0;

  /** `loop` at the rate of what it is mixed with; one that is empty or silent is no sound. */
  constructor(loop: Int16Array, volumeDb: number) {
    const level = loop.length === 0 ? SILENCE_DBFS : levelDbfs(loop);
    this.#loop = loop;
    this.#factor = level <= SILENCE_DBFS ? 0 : 10 ** ((BACKGROUND_DBFS - level + volumeDb) / 20);
  }

  /** The next stretch of the background, alone. */
  take(length: number): Int16Array {
    return this.mix(new Int16Array(length));
  }

  /** The samples with the next stretch of the background below them; what would pass full scale is bent, not cut. */
  mix(samples: Int16Array): Int16Array {
    if (this.#factor === 0) return samples;
    const mixed = new Int16Array(samples.length);
    for (let index = 0; index < samples.length; index++) {
      mixed[index] = softClip((samples[index] as number) + this.#factor * (this.#loop[this.#at] as number));
      this.#at = this.#at + 1 === this.#loop.length ? 0 : this.#at + 1;
    }
    return mixed;
  }
}
