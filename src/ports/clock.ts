/** A timer that was set; cancelling one that already fired does nothing. */
export interface Timer {
  cancel(): void;
}

/**
 * Time, injected wherever it is needed, so that a three-hour call runs in milliseconds under test. Nothing outside
 * `adapters/clock` reads the machine's clocks.
 */
export interface Clock {
  /** Wall clock, milliseconds since 1970; for timestamps that people read, never for durations. */
  now(): number;
  /** Monotonic milliseconds with fractions; for durations and deadlines. */
  monotonic(): number;
  /** Calls back once after `ms` milliseconds (at least 0). */
  setTimer(ms: number, callback: () => void): Timer;
}

/** Resolves after `ms`; rejects with the signal's reason as soon as the signal aborts. */
export const sleep = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = clock.setTimer(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    const stop = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
  });

/** A wait that ran past its deadline. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
  constructor(what: string, ms: number) {
    super(`${what} took longer than ${ms} ms`);
  }
}

/** Settles like `work`, or rejects with {@link DeadlineExceeded} after `ms`. The work itself is not cancelled. */
export const withDeadline = <T>(clock: Clock, ms: number, what: string, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = clock.setTimer(ms, () => {
      reject(new DeadlineExceeded(what, ms));
    });
    work.then(
      (value) => {
        timer.cancel();
        resolve(value);
      },
      (error: unknown) => {
        timer.cancel();
        reject(error);
      },
    );
  });
