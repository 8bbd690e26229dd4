import type { Clock, Timer } from "../ports/clock.ts";
import type { TimerName } from "./events.ts";

/** A timer as it stands in the inbox; only the one that is still set counts when it is read. */
export type Ring = Readonly<{ name: TimerName; token: object }>;

/** The named timers of one call. Setting one anew replaces it, also when its ring already waits in the inbox. */
export class Timers {
  readonly #clock: Clock;
  readonly #ring: (ring: Ring) => void;
  readonly #set = new Map<TimerName, Readonly<{ timer: Timer; token: object }>>();

  constructor(clock: Clock, ring: (ring: Ring) => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  set(name: TimerName, ms: number): void {
    this.cancel(name);
    const token = {};
    const timer = this.#clock.setTimer(ms, () => {
      this.#ring({ name, token });
    });
    this.#set.set(name, { timer, token });
  }

  cancel(name: TimerName): void {
    this.#set.get(name)?.timer.cancel();
    this.#set.delete(name);
  }

  /** Whether a ring is of the timer that is set now; takes the timer down if so. */
  accept({ name, token }: Ring): boolean {
    if (this.#set.get(name)?.token !== token) return false;
    this.#set.delete(name);
    return true;
  }

  close(): void {
    for (const { timer } of this.#set.values()) timer.cancel();
    this.#set.clear();
  }
}
