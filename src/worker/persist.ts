import { backoff } from "../kit/backoff.ts";
import { toError } from "../kit/errors.ts";
import { sleep, withDeadline, type Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";

export type PersistDeps = Readonly<{ clock: Clock; random: Random }>;

type Persistence = Readonly<{
  /** How long to keep trying, in milliseconds from now. */
  forMs: number;
  /** How long one attempt may take before it counts as failed; its outcome is then unknown, so `work` must be repeatable. */
  attemptMs: number;
  /** Longest pause between attempts, in milliseconds. */
  maxPauseMs: number;
}>;

/** Against the database: half-second answers are slow already, and an outage of half a minute is ordinary. */
export const STORE: Persistence = { forMs: 600_000, attemptMs: 5_000, maxPauseMs: 2_000 };

/**
 * Does something that may be repeated, again and again until it works. Rejects with the last error once the time is up, and with
 * the signal's reason when that aborts.
 */
export const persist = async <T>(
  deps: PersistDeps,
  how: Persistence,
  what: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> => {
  const giveUpAt = deps.clock.monotonic() + how.forMs;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const left = giveUpAt - deps.clock.monotonic();
    try {
      return await withDeadline(deps.clock, Math.min(how.attemptMs, Math.max(left, 0)), what, work());
    } catch (error) {
      // The first pause is at least 50 ms, so that a store that refuses at once is not asked in a tight loop.
      const pause = 50 + backoff(deps.random, attempt, 200, how.maxPauseMs);
      if (deps.clock.monotonic() + pause >= giveUpAt) throw toError(error);
      await sleep(deps.clock, pause, signal);
    }
  }
};

/** Runs `work` with a signal that aborts after `ms`, and waits a second more for it to let go. */
export const withTimeout = async <T>(
  clock: Clock,
  ms: number,
  what: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController();
  const timer = clock.setTimer(ms, () => {
    controller.abort(new Error(`${what} took longer than ${ms} ms`));
  });
  try {
    return await withDeadline(clock, ms + 1_000, what, work(controller.signal));
  } finally {
    timer.cancel();
  }
};
