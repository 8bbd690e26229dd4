import type { Clock, Timer } from "../ports/clock.ts";

/** Lines send 50 frames a second while they stand, whether anybody speaks or not; the longest gaps seen with carriers are half a second. */
export const SOUND_LOST_MS = 3000;

/** A timer that is later than this tells of a process that stood still, not of a peer. */
const STALLED_MS = 500;

/**
 * Finds a peer from which nothing comes any more. One timer looks every so often; setting one for every frame would cost more than the
 * frame.
 */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #dueAt: () => number;
  readonly #lost: () => void;
  #timer: Timer | undefined;

  /** `dueAt`: when the peer counts as lost if nothing else comes, on the monotonic clock. `lost` is called once for each start. */
  constructor(clock: Clock, dueAt: () => number, lost: () => void) {
    this.#clock = clock;
    this.#dueAt = dueAt;
    this.#lost = lost;
  }

  /** Begins to look, or begins again. */
  start(): void {
    this.stop();
    this.#lookAfter(this.#dueAt() - this.#clock.monotonic());
  }

  /** Idempotent. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #lookAfter(ms: number): void {
    const dueMs = this.#clock.monotonic() + ms;
    this.#timer = this.#clock.setTimer(ms, () => {
      const now = this.#clock.monotonic();
      // When this process stood still, messages wait to be read, and timers come first.
      const leftMs = now - dueMs > STALLED_MS ? STALLED_MS : this.#dueAt() - now;
      if (leftMs > 0) this.#lookAfter(leftMs);
      else this.#lost();
    });
  }
}
