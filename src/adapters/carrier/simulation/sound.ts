/**
 * What one side of a simulated phone sounded like, sample by sample from the moment its media started: sample `n` sounded
 * `n / 8` milliseconds later. Keeps the first half hour; nothing at all where the network was not told to keep sound.
 */
export class PhoneSound {
  readonly sampleRate = 8000;
  readonly #keep: boolean;
  readonly #frames: Int16Array[] = [];

  constructor(keep: boolean) {
    this.#keep = keep;
  }

  /** The next 160 samples, which may not be changed afterwards. */
  add(frame: Int16Array): void {
    if (this.#keep && this.#frames.length < MOST_FRAMES) this.#frames.push(frame);
  }

  samples(): Int16Array {
    const whole = new Int16Array(this.#frames.reduce((sum, frame) => sum + frame.length, 0));
    let at = 0;
    for (const frame of this.#frames) {
      whole.set(frame, at);
      at += frame.length;
    }
    return whole;
  }
}

const MOST_FRAMES = 30 * 60 * 50;
