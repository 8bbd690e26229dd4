import type { Clock, Timer } from "../ports/clock.ts";

type Pending = { at: number; order: number; callback: () => void };

/**
 * The time of a conversation in text: it passes while somebody speaks, keys are pressed or nobody says anything, and stands still while
 * a model or a server outside is awaited. So the same conversation takes the same time and the same way on every machine.
 */
export class TextClock implements Clock {
  readonly #epoch: number;
  #now = 0;
  #order = 0;
  #outside = 0;
  readonly #pending = new Set<Pending>();
  readonly #settled = new Set<() => void>();

  /** `epoch`: what the wall clock says when the conversation begins, in milliseconds since 1970. */
  constructor(epoch: number) {
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

  /** Waits for something that happens outside, in real time; no time of the conversation passes meanwhile. */
  async outside<T>(work: Promise<T>): Promise<T> {
    this.#outside += 1;
    try {
      return await work;
    } finally {
      this.#outside -= 1;
      if (this.#outside === 0) for (const wake of this.#settled) wake();
    }
  }

  /** Lets time pass until `done` holds, `ms` at most; answers whether it held. Zero lets everything settle that is under way. */
  async run(done: () => boolean, ms: number): Promise<boolean> {
    const until = this.#now + ms;
    for (;;) {
      await this.#settle();
      if (done()) return true;
      const next = this.#nextBefore(until);
      if (next === undefined) {
        this.#now = Math.max(this.#now, until);
        return false;
      }
      this.#pending.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
  }

  async #settle(): Promise<void> {
    do {
      await turn();
      if (this.#outside > 0) await this.#nothingOutside();
      await turn();
    } while (this.#outside > 0);
  }

  #nothingOutside(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#settled.delete(wake);
        resolve();
      };
      this.#settled.add(wake);
    });
  }

  #nextBefore(until: number): Pending | undefined {
    let found: Pending | undefined;
    for (const one of this.#pending) {
      if (one.at > until) continue;
      if (found === undefined || one.at < found.at || (one.at === found.at && one.order < found.order)) found = one;
    }
    return found;
  }
}

/** One turn of the event loop, in which every promise settles that waits for nothing outside. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
