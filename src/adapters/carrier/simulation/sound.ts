import { decodeMulaw } from "../../../audio/g711.ts";

/**
 * What one side of a loopback phone sounded like, sample by sample from the moment its media started: sample `n` sounded
 * `n / 8` milliseconds later. Keeps the first half hour; nothing at all where the network was not told to keep sound.
 */
export class PhoneSound {
  readonly sampleRate = 8000;
  readonly #keep: boolean;
  readonly #frames: Uint8Array[] = [];

  constructor(keep: boolean) {
    this.#keep = keep;
  }

  /** The next 160 mu-law bytes. */
  add(frame: Uint8Array): void {
    if (this.#keep && this.#frames.length < MOST_FRAMES) this.#frames.push(frame);
  }

  samples(): Int16Array {
    return decodeMulaw(Buffer.concat(this.#frames));
  }
}

const MOST_FRAMES = 30 * 60 * 50;
