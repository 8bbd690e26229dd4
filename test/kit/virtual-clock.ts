import type { Clock, Timer } from "../../src/ports/clock.ts";

type Pending = { at: number; order: number; callback: () => void };

/**
 * Time that a test owns. Nothing happens until `advance` says so; timers then fire in order of their due time, and everything
 * that they set off (promises included) settles before the next one.
 */
export class VirtualClock implements Clock {
  #now = 0;
  #order = 0;
  readonly #pending = new Set<Pending>();
  readonly #epoch: number;

  constructor(epoch = Date.UTC(2026, 0, 5, 9, 0, 0)) {
    this.#epoch = epoch;
  }

  now(): number {
    return this.#epoch + this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  setTimer(ms: number, callback: () => void): Timer {
    const pending: Pending = { at: this.#now + Math.max(0, ms), order: this.#order++, callback };
    this.#pending.add(pending);
    return { cancel: () => this.#pending.delete(pending) };
  }

  /** Timers that were set and neither fired nor cancelled; a test that ends with some has leaked them. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Lets promises settle without moving time. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Moves time on by `ms`, firing what falls due. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    await this.settle();
    for (;;) {
      const next = this.#next(target);
      if (next === undefined) break;
      this.#pending.delete(next);
      this.#now = next.at;
      next.callback();
      await this.settle();
    }
    this.#now = target;
  }

  /** Time goes on by `ms` while the process stands still: what falls due then happens after it, and late. */
  async stall(ms: number): Promise<void> {
    this.#now += ms;
    await this.settle();
    for (let next = this.#next(this.#now); next !== undefined; next = this.#next(this.#now)) {
      this.#pending.delete(next);
      next.callback();
      await this.settle();
    }
  }

  /** Moves time on until `condition` holds; throws after `limitMs` of virtual time. */
  async until(condition: () => boolean, limitMs: number): Promise<void> {
    const limit = this.#now + limitMs;
    await this.settle();
    while (!condition()) {
      const next = this.#next(limit);
      if (next === undefined) throw new Error(`the condition did not hold within ${limitMs} ms of virtual time`);
      await this.advance(next.at - this.#now);
    }
  }

  #next(limit: number): Pending | undefined {
    let found: Pending | undefined;
    for (const pending of this.#pending) {
      if (pending.at > limit) continue;
      if (found === undefined || pending.at < found.at || (pending.at === found.at && pending.order < found.order))
        found = pending;
    }
    return found;
  }
}
