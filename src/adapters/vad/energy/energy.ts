import { Type } from "typebox";
import { levelDbfs } from "../../../audio/level.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import { HEARING_RATE } from "../../../ports/vad.ts";
import type { VadListener, VadStream, VoiceActivityDetector } from "../../../ports/vad.ts";

const WINDOW_MS = 32;
const WINDOW_SAMPLES = (HEARING_RATE * WINDOW_MS) / 1000;

/** What the detector remembers of a line. */
export type NoiseFloor = Readonly<{
  /** Level of the line when nobody speaks, in dBFS. */
  floorDbfs: number;
}>;

/** A line is taken to be quiet until it proves otherwise; telephone idle noise lies between −75 and −50 dBFS. */
export const QUIET_LINE: NoiseFloor = { floorDbfs: -60 };

/** The floor may not sink below this, or the faintest rustle of a digital line would stand out as speech. */
const LOWEST_FLOOR_DBFS = -70;
/** dB per window: down fast, because between words the line is at its floor; up slowly (about 2.5 dB a second), because speech goes on. */
const FALL_DB = 1.5;
const RISE_DB = 0.08;
/** A level this far over the floor is as likely speech as not; each 2 dB multiply the odds by e. */
const EVEN_ODDS_DB = 12;
const SOFTNESS_DB = 2;

/** Probability (0 to 1) that a window of `levelDbfs` dBFS is speech, and the floor as it is known afterwards. Pure. */
export const judgeLevel = (known: NoiseFloor, level: number): Readonly<{ probability: number; floor: NoiseFloor }> => {
  const over = level - known.floorDbfs;
  const probability = 1 / (1 + Math.exp((EVEN_ODDS_DB - over) / SOFTNESS_DB));
  const moved = known.floorDbfs + Math.min(RISE_DB, Math.max(-FALL_DB, over));
  return { probability, floor: { floorDbfs: Math.max(LOWEST_FLOOR_DBFS, moved) } };
};

/** Tells speech by loudness over the line's own noise: needs no model, and takes any loud sound for speech. */
class EnergyDetector implements VoiceActivityDetector {
  readonly name = "energy";
  readonly #streams = new Set<EnergyStream>();

  open(listener: VadListener): VadStream {
    const stream = new EnergyStream(listener, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    return stream;
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.close();
  }
}

class EnergyStream implements VadStream {
  readonly #listener: VadListener;
  readonly #onClose: () => void;
  readonly #window = new Int16Array(WINDOW_SAMPLES);
  #filled = 0;
  #floor = QUIET_LINE;
  #windows = 0;
  #closed = false;

  constructor(listener: VadListener, onClose: () => void) {
    this.#listener = listener;
    this.#onClose = onClose;
  }

  push(samples: Int16Array): void {
    let read = 0;
    while (read < samples.length && !this.#closed) {
      const piece = samples.subarray(read, read + WINDOW_SAMPLES - this.#filled);
      this.#window.set(piece, this.#filled);
      this.#filled += piece.length;
      read += piece.length;
      if (this.#filled === WINDOW_SAMPLES) this.#judge();
    }
  }

  close(): void {
    this.#closed = true;
    this.#onClose();
  }

  #judge(): void {
    this.#filled = 0;
    const { probability, floor } = judgeLevel(this.#floor, levelDbfs(this.#window));
    this.#floor = floor;
    this.#windows += 1;
    const endMs = this.#windows * WINDOW_MS;
    // After the sound, as from any detector: a listener may rely on `push` having returned.
    queueMicrotask(() => {
      if (!this.#closed) this.#listener.probability(probability, endMs);
    });
  }
}

/** The fallback where Silero's file is missing. Labelled by its name wherever engines are listed. */
export default {
  name: "energy",
  env: Type.Object({}),
  available: async () => true,
  create: async () => new EnergyDetector(),
} satisfies Descriptor<VoiceActivityDetector>;
