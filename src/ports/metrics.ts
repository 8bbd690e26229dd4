import type { CallEnd } from "../model/call-end.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { AttemptOutcome } from "../model/webhook-delivery.ts";
import type { HttpOutcome } from "./http-caller.ts";

/** The stages of a turn, in travel order; label values of the latency histogram. */
export type Stage = "endpoint" | "transcript" | "model" | "sentence" | "synthesizer" | "sent" | "heard";

/** What is counted. Labels have few values; none carries personal data. */
export interface Metrics {
  dialCreated(direction: string): void;
  dialEnded(end: CallEnd): void;
  callStarted(): void;
  callEnded(durationMs: number): void;
  /** Time from the caller's last voiced sample to a stage of the answer, in milliseconds. */
  stage(stage: Stage, ms: number): void;
  /** What a stage added to the caller's wait, in milliseconds: from the latest of the stages before it. */
  stageAdded(stage: Stage, ms: number): void;
  /** A turn of the agent is over; why it had taken the floor, and whether the caller cut it short. */
  turnEnded(reason: TurnRecord["endReason"], interrupted: boolean): void;
  bargeIn(decision: "committed" | "resumed"): void;
  /** A provider failed or a slot degraded; `port` such as `transcriber`, `provider` the descriptor's name. */
  providerError(port: string, provider: string): void;
  framesDropped(where: "in" | "out", count: number): void;
  framesLate(count: number): void;
  /** Dials whose worker renewed their lease no more were taken over from it. */
  leasesLapsed(count: number): void;
  httpRequest(method: string, route: string, status: number, ms: number): void;
  /** The exposition in Prometheus text format. */
  expose(): Promise<Readonly<{ contentType: string; body: string }>>;
}

/** What is counted of providers that fail and of those that take over. */
export interface FailureMetrics {
  /** A provider took over from another in the middle of a call; both by their descriptors' names. */
  fallback(port: string, from: string, to: string): void;
  /** A provider may fail from now on, and is counted from nought: a count that begins at 1 is no increase. */
  mayFail(port: string, provider: string): void;
  /** One provider may take over from another, likewise. */
  mayTakeOver(port: string, from: string, to: string): void;
  /** The circuit breaker of a provider came to a state. */
  breaker(port: string, provider: string, state: "closed" | "half-open" | "open"): void;
  /** A second model was asked because the first was slow to begin; which of them the answer came from. */
  hedge(won: "first" | "second"): void;
}

/** What is counted of those that an answer waits for, each by itself. */
export interface AnswerMetrics {
  /** A model began an answer this long after it was asked, in milliseconds; `provider` as `<provider>/<model>`. */
  modelBegan(provider: string, ms: number): void;
  /** A customer's server was asked by a function; `failed` is a status that is not 2xx. */
  functionCalled(outcome: HttpOutcome["type"] | "failed", ms: number): void;
}

/** What is counted of sound that is kept because it is said again. */
export interface PhraseMetrics {
  /** A repeatable piece of text was about to be spoken, and its sound was kept or had to be made. */
  phrase(found: "hit" | "miss"): void;
}

/** What is counted of webhooks. */
export interface WebhookMetrics {
  /** An attempt began this long after it was due, in milliseconds. */
  webhookWaited(ms: number): void;
  webhookAttempt(outcome: AttemptOutcome, ms: number): void;
  /** An event was given up: its schedule ran out, or its endpoint wants no more. */
  webhookDead(why: "exhausted" | "gone"): void;
}
