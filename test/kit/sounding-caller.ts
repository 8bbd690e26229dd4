import { encodeMulaw } from "../../src/audio/g711.ts";
import { FRAME_MS } from "../../src/model/audio.ts";
import { resampled } from "./spoken.ts";

/**
 * A sound of the caller, 16 kHz and without silence around it, and when it begins: so long after the agent has begun to sound, or has fallen
 * silent.
 */
export type CallerSound = Readonly<{ sound: Int16Array; once: "agent-speaks" | "agent-is-silent"; afterMs: number }>;

/** When a sound really began and ended, in milliseconds since the microphone was opened. */
export type Sounded = Readonly<{ fromMs: number; untilMs: number }>;

const SAMPLES = 160;

/** A person with a telephone, who makes one sound after another, by what can be heard of the agent. */
export class SoundingCaller {
  /** What was begun so far. */
  readonly sounded: Sounded[] = [];
  readonly #sounds: readonly Readonly<{ payload: Uint8Array; plan: CallerSound }>[];
  readonly #agentSounds: (atMs: number) => boolean;
  #current: Readonly<{ index: number; frame: number }> | undefined;
  #next = 0;
  /** Since when the agent has been sounding or silent. */
  #state: { sounds: boolean; sinceMs: number } = { sounds: false, sinceMs: 0 };

  /** `agentSounds` tells whether something of the agent is at this person's ear at a moment. */
  constructor(sounds: readonly CallerSound[], agentSounds: (atMs: number) => boolean) {
    this.#agentSounds = agentSounds;
    this.#sounds = sounds.map((plan) => ({ payload: encodeMulaw(resampled(plan.sound, 16_000, 8000)), plan }));
  }

  /** Whether everything was said. */
  get done(): boolean {
    return this.#next >= this.#sounds.length && this.#current === undefined;
  }

  /** The microphone's next frame, µ-law at 8 kHz. */
  frame(frame: number): Uint8Array {
    const atMs = frame * FRAME_MS;
    this.#listen(atMs);
    const next = this.#sounds[this.#next];
    if (this.#current === undefined && next !== undefined && this.#isTime(next.plan, atMs)) {
      this.#current = { index: this.#next, frame };
      this.sounded.push({ fromMs: atMs, untilMs: atMs + next.plan.sound.length / 16 });
      this.#next += 1;
    }
    const current = this.#current;
    const payload = new Uint8Array(SAMPLES).fill(0xff);
    if (current === undefined) return payload;
    const sound = this.#sounds[current.index]?.payload ?? payload;
    const from = (frame - current.frame) * SAMPLES;
    payload.set(sound.subarray(from, from + SAMPLES));
    if (from + SAMPLES >= sound.length) {
      this.#current = undefined;
      // What follows is said to what the agent does from now on.
      this.#state = { ...this.#state, sinceMs: atMs };
    }
    return payload;
  }

  #listen(atMs: number): void {
    const sounds = this.#agentSounds(atMs);
    if (sounds !== this.#state.sounds) this.#state = { sounds, sinceMs: atMs };
  }

  #isTime({ once, afterMs }: CallerSound, atMs: number): boolean {
    return this.#state.sounds === (once === "agent-speaks") && atMs - this.#state.sinceMs >= afterMs;
  }
}
