import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { callEnd, OUTCOMES, outcomeOf, type CallEnd, type EndReason } from "../../model/call-end.ts";
import type { TurnRecord } from "../../model/turn-record.ts";
import type { AttemptOutcome } from "../../model/webhook-delivery.ts";
import type { HttpOutcome } from "../../ports/http-caller.ts";
import type {
  AnswerMetrics,
  FailureMetrics,
  Metrics,
  PhraseMetrics,
  Stage,
  WebhookMetrics,
} from "../../ports/metrics.ts";
import { CapacityGauges, type Backlog, type WorkerLoad } from "./capacity-gauges.ts";
import { ProcessGauges } from "./process-gauges.ts";

/** Seconds; fine where a conversation is felt (0.2 to 1.5 s), coarse beyond. */
const TURN_BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 2, 2.5, 3, 4, 6, 8];
/** Seconds; most stages add a few milliseconds. */
const ADDED_BUCKETS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5];
const HTTP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const CALL_BUCKETS = [5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10_800];
/** Up to the 10 s that a function may take; a model has begun within 8 s or is given up. */
const ANSWER_BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4, 6, 8, 10];
/** Up to the 15 s that an endpoint may take. */
const WEBHOOK_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/**
 * Counts in a registry of its own, so that two in one process do not meet. Names begin with `call_engine_`, durations are in
 * seconds; every name is described in `docs/metrics.md`. `close` stops the event-loop monitor.
 */
export class PromMetrics implements Metrics, AnswerMetrics, FailureMetrics, PhraseMetrics, WebhookMetrics {
  readonly #registry = new Registry();
  readonly #dialsCreated = this.#counter("dials_created_total", "Dials created.", ["direction"]);
  readonly #dialsEnded = this.#counter("dials_ended_total", "Dials ended, by reason, public status and result.", [
    "reason",
    "status",
    "result",
    "fault",
  ]);
  readonly #activeCalls = new Gauge({
    name: "call_engine_active_calls",
    help: "Calls that this process holds now.",
    registers: [this.#registry],
  });
  readonly #callDuration = this.#histogram("call_duration_seconds", "Length of calls.", CALL_BUCKETS, []);
  readonly #turnLatency = this.#histogram(
    "turn_latency_seconds",
    "From the caller's last voiced sample to a stage of the answer; stage `heard` is what the caller waits.",
    TURN_BUCKETS,
    ["stage"],
  );
  readonly #stageAdded = this.#histogram(
    "turn_stage_added_seconds",
    "What a stage of the answer added to the caller's wait.",
    ADDED_BUCKETS,
    ["stage"],
  );
  readonly #modelBegins = this.#histogram(
    "model_first_token_seconds",
    "From when a language model was asked to its own first word or function, whatever was said meanwhile.",
    ANSWER_BUCKETS,
    ["provider"],
  );
  readonly #functions = this.#histogram(
    "function_seconds",
    "What customers' servers took when functions asked them, by what came of it.",
    ANSWER_BUCKETS,
    ["outcome"],
  );
  readonly #turns = this.#counter("turns_total", "Turns of agents, by why they took the floor.", [
    "reason",
    "interrupted",
  ]);
  readonly #leasesLapsed = this.#counter("leases_lapsed_total", "Dials taken over from workers that were lost.", []);
  readonly #capacity = new CapacityGauges(this.#registry);
  readonly #process = new ProcessGauges(this.#registry);
  readonly #bargeIns = this.#counter("barge_ins_total", "Interruptions by the caller, by what was decided.", [
    "decision",
  ]);
  readonly #providerErrors = this.#counter("provider_errors_total", "Failures of providers and degraded slots.", [
    "port",
    "provider",
  ]);
  readonly #fallbacks = this.#counter("fallbacks_total", "Providers that took over from others during calls.", [
    "port",
    "from",
    "to",
  ]);
  readonly #phrases = this.#counter("phrases_total", "Repeatable pieces of text, by whether their sound was kept.", [
    "found",
  ]);
  readonly #breakers = new Gauge({
    name: "call_engine_breaker_state",
    help: "Circuit breaker of a provider: 0 closed, 0.5 one may try, 1 open.",
    labelNames: ["port", "provider"],
    registers: [this.#registry],
  });
  readonly #hedges = this.#counter("hedges_total", "Second models asked for a slow first one, by who answered.", [
    "won",
  ]);
  readonly #framesDropped = this.#counter("frames_dropped_total", "Audio frames dropped, by direction.", ["where"]);
  readonly #framesLate = this.#counter(
    "frames_late_total",
    "Packets of sound that came after their place was filled.",
    [],
  );
  readonly #httpRequests = this.#histogram("http_request_seconds", "API requests.", HTTP_BUCKETS, [
    "method",
    "route",
    "status",
  ]);
  readonly #webhookWaits = this.#histogram(
    "webhook_wait_seconds",
    "From when an attempt to deliver a webhook was due to when it began.",
    WEBHOOK_BUCKETS,
    [],
  );
  readonly #webhookAttempts = this.#histogram(
    "webhook_attempt_seconds",
    "Attempts to deliver a webhook, by what came of them.",
    WEBHOOK_BUCKETS,
    ["outcome"],
  );
  readonly #webhooksDead = this.#counter("webhooks_dead_total", "Webhooks that were given up, and can be replayed.", [
    "why",
  ]);

  constructor() {
    this.#beginAtNought();
  }

  /** A sample that begins at 1 is no increase: the first would go unnoticed. */
  #beginAtNought(): void {
    for (const why of ["exhausted", "gone"]) this.#webhooksDead.inc({ why }, 0);
    for (const direction of ["outbound", "browser", "inbound"]) this.#dialsCreated.inc({ direction }, 0);
    for (const decision of ["committed", "resumed"]) this.#bargeIns.inc({ decision }, 0);
    for (const won of ["first", "second"]) this.#hedges.inc({ won }, 0);
    for (const where of ["in", "out"]) this.#framesDropped.inc({ where }, 0);
    for (const reason of REASONS) this.#dialsEnded.inc(endLabels(callEnd(reason, "system")), 0);
  }

  dialCreated(direction: string): void {
    this.#dialsCreated.inc({ direction });
  }

  dialEnded(end: CallEnd): void {
    this.#dialsEnded.inc(endLabels(end));
  }

  callStarted(): void {
    this.#activeCalls.inc();
  }

  callEnded(durationMs: number): void {
    this.#activeCalls.dec();
    this.#callDuration.observe(durationMs / 1000);
  }

  stage(stage: Stage, ms: number): void {
    this.#turnLatency.observe({ stage }, ms / 1000);
  }

  stageAdded(stage: Stage, ms: number): void {
    this.#stageAdded.observe({ stage }, ms / 1000);
  }

  modelBegan(provider: string, ms: number): void {
    this.#modelBegins.observe({ provider }, ms / 1000);
  }

  functionCalled(outcome: HttpOutcome["type"] | "failed", ms: number): void {
    this.#functions.observe({ outcome }, ms / 1000);
  }

  turnEnded(reason: TurnRecord["endReason"], interrupted: boolean): void {
    this.#turns.inc({ reason, interrupted: String(interrupted) });
  }

  leasesLapsed(count: number): void {
    this.#leasesLapsed.inc(count);
  }

  /** Shows the room of this process's worker from now on. */
  watchWorker(read: () => WorkerLoad): void {
    this.#capacity.worker = read;
  }

  /** Shows what waits in the queue from now on; `read` has to give up by itself when the store is away. */
  watchBacklog(read: () => Promise<Backlog>): void {
    this.#capacity.backlog = read;
  }

  bargeIn(decision: "committed" | "resumed"): void {
    this.#bargeIns.inc({ decision });
  }

  providerError(port: string, provider: string): void {
    this.#providerErrors.inc({ port, provider });
  }

  fallback(port: string, from: string, to: string): void {
    this.#fallbacks.inc({ port, from, to });
  }

  mayFail(port: string, provider: string): void {
    this.#providerErrors.inc({ port, provider }, 0);
  }

  mayTakeOver(port: string, from: string, to: string): void {
    this.#fallbacks.inc({ port, from, to }, 0);
  }

  breaker(port: string, provider: string, state: "closed" | "half-open" | "open"): void {
    this.#breakers.set({ port, provider }, BREAKER_STATES[state]);
  }

  phrase(found: "hit" | "miss"): void {
    this.#phrases.inc({ found });
  }

  hedge(won: "first" | "second"): void {
    this.#hedges.inc({ won });
  }

  framesDropped(where: "in" | "out", count: number): void {
    this.#framesDropped.inc({ where }, count);
  }

  framesLate(count: number): void {
    this.#framesLate.inc(count);
  }

  httpRequest(method: string, route: string, status: number, ms: number): void {
    this.#httpRequests.observe({ method, route, status }, ms / 1000);
  }

  webhookWaited(ms: number): void {
    this.#webhookWaits.observe(ms / 1000);
  }

  webhookAttempt(outcome: AttemptOutcome, ms: number): void {
    this.#webhookAttempts.observe({ outcome }, ms / 1000);
  }

  webhookDead(why: "exhausted" | "gone"): void {
    this.#webhooksDead.inc({ why });
  }

  async expose(): Promise<Readonly<{ contentType: string; body: string }>> {
    const body = await this.#registry.metrics();
    this.#process.scraped();
    return { contentType: this.#registry.contentType, body };
  }

  close(): void {
    this.#process.close();
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: `call_engine_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[],
  ): Histogram<Label> {
    return new Histogram({ name: `call_engine_${name}`, help, buckets, labelNames, registers: [this.#registry] });
  }
}

const BREAKER_STATES = { closed: 0, "half-open": 0.5, open: 1 } as const;

const REASONS = Object.keys(OUTCOMES) as EndReason[];

const endLabels = ({ reason, fault }: CallEnd) => {
  const { status, systemResultType } = outcomeOf(reason);
  return { reason, status, result: systemResultType ?? "none", fault };
};
