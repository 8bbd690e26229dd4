import type { Clock } from "../ports/clock.ts";

/** What a limit says about one request. */
export type RateDecision = Readonly<{
  allowed: boolean;
  /** Requests that may follow at once. */
  remaining: number;
  /** Milliseconds until the next request is allowed; 0 when one is now. */
  retryAfterMs: number;
}>;

/** Holders that are remembered at most; one that was quiet for a second is as good as new and is forgotten first. */
const MOST_HOLDERS = 10_000;

/**
 * A token bucket per holder, kept as the one moment at which it will be full again (the generic cell rate algorithm): `perSecond`
 * requests at once, refilled evenly. Decided in memory; a holder that comes through several processes has the limit in each.
 */
export class RateLimit {
  readonly perSecond: number;
  readonly #clock: Clock;
  /** Monotonic milliseconds at which a holder's bucket is full again, oldest use first. */
  readonly #fullAt = new Map<string, number>();

  constructor(perSecond: number, clock: Clock) {
    this.perSecond = perSecond;
    this.#clock = clock;
  }

  take(holder: string): RateDecision {
    const now = this.#clock.monotonic();
    const cost = 1000 / this.perSecond;
    const fullAt = Math.max(this.#fullAt.get(holder) ?? 0, now);
    // Fractions of a millisecond add up; a millionth of a request is forgiven.
    const allowed = fullAt + cost <= now + 1000 + cost * 1e-6;
    const next = allowed ? fullAt + cost : fullAt;
    this.#fullAt.delete(holder);
    this.#fullAt.set(holder, next);
    if (this.#fullAt.size > MOST_HOLDERS) this.#forget();
    const room = now + 1000 - next;
    return {
      allowed,
      remaining: Math.max(0, Math.floor(room / cost + 1e-6)),
      retryAfterMs: Math.max(0, cost - room),
    };
  }

  #forget(): void {
    const oldest = this.#fullAt.keys().next();
    if (oldest.done !== true) this.#fullAt.delete(oldest.value);
  }
}
