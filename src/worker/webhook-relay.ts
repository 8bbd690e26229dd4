import type { DialTraces } from "../dials/dial-traces.ts";
import { webhookHeaders } from "../dials/sign-webhook.ts";
import { backoff } from "../kit/backoff.ts";
import { toError } from "../kit/errors.ts";
import { withDeadline, type Clock, type Timer } from "../ports/clock.ts";
import type { HttpCaller, HttpOutcome } from "../ports/http-caller.ts";
import type { Logger } from "../ports/logger.ts";
import type { WebhookMetrics } from "../ports/metrics.ts";
import type { AttemptResult, DeliveryLease, DueDelivery, Outbox, Verdict } from "../ports/outbox.ts";
import type { Random } from "../ports/random.ts";
import { persist, STORE } from "./persist.ts";
import { pauseAfter } from "./webhook-schedule.ts";

export type WebhookRelayDeps = Readonly<{
  outbox: Pick<Outbox, "claim" | "open" | "settle" | "release">;
  http: Pick<HttpCaller, "post">;
  /** Our origin without a slash at the end. */
  publicUrl(): string;
  clock: Clock;
  random: Random;
  logger: Logger;
  metrics: WebhookMetrics;
  traces?: DialTraces | undefined;
}>;

export type WebhookRelayOptions = Readonly<{
  /** How often to look for what is due while nothing is known to be, in milliseconds. */
  pollMs?: number;
}>;

/**
 * A quarter of what an event may wait for its first attempt at worst. Asking costs less than being told: PostgreSQL lines up the
 * commits of all that notify.
 */
const POLL_MS = 250;
/** When more was due than could be taken. */
const SOON_MS = 50;

/** How long an endpoint may take, from the look-up of its name to the last byte of its answer. */
const ATTEMPT_MS = 15_000;

/** What is read of an answer, which nobody looks at, before the connection is closed. */
const MAX_ANSWER_BYTES = 65_536;

/** Attempts under way in this process; each may hold a transcript. */
const MOST_AT_ONCE = 100;
/** What endpoints that have more to get may take of these, so that there is room for others whenever we look everywhere. */
const MOST_NEAR = 80;

const STATEMENT_MS = 5_000;
/** While the store is away it is asked at least this often. */
const LONGEST_PAUSE_MS = 5_000;
/** Together with an attempt and a statement this is less than a lease. */
const SETTLE_MS = 8_000;

/** How long attempts under way may take to end once we are asked to stop; then they are cut, and made again by somebody else. */
const STOP_MS = 5_000;

/**
 * Tells customers what happened to their dials, by the events in the outbox. Each event is sent until it was answered with 2xx, by
 * schedule, in its dial's order; it is marked only then, so that a death in between sends it twice rather than never.
 */
export class WebhookRelay {
  readonly #deps: WebhookRelayDeps;
  readonly #pollMs: number;
  readonly #underWay = new Set<Promise<void>>();
  readonly #cut = new AbortController();
  /** Attempts that are over since the last look: their dials and endpoints may have more. */
  #ended: DeliveryLease[] = [];
  #everywhere = false;
  #pauseMs: number;
  #timer: Timer | undefined;
  #claiming: Promise<void> | undefined;
  #failures = 0;
  #stopping: Promise<void> | undefined;

  constructor(deps: WebhookRelayDeps, { pollMs = POLL_MS }: WebhookRelayOptions = {}) {
    this.#deps = deps;
    this.#pollMs = pollMs;
    this.#pauseMs = pollMs;
  }

  /** Delivers from now on. */
  start(): void {
    this.#everywhere = true;
    this.#look();
  }

  /** Takes nothing more, gives what is under way a moment, and resolves when nothing is. Idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#claiming;
    const timer = this.#deps.clock.setTimer(STOP_MS, () => {
      this.#cut.abort();
    });
    await Promise.all(this.#underWay);
    timer.cancel();
  }

  /** Looks for what is due, unless a look is under way, which goes on then. Looks everywhere again after a pause. */
  #look(): void {
    if (this.#claiming !== undefined || this.#stopping !== undefined) return;
    this.#claiming = this.#claimAll().finally(() => {
      this.#claiming = undefined;
      if (this.#stopping !== undefined) return;
      this.#timer ??= this.#deps.clock.setTimer(this.#pauseMs, () => {
        this.#timer = undefined;
        this.#everywhere = true;
        this.#look();
      });
    });
  }

  async #claimAll(): Promise<void> {
    while (this.#stopping === undefined && (this.#everywhere || this.#ended.length > 0)) {
      const everywhere = this.#everywhere;
      const near = this.#ended;
      this.#everywhere = false;
      this.#ended = [];
      const free = (everywhere ? MOST_AT_ONCE : MOST_NEAR) - this.#underWay.size;
      if (free > 0) {
        const leases = await (everywhere ? this.#claim(free) : this.#claim(free, near));
        if (everywhere) this.#pauseMs = this.#pauseAfter(leases.length === free);
        for (const lease of leases) this.#begin(lease);
      }
    }
  }

  #begin(lease: DeliveryLease): void {
    const delivering: Promise<void> = this.#deliver(lease).finally(() => {
      this.#underWay.delete(delivering);
      this.#ended.push(lease);
      this.#look();
    });
    this.#underWay.add(delivering);
  }

  #pauseAfter(more: boolean): number {
    if (this.#failures > 0)
      return this.#pollMs + backoff(this.#deps.random, this.#failures, this.#pollMs, LONGEST_PAUSE_MS);
    return more ? Math.min(SOON_MS, this.#pollMs) : this.#pollMs;
  }

  async #claim(limit: number, near?: readonly DeliveryLease[]): Promise<readonly DeliveryLease[]> {
    const { clock, outbox, logger } = this.#deps;
    try {
      const leases = await withDeadline(clock, STATEMENT_MS, "claiming webhooks", outbox.claim(limit, near));
      this.#failures = 0;
      return leases;
    } catch (error) {
      if (this.#failures === 0) logger.warn("webhooks wait for the store", { error: toError(error) });
      this.#failures += 1;
      return [];
    }
  }

  /** One attempt; never rejects. What fails here is found again when the lease lapses. */
  async #deliver(lease: DeliveryLease): Promise<void> {
    const { clock, outbox, logger, metrics } = this.#deps;
    try {
      const delivery = await withDeadline(clock, STATEMENT_MS, "reading a webhook", outbox.open(lease));
      if (delivery === undefined) return;
      metrics.webhookWaited(lease.waitedMs);
      const startedAt = clock.monotonic();
      const fromMs = clock.now();
      const outcome = await this.#post(delivery, fromMs);
      const attempt = attemptOf(outcome, clock.monotonic() - startedAt);
      this.#deps.traces?.webhookTried(delivery, fromMs, attempt);
      if (this.#cut.signal.aborted && attempt.outcome !== "delivered") {
        await withDeadline(clock, STATEMENT_MS, "giving back a webhook", outbox.release(lease));
        return;
      }
      await this.#settle(delivery, attempt);
    } catch (error) {
      logger.warn("a webhook is left to the next attempt", { dialId: lease.dialId, error: toError(error) });
    }
  }

  #post(delivery: DueDelivery, now: number): Promise<HttpOutcome> {
    const { http, traces } = this.#deps;
    const { id, dialId, url, secrets } = delivery;
    const body = JSON.stringify(envelopeOf(delivery, this.#deps.publicUrl()));
    const timestamp = Math.floor(now / 1000);
    const headers = {
      "content-type": "application/json",
      "user-agent": "call-engine",
      ...(traces === undefined ? {} : { traceparent: traces.webhookParent(dialId, id, now) }),
      ...webhookHeaders({ id, timestamp, body, secrets }),
    };
    return http.post({ url, headers, body, timeoutMs: ATTEMPT_MS, maxBytes: MAX_ANSWER_BYTES }, this.#cut.signal);
  }

  async #settle(delivery: DueDelivery, attempt: AttemptResult): Promise<void> {
    const { logger, metrics, outbox, random } = this.#deps;
    const { dialId, event } = delivery;
    const verdict = verdictOf(random, delivery.step, attempt);
    metrics.webhookAttempt(attempt.outcome, attempt.durationMs);
    if (verdict.type === "dead" || verdict.type === "gone") {
      metrics.webhookDead(verdict.type === "gone" ? "gone" : "exhausted");
      logger.warn("a webhook is given up", { dialId, event, outcome: attempt.outcome, step: delivery.step });
    }
    await persist(this.#deps, { ...STORE, forMs: SETTLE_MS }, "noting a webhook", () =>
      outbox.settle(delivery, attempt, verdict),
    );
  }
}

/** What the customer reads; a recording's address is made now, because it begins with ours. */
const envelopeOf = (delivery: DueDelivery, publicUrl: string) => {
  const { id, event, createdAt, sequence, payload } = delivery;
  const { recording_id: recordingId, ...rest } = payload;
  const address = (recording: string) =>
    `${publicUrl}/api/dials/${encodeURIComponent(delivery.dialId)}/recordings/${encodeURIComponent(recording)}`;
  const told = typeof recordingId === "string" ? { ...rest, recording_url: address(recordingId) } : payload;
  return { event, payload: told, id, created_at: createdAt, sequence };
};

const attemptOf = (outcome: HttpOutcome, ms: number): AttemptResult => {
  const durationMs = Math.round(ms);
  switch (outcome.type) {
    case "answered":
    case "too-large":
      return { outcome: outcomeOfStatus(outcome.status), statusCode: outcome.status, durationMs };
    case "not-sent":
      return { outcome: "not_sent", durationMs };
    case "refused":
    case "timeout":
    case "broken":
      return { outcome: outcome.type, durationMs };
  }
};

const outcomeOfStatus = (status: number): "delivered" | "gone" | "rejected" => {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "rejected";
};

const verdictOf = (random: Random, step: number, { outcome }: AttemptResult): Verdict => {
  if (outcome === "delivered" || outcome === "gone") return { type: outcome };
  const delayMs = pauseAfter(random, step);
  return delayMs === undefined ? { type: "dead" } : { type: "retry", delayMs };
};
