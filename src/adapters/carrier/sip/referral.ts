import { deferred } from "../../../kit/deferred.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import { headerOf, type SipRequest } from "./message.ts";

/** Somebody's phone rings for 20 s; then a little for the news of it. */
const PATIENCE_MS = 25_000;

/** What comes of asking the peer to call somebody else (RFC 3515): the peer tells by NOTIFY how far it is. */
export class Referral {
  /** Whether somebody answered there; false also when nobody tells in time. Rejects when `signal` aborts. */
  readonly succeeded: Promise<boolean>;
  readonly #outcome = deferred<boolean>();
  readonly #timer: Timer;
  readonly #signal: AbortSignal;
  readonly #aborted: () => void;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#signal = signal;
    this.succeeded = this.#outcome.promise;
    // Whoever stops waiting is not told again.
    this.succeeded.catch(() => undefined);
    this.#timer = clock.setTimer(PATIENCE_MS, () => this.#outcome.resolve(false));
    this.#aborted = () => this.#outcome.reject(signal.reason);
    signal.addEventListener("abort", this.#aborted, { once: true });
  }

  /** News of it, as the first line of an answer that the peer got there. */
  notified(request: SipRequest): void {
    const told = /^SIP\/2\.0 (\d{3})/i.exec(Buffer.from(request.body).toString("utf8"));
    const status = Number(told?.[1] ?? 0);
    if (status >= 200) this.#outcome.resolve(status < 300);
    else if (/^\s*terminated/i.test(headerOf(request, "subscription-state") ?? "")) this.#outcome.resolve(false);
  }

  /** The call is over, or nobody waits any more. */
  close(): void {
    this.#timer.cancel();
    this.#signal.removeEventListener("abort", this.#aborted);
    this.#outcome.resolve(false);
  }
}
