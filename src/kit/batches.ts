import { type Deferred, deferred } from "./deferred.ts";

/** What is sent together at most. */
const LARGEST = 100;

/** What may wait while something is sent; whoever comes then is refused at once. */
const MOST_WAITING = 10_000;

/**
 * Sends things at once while nothing is under way, and what comes meanwhile together: a single one is not delayed, and under load the
 * cost is that of few round trips and commits. `send` must settle; a failure is told to all that were sent with it.
 */
export class Batches<Item> {
  readonly #send: (items: readonly Item[]) => Promise<unknown>;
  readonly #waiting: Readonly<{ item: Item; done: Deferred<void> }>[] = [];
  #sending = false;

  constructor(send: (items: readonly Item[]) => Promise<unknown>) {
    this.#send = send;
  }

  /** Resolves when the item was sent. */
  add(item: Item): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING) return Promise.reject(new Error("too much waits to be sent"));
    const done = deferred<void>();
    this.#waiting.push({ item, done });
    if (!this.#sending) void this.#sendAll();
    return done.promise;
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, LARGEST);
      try {
        await this.#send(batch.map(({ item }) => item));
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    this.#sending = false;
  }
}
