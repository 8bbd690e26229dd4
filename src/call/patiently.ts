import { toError } from "../kit/errors.ts";
import { DeadlineExceeded, type Clock, type Timer } from "../ports/clock.ts";

export type Patience = Readonly<{
  clock: Clock;
  signal: AbortSignal;
  /** What is waited for, in words. */
  what: string;
  /** How long the next item may take while one is owed, in milliseconds. */
  ms: number;
  owed(): boolean;
}>;

/**
 * Passes items on. Throws {@link DeadlineExceeded} when something is owed and nothing comes for too long, and the signal's
 * reason as soon as it aborts, whatever the source is doing.
 */
export async function* patiently<T>(source: AsyncIterable<T>, patience: Patience): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const watch = new Watch(patience);
  try {
    for (;;) {
      const next = await watch.over(iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    watch.end();
    // The source stops by the signal; waiting for it here would hold up whoever stopped the reply.
    void iterator.return?.(undefined).catch(() => undefined);
  }
}

/** One timer and one listener for all items: a model's words come by the dozen, and each would cost more than its work. */
class Watch {
  readonly #patience: Patience;
  readonly #stop = () => {
    this.#reject?.(toError(this.#patience.signal.reason));
  };
  #timer: Timer | undefined;
  /** Since when the next item is waited for, or was not owed. */
  #sinceMs = 0;
  #reject: ((error: Error) => void) | undefined;

  constructor(patience: Patience) {
    this.#patience = patience;
    patience.signal.addEventListener("abort", this.#stop, { once: true });
  }

  over<T>(next: Promise<T>): Promise<T> {
    const { clock, signal, ms } = this.#patience;
    this.#sinceMs = clock.monotonic();
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (signal.aborted) this.#stop();
      else this.#timer ??= clock.setTimer(ms, () => this.#look());
      next.then(
        (value) => {
          this.#reject = undefined;
          resolve(value);
        },
        (error: unknown) => {
          this.#reject = undefined;
          reject(toError(error));
        },
      );
    });
  }

  end(): void {
    this.#timer?.cancel();
    this.#patience.signal.removeEventListener("abort", this.#stop);
  }

  #look(): void {
    this.#timer = undefined;
    // Whoever takes the items is busy; the next wait sets the timer again.
    if (this.#reject === undefined) return;
    const { clock, ms, what, owed } = this.#patience;
    const now = clock.monotonic();
    if (!owed()) this.#sinceMs = now;
    const leftMs = this.#sinceMs + ms - now;
    if (leftMs > 0) this.#timer = clock.setTimer(leftMs, () => this.#look());
    else this.#reject(new DeadlineExceeded(what, ms));
  }
}
