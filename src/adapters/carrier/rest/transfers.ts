import { withDeadline, sleep, DeadlineExceeded, type Clock } from "../../../ports/clock.ts";
import { deferred, type Deferred } from "../../../kit/deferred.ts";

/** How long it rings where somebody is to be connected to. */
export const TRANSFER_RING_SECONDS = 20;

export type TransferResult = "transferred" | "failed";

/**
 * Calls whose person is being connected to somebody else. What came of it is told by callbacks where this process gets them, and asked
 * for every two seconds, because another process may get them.
 */
export class Transfers {
  readonly #clock: Clock;
  /** By whatever the carrier's callbacks name the call with. */
  readonly #waiting = new Map<string, Deferred<TransferResult>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whoever waits for this transfer learns of it; nobody may. */
  settle(key: string, result: TransferResult): void {
    this.#waiting.get(key)?.resolve(result);
  }

  /** The same for every transfer whose key begins so. */
  settleAll(prefix: string, result: TransferResult): void {
    for (const key of this.#waiting.keys()) if (key.startsWith(prefix)) this.settle(key, result);
  }

  /**
   * What came of a transfer; `failed` when nothing is known 10 s after the ringing is over. `begin` asks the carrier for it, and what it rejects with is
   * passed on. `look` may reject. Rejects when `signal` aborts.
   */
  async run(
    key: string,
    signal: AbortSignal,
    begin: () => Promise<void>,
    look: () => Promise<TransferResult | undefined>,
  ): Promise<TransferResult> {
    const result = deferred<TransferResult>();
    this.#waiting.set(key, result);
    const stop = new AbortController();
    const onAbort = () => {
      result.reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    // Aborted waits are answered below.
    result.promise.catch(() => undefined);
    try {
      await begin();
      if (signal.aborted) onAbort();
      void this.#watch(result, look, stop.signal);
      return await withDeadline(this.#clock, MOST_MS, "a transfer", result.promise);
    } catch (error) {
      if (error instanceof DeadlineExceeded) return "failed";
      throw error;
    } finally {
      stop.abort();
      signal.removeEventListener("abort", onAbort);
      this.#waiting.delete(key);
    }
  }

  async #watch(
    result: Deferred<TransferResult>,
    look: () => Promise<TransferResult | undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      try {
        await sleep(this.#clock, LOOK_MS, signal);
      } catch {
        return;
      }
      // A look that fails says nothing; the next one may.
      const found = await look().catch(() => undefined);
      if (found !== undefined) result.resolve(found);
    }
  }
}

const LOOK_MS = 2000;
const MOST_MS = (TRANSFER_RING_SECONDS + 10) * 1000;
