import type { Clock, Timer } from "../../../src/ports/clock.ts";

type Pending = { readonly at: number; readonly order: number; callback: (() => void) | undefined };

/**
 * Time that moves as fast as the work in it is done. Like the tests' virtual clock, but made for many timers: they lie in a heap, and
 * promises settle once for all that falls due at one time.
 */
export class BenchClock implements Clock {
  #now = 0;
  #order = 0;
  readonly #heap: Pending[] = [];

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  setTimer(ms: number, callback: () => void): Timer {
    this.#order += 1;
    const pending: Pending = { at: this.#now + Math.max(0, ms), order: this.#order, callback };
    this.#push(pending);
    return {
      cancel: () => {
        pending.callback = undefined;
      },
    };
  }

  /** Lives through `ms` of it. */
  async run(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (let next = this.#heap[0]; next !== undefined && next.at <= until; next = this.#heap[0]) {
      this.#now = next.at;
      for (let due = this.#heap[0]; due !== undefined && due.at === this.#now; due = this.#heap[0]) {
        this.#pop();
        due.callback?.();
      }
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    this.#now = until;
  }

  #push(pending: Pending): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(pending);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = heap[above] as Pending;
      if (!isBefore(pending, other)) break;
      heap[at] = other;
      at = above;
    }
    heap[at] = pending;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Pending, heap[below] as Pending)) below += 1;
      const other = heap[below] as Pending;
      if (!isBefore(other, last)) break;
      heap[at] = other;
      at = below;
    }
    heap[at] = last;
  }
}

const isBefore = (a: Pending, b: Pending): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
