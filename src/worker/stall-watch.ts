import type { Clock, Timer } from "../ports/clock.ts";

const EVERY_MS = 500;

/** An event loop that stood still this long may have missed a lease; it takes no new dials until it runs again. */
const STALL_MS = 1_000;

/** Two ticks on time mean that it runs again. */
const ON_TIME_MS = 200;
const TICKS_ON_TIME = 2;

/** Notices when the event loop stands still, by how late its own timer comes. */
export class StallWatch {
  readonly #clock: Clock;
  readonly #changed: (stalled: boolean) => void;
  #onTime = TICKS_ON_TIME;
  #timer: Timer | undefined;

  /** `changed` is told when a stall was noticed and when it is over. */
  constructor(clock: Clock, changed: (stalled: boolean) => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  get stalled(): boolean {
    return this.#onTime < TICKS_ON_TIME;
  }

  start(): void {
    const due = this.#clock.monotonic() + EVERY_MS;
    this.#timer = this.#clock.setTimer(EVERY_MS, () => {
      this.#tick(this.#clock.monotonic() - due);
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #tick(lateMs: number): void {
    const before = this.stalled;
    if (lateMs > STALL_MS) this.#onTime = 0;
    else if (before) this.#onTime = lateMs < ON_TIME_MS ? this.#onTime + 1 : 0;
    if (this.stalled !== before) this.#changed(this.stalled);
  }
}
