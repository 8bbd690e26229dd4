import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import type { Clock, Timer } from "../../../../src/ports/clock.ts";

/** Real time that passes several times as fast, for telephones that ring and people who wait. */
export class QuickClock implements Clock {
  readonly #clock = new SystemClock();
  readonly #speed: number;
  readonly #startedAt = this.#clock.now();
  readonly #zero = this.#clock.monotonic();

  constructor(speed: number) {
    this.#speed = speed;
  }

  now(): number {
    return this.#startedAt + this.monotonic();
  }

  monotonic(): number {
    return (this.#clock.monotonic() - this.#zero) * this.#speed;
  }

  setTimer(ms: number, callback: () => void): Timer {
    return this.#clock.setTimer(ms / this.#speed, callback);
  }
}
