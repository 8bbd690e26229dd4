import type { Recognizer } from "../../src/adapters/transcriber/local/recognizer.ts";
import { sleep } from "../../src/ports/clock.ts";
import type { VadListener, VoiceActivityDetector } from "../../src/ports/vad.ts";
import { VirtualClock } from "./virtual-clock.ts";

/**
 * Virtual time that stands still while engines of real time work, so that a call with real ones takes no longer than they need, and goes
 * the same way on every machine.
 */
export class LockstepClock extends VirtualClock {
  #busy = 0;
  #idle = Promise.withResolvers<void>();

  /** Time stands still until the answer is called. */
  hold(): () => void {
    this.#busy += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#busy -= 1;
      if (this.#busy > 0) return;
      this.#idle.resolve();
      this.#idle = Promise.withResolvers();
    };
  }

  override async settle(): Promise<void> {
    await super.settle();
    while (this.#busy > 0) {
      await this.#idle.promise;
      await super.settle();
    }
  }
}

/** Windows of 32 ms, as Silero takes them. */
const WINDOW_SAMPLES = 512;

/** A detector whose answers come at the moment of the sound that they are about. */
export class LockstepVad implements VoiceActivityDetector {
  readonly name: string;
  readonly #detector: VoiceActivityDetector;
  readonly #clock: LockstepClock;

  constructor(detector: VoiceActivityDetector, clock: LockstepClock) {
    this.name = detector.name;
    this.#detector = detector;
    this.#clock = clock;
  }

  open(listener: VadListener) {
    const held: (() => void)[] = [];
    let pushed = 0;
    const stream = this.#detector.open({
      probability: (probability, endMs) => {
        listener.probability(probability, endMs);
        held.shift()?.();
      },
      failed: (error) => {
        listener.failed(error);
        for (const release of held.splice(0)) release();
      },
    });
    return {
      push: (samples: Int16Array) => {
        const before = Math.floor(pushed / WINDOW_SAMPLES);
        pushed += samples.length;
        for (let window = before; window < Math.floor(pushed / WINDOW_SAMPLES); window++) held.push(this.#clock.hold());
        stream.push(samples);
      },
      close: () => {
        stream.close();
        for (const release of held.splice(0)) release();
      },
    };
  }

  /** The detector belongs to the test. */
  close() {
    return Promise.resolve();
  }
}

/** A recognizer whose texts take as long as they are said to, in milliseconds of virtual time. */
export class LockstepRecognizer implements Recognizer {
  readonly #recognizer: Recognizer;
  readonly #clock: LockstepClock;
  readonly #decodeMs: number;

  constructor(recognizer: Recognizer, clock: LockstepClock, decodeMs: number) {
    this.#recognizer = recognizer;
    this.#clock = clock;
    this.#decodeMs = decodeMs;
  }

  glance(sound: Int16Array): Promise<string> {
    return this.#after(this.#recognizer.glance(sound));
  }

  decode(sound: Int16Array): Promise<string> {
    return this.#after(this.#recognizer.decode(sound));
  }

  async #after(decoding: Promise<string>): Promise<string> {
    const release = this.#clock.hold();
    const text = await decoding.finally(release);
    await sleep(this.#clock, this.#decodeMs, new AbortController().signal);
    return text;
  }
}
