import { SoundRing } from "../audio/sound-ring.ts";
import { prosodyOf, type Prosody } from "../endpointing/prosody.ts";
import type { TurnDetector } from "../ports/turn-detector.ts";
import { HEARING_RATE } from "../ports/vad.ts";

/** The last words of a turn; their melody is what tells its end. */
const PROSODY_SAMPLES = 1.5 * HEARING_RATE;

/** Sound that is kept for it: the end of speech is known 160 ms and a busy detector later. */
const RECENT_SAMPLES = 2.5 * HEARING_RATE;

/**
 * The sound of the turn under way, as far back as its ending is judged by. Times are milliseconds of the sound that was pushed.
 * Nothing is computed while sound comes in, only where speech ended.
 */
export class TurnSound {
  readonly #detector: TurnDetector | undefined;
  readonly #recent: SoundRing;
  #fromMs: number | undefined;
  /** How often speech was taken up: what a detector says of an earlier ending counts for nothing. */
  #starts = 0;

  constructor(detector: TurnDetector | undefined) {
    this.#detector = detector;
    this.#recent = new SoundRing(RECENT_SAMPLES + samplesIn(detector?.windowMs ?? 0));
  }

  /** 16 kHz; copied. */
  push(samples: Int16Array): void {
    this.#recent.push(samples);
  }

  speechStarted(onsetMs: number): void {
    this.#fromMs ??= onsetMs;
    this.#starts += 1;
  }

  /** Answers how the voice ended; `judged` hears the detector's word, if there is one and the caller has not gone on by then. */
  speechEnded(lastVoicedMs: number, judged: (probability: number) => void): Prosody {
    if (this.#detector !== undefined) this.#judge(this.#detector, lastVoicedMs, judged);
    const to = samplesIn(lastVoicedMs);
    return prosodyOf(this.#between(to - PROSODY_SAMPLES, to), HEARING_RATE);
  }

  /** What comes now is another turn. */
  turnTaken(): void {
    this.#fromMs = undefined;
  }

  #judge(detector: TurnDetector, endMs: number, judged: (probability: number) => void): void {
    const starts = this.#starts;
    const fromMs = Math.max(this.#fromMs ?? 0, endMs - detector.windowMs);
    detector.judge(this.#between(samplesIn(fromMs), samplesIn(endMs))).then(
      (probability) => {
        if (this.#starts === starts) judged(probability);
      },
      // Without its word the turn is judged by the rest.
      () => undefined,
    );
  }

  #between(from: number, to: number): Int16Array {
    const samples = new Int16Array(Math.max(0, to - from));
    return samples.subarray(0, this.#recent.read(from, to, samples, 0));
  }
}

const samplesIn = (ms: number): number => Math.round((ms * HEARING_RATE) / 1000);
