import { HEARING_RATE, type VadListener, type VadStream, type VoiceActivityDetector } from "../../ports/vad.ts";

const WINDOW_MS = 20;
/**
 * Voice, but not beyond doubt: of that a single window would stop the agent, where this takes three (`DEFAULT_THRESHOLDS`), as other
 * programs are asked for in a measurement.
 */
const LOUD = 0.7;
const WINDOW_SAMPLES = (HEARING_RATE * WINDOW_MS) / 1000;

/** Takes for speech what is louder than a threshold (mean absolute amplitude, of 32 768), in windows of one frame. */
export const loudDetector = (threshold: number): VoiceActivityDetector => ({
  name: "loud",
  open: (listener) => new LoudStream(threshold, listener),
  close: async () => undefined,
});

class LoudStream implements VadStream {
  readonly #threshold: number;
  readonly #listener: VadListener;
  #sum = 0;
  #filled = 0;
  #windows = 0;
  #closed = false;

  constructor(threshold: number, listener: VadListener) {
    this.#threshold = threshold;
    this.#listener = listener;
  }

  push(samples: Int16Array): void {
    for (let from = 0; from < samples.length;) {
      const until = Math.min(samples.length, from + WINDOW_SAMPLES - this.#filled);
      let sum = 0;
      for (let at = from; at < until; at += 1) sum += Math.abs(samples[at] as number);
      this.#sum += sum;
      this.#filled += until - from;
      from = until;
      if (this.#filled === WINDOW_SAMPLES) this.#judge();
    }
  }

  close(): void {
    this.#closed = true;
  }

  #judge(): void {
    const loud = this.#sum / WINDOW_SAMPLES > this.#threshold;
    this.#sum = 0;
    this.#filled = 0;
    this.#windows += 1;
    const endMs = this.#windows * WINDOW_MS;
    // After the sound, as from any detector: a listener may rely on `push` having returned.
    queueMicrotask(() => {
      if (!this.#closed) this.#listener.probability(loud ? LOUD : 0, endMs);
    });
  }
}
