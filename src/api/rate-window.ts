/** The second over which requests are counted, in steps: what falls out of it does so a step later at most. */
const STEPS = 100;
const STEP_MS = 10;

/** Times are sums of fractions of milliseconds. */
const FORGIVEN_STEP = 1e-6;

/** The requests of the last second, and those that were let through beyond the limit and are counted later instead. */
export class RateWindow {
  readonly #steps = new Uint32Array(STEPS);
  #newest = 0;
  #sum = 0;
  #owed = 0;

  /** Requests that count now. */
  get sum(): number {
    return this.#sum;
  }

  /** Drops what lies longer back than a second at `now` (milliseconds), and counts what is owed as far as `limit` has room. */
  roll(now: number, limit: number): void {
    const newest = Math.floor(now / STEP_MS + FORGIVEN_STEP);
    const passed = Math.min(STEPS, newest - this.#newest);
    for (let back = 0; back < passed; back++) {
      const at = (newest - back) % STEPS;
      this.#sum -= this.#steps[at] ?? 0;
      this.#steps[at] = 0;
    }
    this.#newest = newest;
    const counted = Math.min(this.#owed, Math.max(0, limit - this.#sum));
    this.#owed -= counted;
    this.add(counted);
  }

  /** Counts requests at the moment of the last {@link roll}. */
  add(requests: number): void {
    const at = this.#newest % STEPS;
    this.#steps[at] = (this.#steps[at] ?? 0) + requests;
    this.#sum += requests;
  }

  /** Counts requests as far as `limit` has room; the others are owed, at most `mostOwed` of them. */
  charge(requests: number, limit: number, mostOwed: number): void {
    const counted = Math.min(requests, Math.max(0, limit - this.#sum));
    this.add(counted);
    this.#owed = Math.min(mostOwed, this.#owed + requests - counted);
  }

  /** Milliseconds from `now` until one request has room, if nothing else comes; at most as long as what is owed takes. */
  waitForRoom(now: number, limit: number): number {
    // What is owed takes the room that comes up first, a whole window at a time.
    const windows = Math.floor(this.#owed / limit);
    let needed = this.#sum + (this.#owed % limit) - limit + 1;
    for (let step = this.#newest - STEPS + 1; step <= this.#newest; step++) {
      needed -= this.#steps[(step + STEPS) % STEPS] ?? 0;
      if (needed <= 0) return (step + STEPS) * STEP_MS - now + windows * STEPS * STEP_MS;
    }
    return (windows + 1) * STEPS * STEP_MS;
  }
}
