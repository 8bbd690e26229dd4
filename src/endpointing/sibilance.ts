/**
 * Hears an s, sh or f in the making: a hiss that is much louder than the room and lies at the upper end of what a telephone carries.
 * Detectors of voice do not know it for speech before the vowel behind it, 100 to 200 ms later.
 */
export class Sibilance {
  /** Loudness of the room, squared and per sample; falls at once and rises slowly. */
  #room = QUIETEST;
  #hissingMs = 0;

  /** For how long it has been hissing up to now, in milliseconds. */
  get hissingMs(): number {
    return this.#hissingMs;
  }

  /** Takes in the next samples, 16 kHz; 20 ms at once are best. */
  push(samples: Int16Array): void {
    if (samples.length < 2) return;
    let energy = 0;
    let steps = 0;
    let crossings = 0;
    let before = samples[0] as number;
    for (let at = 1; at < samples.length; at++) {
      const sample = samples[at] as number;
      const step = sample - before;
      energy += sample * sample;
      steps += step * step;
      if (sample >= 0 !== before >= 0) crossings += 1;
      before = sample;
    }
    const level = energy / samples.length;
    const hisses =
      level > LOUDER * this.#room &&
      crossings > CROSSINGS * samples.length &&
      // Twice the level would be noise of all frequencies, a quarter of it a vowel.
      steps > STEEP * energy;
    this.#hissingMs = hisses ? this.#hissingMs + samples.length / 16 : 0;
    this.#room = level < this.#room ? Math.max(QUIETEST, level) : Math.min(level, this.#room * RISE);
  }
}

/** No room is taken for quieter than this, 16-bit: what is fainter than −40 dB of full scale is said far away. */
const QUIETEST = 55 ** 2;

/** A hiss is at least six times (16 dB) as loud as the room. */
const LOUDER = 36;

/** The room is taken for 2 % louder with every push, so that a noise that goes on for four to six seconds is the room. */
const RISE = 1.02;

/** Sign changes per sample: 0.32 is 2.6 kHz. Coughs, breath and keys lie below 0.3 on a telephone line, an s above. */
const CROSSINGS = 0.32;
const STEEP = 0.8;
