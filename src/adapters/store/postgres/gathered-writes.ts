import { type Deferred, deferred } from "../../../kit/deferred.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import { StoreUnavailable } from "../../../ports/store.ts";

/** What of one call is to be written: JSON by index. */
export type CallRows = Readonly<{
  dialId: string;
  entries: ReadonlyMap<number, string>;
  turns: ReadonlyMap<number, string>;
}>;

type Waiting = {
  readonly dialId: string;
  readonly entries: Map<number, string>;
  readonly turns: Map<number, string>;
  characters: number;
  readonly done: Deferred<void>;
};

/**
 * Statements begin so far apart, in milliseconds. Fifty calls have some 75 things a second to write; a tenth of a second of them costs
 * little more than one, and is less than what a call itself waits before it writes.
 */
const EVERY_MS = 100;

/** What one statement holds at most, but for a call that has more by itself: calls, and characters of JSON. */
const MOST_CALLS = 500;
const MOST_CHARACTERS = 1_000_000;

/**
 * Writes what calls have to say for all of them together, one statement at a time and at most ten a second. Who comes alone does not
 * wait. What waits is bounded by the calls: of each there is one of a kind and index, the last.
 */
export class GatheredWrites {
  readonly #clock: Clock;
  readonly #write: (calls: readonly CallRows[]) => Promise<unknown>;
  readonly #waiting = new Map<string, Waiting>();
  #sending: Promise<void> | undefined;
  #begunMs = Number.NEGATIVE_INFINITY;
  #pause: Readonly<{ timer: Timer; over: Deferred<void> }> | undefined;
  #closed = false;

  /** `write` is one transaction, and harmless when it is repeated. */
  constructor(clock: Clock, write: (calls: readonly CallRows[]) => Promise<unknown>) {
    this.#clock = clock;
    this.#write = write;
  }

  /** Resolves when the rows are committed; rejects when the store is away, or would not take this very call's. */
  add(dialId: string, kind: "entries" | "turns", rows: ReadonlyMap<number, string>): Promise<void> {
    let waiting = this.#waiting.get(dialId);
    if (waiting === undefined) {
      waiting = { dialId, entries: new Map(), turns: new Map(), characters: 0, done: deferred() };
      this.#waiting.set(dialId, waiting);
    }
    for (const [index, json] of rows) {
      waiting.characters += json.length - (waiting[kind].get(index)?.length ?? 0);
      waiting[kind].set(index, json);
    }
    this.#sending ??= this.#sendAll();
    return waiting.done.promise;
  }

  /** Writes what waits without further delay; resolves when that has been tried. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#pause?.timer.cancel();
    this.#pause?.over.resolve();
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    // What is said in the same breath goes along.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      await this.#untilDue();
      this.#begunMs = this.#clock.monotonic();
      await this.#send(this.#next());
    }
    this.#sending = undefined;
  }

  async #untilDue(): Promise<void> {
    const early = this.#begunMs + EVERY_MS - this.#clock.monotonic();
    if (early <= 0 || this.#closed) return;
    const over = deferred<void>();
    this.#pause = { timer: this.#clock.setTimer(early, () => over.resolve()), over };
    await over.promise;
    this.#pause = undefined;
  }

  #next(): readonly Waiting[] {
    const batch: Waiting[] = [];
    let characters = 0;
    for (const waiting of this.#waiting.values()) {
      characters += waiting.characters;
      if (batch.length > 0 && (characters > MOST_CHARACTERS || batch.length >= MOST_CALLS)) break;
      batch.push(waiting);
      this.#waiting.delete(waiting.dialId);
    }
    return batch;
  }

  /** What the store takes from nobody is told to nobody else: a batch that it refuses is halved until only the call remains whose fault it is. */
  async #send(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(batch);
      for (const { done } of batch) done.resolve();
    } catch (error) {
      if (batch.length > 1 && !(error instanceof StoreUnavailable)) {
        const half = batch.length >> 1;
        await this.#send(batch.slice(0, half));
        await this.#send(batch.slice(half));
      } else for (const { done } of batch) done.reject(error);
    }
  }
}
