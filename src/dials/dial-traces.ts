import type { CallJournal } from "../call/call.ts";
import type { Transfer } from "../call/invocations.ts";
import { stagesOf } from "../call/measure.ts";
import { outcomeOf, type CallEnd } from "../model/call-end.ts";
import type { CallPlan } from "../model/call-plan.ts";
import type { TurnRecord } from "../model/turn-record.ts";
import type { Clock } from "../ports/clock.ts";
import type { AttemptResult } from "../ports/outbox.ts";
import type { Claim } from "../ports/store.ts";
import { DIAL_SPAN, type Tracer } from "../ports/tracer.ts";

type Clocks = Pick<Clock, "now">;

const CALL = "call";
const RING = "ring";

/**
 * What is traced of dials, and how it lies within one another:
 *
 *   dial ─┬─ queue
 *         ├─ ring ── place
 *         ├─ call ─┬─ turn ─┬─ endpoint, transcript, model, sentence, synthesizer, sent, heard
 *         │        │        └─ takeover
 *         │        ├─ function
 *         │        └─ transfer
 *         ├─ end
 *         └─ webhook
 */
export class DialTraces {
  readonly #tracer: Tracer;
  readonly #clock: Clocks;

  constructor(tracer: Tracer, clock: Clocks) {
    this.#tracer = tracer;
    this.#clock = clock;
  }

  /** A request, or somebody who rang at `fromMs`, made a dial. */
  created(plan: CallPlan, fromMs: number): void {
    const { dialId, workspaceId, direction, carrier } = plan;
    this.#tracer.span({
      dialId,
      name: "dial",
      key: DIAL_SPAN,
      kind: "server",
      fromMs,
      untilMs: this.#clock.now(),
      attributes: { workspaceId, direction, agentId: plan.agent.id, ...(carrier === undefined ? {} : { carrier }) },
    });
  }

  /** A worker took a dial from the queue. */
  claimed({ dialId, queuedMs }: Claim): void {
    const now = this.#clock.now();
    if (queuedMs !== undefined) this.#tracer.span({ dialId, name: "queue", fromMs: now - queuedMs, untilMs: now });
  }

  /** The carrier answered, or did not, what it was asked at `fromMs`. */
  placed({ dialId, carrier }: CallPlan, fromMs: number, outcome: string): void {
    this.#tracer.span({
      dialId,
      name: "place",
      under: RING,
      kind: "client",
      fromMs,
      untilMs: this.#clock.now(),
      failed: outcome === "refused" || outcome === "ambiguous",
      attributes: { outcome, ...(carrier === undefined ? {} : { carrier }) },
    });
  }

  /** The time before the conversation is over. */
  rang({ dialId }: CallPlan, fromMs: number, outcome: string): void {
    this.#tracer.span({ dialId, name: "ring", key: RING, fromMs, untilMs: this.#clock.now(), attributes: { outcome } });
  }

  /** A call that was answered at `fromMs` is over. */
  talked({ dialId }: CallPlan, fromMs: number, end: CallEnd): void {
    this.#tracer.span({
      dialId,
      name: "call",
      key: CALL,
      fromMs,
      untilMs: this.#clock.now(),
      attributes: { reason: end.reason, endedBy: end.endedBy },
    });
  }

  /** The terminal statement is in. */
  ended(dialId: string, end: CallEnd): void {
    const now = this.#clock.now();
    const { status, systemResultType } = outcomeOf(end.reason);
    this.#tracer.span({
      dialId,
      name: "end",
      fromMs: now,
      untilMs: now,
      failed: status === "failed",
      attributes: { reason: end.reason, endedBy: end.endedBy, result: systemResultType ?? "none", outcome: status },
    });
  }

  /** A turn of a call that was answered at `answeredAtMs`, told when it is over. */
  turn(dialId: string, answeredAtMs: number, turn: TurnRecord): void {
    const zeroMs = answeredAtMs + turn.startMs - (turn.endpointMs ?? 0);
    const key = `turn ${turn.index}`;
    const { interrupted, endReason: reason, speculative = false } = turn;
    this.#tracer.span({
      dialId,
      name: "turn",
      key,
      under: CALL,
      fromMs: zeroMs,
      untilMs: this.#clock.now(),
      attributes: { turn: turn.index, reason, interrupted, speculative },
    });
    for (const { stage, fromMs, untilMs } of stagesOf(turn))
      this.#tracer.span({
        dialId,
        name: stage,
        under: key,
        // What was begun ahead of its turn was over before the stage before it.
        fromMs: zeroMs + Math.min(fromMs, untilMs),
        untilMs: zeroMs + untilMs,
        attributes: { turn: turn.index },
      });
    for (const { part, from, to, why } of turn.fallbacks ?? [])
      this.#tracer.span({
        dialId,
        name: "takeover",
        under: key,
        fromMs: zeroMs,
        untilMs: zeroMs,
        attributes: { part, insteadOf: from, engine: to, reason: why },
      });
  }

  /** Who is asked by a function continues the trace by this header. */
  functionParent(dialId: string, callId: string): string {
    return this.#tracer.traceparent(dialId, functionKey(callId));
  }

  /** A function's server was asked at `fromMs`; `status` is of HTTP, where it answered. */
  functionCalled(
    dialId: string,
    call: Readonly<{ id: string; functionId: string; fromMs: number; outcome: string; status: number | undefined }>,
  ): void {
    const { id, functionId, fromMs, outcome, status } = call;
    this.#tracer.span({
      dialId,
      name: "function",
      key: functionKey(id),
      under: CALL,
      kind: "client",
      fromMs,
      untilMs: this.#clock.now(),
      failed: status === undefined || status >= 400,
      attributes: { functionId, outcome, ...(status === undefined ? {} : { status }) },
    });
  }

  /** Where an endpoint is told of an event, it continues the trace by this header. */
  webhookParent(dialId: string, id: string, fromMs: number): string {
    return this.#tracer.traceparent(dialId, webhookKey(id, fromMs));
  }

  /** An attempt that began at `fromMs` to tell an endpoint of an event. */
  webhookTried(
    { dialId, id, event, step }: Readonly<{ dialId: string; id: string; event: string; step: number }>,
    fromMs: number,
    { outcome, statusCode: status }: AttemptResult,
  ): void {
    this.#tracer.span({
      dialId,
      name: "webhook",
      key: webhookKey(id, fromMs),
      kind: "client",
      fromMs,
      untilMs: this.#clock.now(),
      failed: outcome !== "delivered",
      attributes: { event, step, outcome, ...(status === undefined ? {} : { status }) },
    });
  }

  /** The same transfer, traced. */
  transferring(dialId: string, transfer: Transfer): Transfer {
    return async (...asked) => {
      const fromMs = this.#clock.now();
      let outcome: "transferred" | "failed" = "failed";
      try {
        outcome = await transfer(...asked);
        return outcome;
      } finally {
        const untilMs = this.#clock.now();
        const failed = outcome === "failed";
        this.#tracer.span({ dialId, name: "transfer", under: CALL, fromMs, untilMs, failed, attributes: { outcome } });
      }
    };
  }

  /** The same journal, whose turns are traced; `answeredAtMs` is asked when there is one. */
  journal(dialId: string, journal: CallJournal, answeredAtMs: () => number): CallJournal {
    return {
      transcript: (index, entry) => {
        journal.transcript(index, entry);
      },
      interim: (text) => {
        journal.interim(text);
      },
      turn: (turn) => {
        journal.turn(turn);
        this.turn(dialId, answeredAtMs(), turn);
      },
    };
  }
}

const functionKey = (callId: string): string => `function ${callId}`;
/** An event that is replayed is tried again from its first step. */
const webhookKey = (id: string, fromMs: number): string => `webhook ${id} ${fromMs}`;
