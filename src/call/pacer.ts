import type { Clock, Timer } from "../ports/clock.ts";

/** Often enough for a lead of one 20 ms frame, seldom enough to cost nothing. */
const TICK_MS = 10;

/** After a stall longer than this the schedule starts anew instead of catching up tick by tick. */
const MAX_LAG_MS = 60;

/**
 * One heartbeat for every call that is speaking. Ticks keep to an absolute schedule, since timers that are set anew from "now"
 * drift by half a tick each time. While nobody speaks there is no timer at all.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #members = new Set<() => void>();
  #timer: Timer | undefined;
  #due = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls back on every tick until the returned function is called. */
  add(tick: () => void): () => void {
    this.#members.add(tick);
    if (this.#timer === undefined) {
      this.#due = this.#clock.monotonic();
      this.#schedule();
    }
    return () => {
      this.#members.delete(tick);
      if (this.#members.size > 0) return;
      this.#timer?.cancel();
      this.#timer = undefined;
    };
  }

  #schedule(): void {
    const now = this.#clock.monotonic();
    this.#due = now - this.#due > MAX_LAG_MS ? now + TICK_MS : this.#due + TICK_MS;
    const timer = this.#clock.setTimer(this.#due - now, () => {
      for (const tick of this.#members) tick();
      // The last member may have left and a new one come during the ticks; then the new one's timer runs already.
      if (this.#members.size > 0 && this.#timer === timer) this.#schedule();
    });
    this.#timer = timer;
  }
}
