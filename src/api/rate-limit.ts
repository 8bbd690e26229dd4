import type { Clock } from "../ports/clock.ts";
import type { Usage } from "../ports/usage-channel.ts";
import { RateWindow } from "./rate-window.ts";

/** What a limit says about one request. */
export type RateDecision = Readonly<{
  allowed: boolean;
  /** Requests that may follow at once. */
  remaining: number;
  /** Milliseconds until the next request is allowed; 0 when one is now. */
  retryAfterMs: number;
}>;

/** How it stands with the other processes that have the same limit. */
export type Sharing = Readonly<{
  /** Those that share it, this one included; the last known number while they are out of reach. */
  processes: number;
  /** Whether the processes hear one another now. */
  connected: boolean;
  /** How long it takes until they know what was taken here, in milliseconds. */
  delayMs: number;
}>;

/** Holders that are remembered at most; one that was quiet for a second is as good as new and is forgotten first. */
const MOST_HOLDERS = 10_000;

/** A holder whom another process has let through within this time is taken to be at work there still, in milliseconds. */
const ELSEWHERE_MS = 2000;

/** Not even a holder at ten processes owes more seconds than that. */
const MOST_OWED_SECONDS = 10;

type Holder = {
  readonly window: RateWindow;
  /** Taken here since the others were last told, and what they were told last, which they may not have heard yet. */
  untold: number;
  unheard: number;
  elsewhereUntil: number;
};

/**
 * At most `perSecond` requests of a holder in any second, counted in steps of 10 ms. Decided in memory. What other processes let through
 * counts here as soon as it is heard; what went beyond the limit until then is owed and taken off the next seconds, so that over a minute
 * the limit holds. While a holder is at work elsewhere as well, no process takes more of what is left than its part before the others know.
 * While the processes do not hear one another, each has its part of the limit.
 */
export class RateLimit {
  readonly perSecond: number;
  readonly #clock: Clock;
  /** Oldest use first. */
  readonly #holders = new Map<string, Holder>();
  #sharing: Sharing = { processes: 1, connected: true, delayMs: 0 };

  constructor(perSecond: number, clock: Clock) {
    this.perSecond = perSecond;
    this.#clock = clock;
  }

  take(name: string): RateDecision {
    const now = this.#clock.monotonic();
    const holder = this.#use(name);
    const { window } = holder;
    window.roll(now, this.#limit);
    const room = this.#roomOf(holder, now);
    if (room < 1) return { allowed: false, remaining: 0, retryAfterMs: this.#waitOf(holder, now) };
    window.add(1);
    holder.untold += 1;
    const remaining = this.#roomOf(holder, now);
    return { allowed: true, remaining, retryAfterMs: remaining >= 1 ? 0 : this.#waitOf(holder, now) };
  }

  /** What was let through here since the last call, of at most `most` holders; the others are told the next time. */
  tell(most: number): Usage {
    const told: [string, number][] = [];
    for (const [name, holder] of this.#holders) {
      holder.unheard = 0;
      if (holder.untold === 0 || told.length >= most) continue;
      told.push([name, holder.untold]);
      holder.unheard = holder.untold;
      holder.untold = 0;
    }
    return told;
  }

  /** What another process has let through. */
  hear(usage: Usage): void {
    const now = this.#clock.monotonic();
    for (const [name, taken] of usage) {
      const holder = this.#use(name);
      holder.window.roll(now, this.#limit);
      holder.window.charge(taken, this.#limit, MOST_OWED_SECONDS * this.perSecond);
      holder.elsewhereUntil = now + ELSEWHERE_MS;
    }
  }

  share(sharing: Sharing): void {
    this.#sharing = sharing;
  }

  get #limit(): number {
    const { processes, connected } = this.#sharing;
    return connected ? this.perSecond : Math.max(1, Math.floor(this.perSecond / processes));
  }

  #use(name: string): Holder {
    const known = this.#holders.get(name);
    const holder = known ?? { window: new RateWindow(), untold: 0, unheard: 0, elsewhereUntil: 0 };
    this.#holders.delete(name);
    this.#holders.set(name, holder);
    if (known === undefined && this.#holders.size > MOST_HOLDERS) this.#forget();
    return holder;
  }

  /** Whole requests that may follow at once. */
  #roomOf({ window, untold, unheard, elsewhereUntil }: Holder, now: number): number {
    const left = this.#limit - window.sum;
    if (elsewhereUntil <= now || !this.#sharing.connected) return Math.max(0, left);
    const ours = untold + unheard;
    const part = Math.max(1, Math.floor((left + ours) / this.#sharing.processes));
    return Math.max(0, Math.min(left, part - ours));
  }

  /** Until a request may be allowed, in milliseconds: when the window has room, or the others have heard what was taken. */
  #waitOf({ window }: Holder, now: number): number {
    return this.#limit - window.sum >= 1 ? this.#sharing.delayMs : window.waitForRoom(now, this.#limit);
  }

  #forget(): void {
    const oldest = this.#holders.keys().next();
    if (oldest.done !== true) this.#holders.delete(oldest.value);
  }
}
