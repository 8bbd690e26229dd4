import { toError } from "../kit/errors.ts";
import { callEnd } from "../model/call-end.ts";
import type { CallbackAnswer, Carrier, DeclineReason, InboundCall } from "../ports/carrier.ts";
import type { LiveState } from "../ports/live.ts";
import type { DialStore } from "../ports/store.ts";
import { addressCall, type MediaAddressDeps } from "./connect-again.ts";
import { endDial, type EndDialDeps } from "./end-dial.ts";
import { inboundDial, type InboundDialDeps } from "./inbound-dial.ts";

export type AnswerInboundDeps = Omit<InboundDialDeps, "dials" | "live" | "metrics"> &
  Omit<MediaAddressDeps, "live"> &
  Readonly<{
    dials: InboundDialDeps["dials"] & Pick<DialStore, "findAnsweringNumber" | "peek" | "end">;
    live: Pick<LiveState, "publish" | "follow" | "issueTicket">;
    metrics: InboundDialDeps["metrics"] & EndDialDeps["metrics"];
  }>;

type AnsweringCarrier = Pick<Carrier, "name" | "answer" | "decline">;

/** Carriers wait for 10 to 15 s, of which the customer may have had three. */
const FREE_WORKER_MS = 5_000;

/** How long the carrier's own part of answering may take. */
const CARRIER_MS = 5_000;

/** The carrier's own limit on a call; ours ends it first. */
const TIME_LIMIT_MS = 86_400_000;

/**
 * Answers people who ring. Each call becomes one dial, however often the carrier announces it; it is answered once a worker holds the
 * dial and is ready to speak, and turned away as busy when none is free in time.
 */
export class InboundCalls {
  readonly #deps: AnswerInboundDeps;
  /** Answers under way, by account and call: a carrier that asks again meanwhile is given the same one. */
  readonly #answering = new Map<string, Promise<CallbackAnswer>>();

  constructor(deps: AnswerInboundDeps) {
    this.#deps = deps;
  }

  /** What a carrier is answered that announces a call. Rejects when the store, or the carrier's own part of it, fails. */
  answer(carrier: AnsweringCarrier, call: InboundCall): Promise<CallbackAnswer> {
    const key = JSON.stringify([carrier.name, call.callId]);
    const known = this.#answering.get(key);
    if (known !== undefined) return known;
    const answering = this.#answer(carrier, call).finally(() => {
      this.#answering.delete(key);
    });
    this.#answering.set(key, answering);
    return answering;
  }

  async #answer(carrier: AnsweringCarrier, call: InboundCall): Promise<CallbackAnswer> {
    const account = carrier.name;
    const answering = await this.#deps.dials.findAnsweringNumber(account, call.to);
    const dialId = answering && (await inboundDial(this.#deps, { account, call, answering }));
    if (dialId === undefined) return this.#decline(carrier, call, "unknown-number");
    if (!(await this.#held(dialId))) {
      await endDial(this.#deps, dialId, { type: "observed", evidence: 2, end: callEnd("expired", "system") });
      return this.#decline(carrier, call, "busy");
    }
    const dial = await this.#deps.dials.peek(dialId);
    if (dial === undefined || dial.state === "ENDED") return this.#decline(carrier, call, "busy");
    const addresses = await addressCall(this.#deps, { dialId, epoch: dial.epoch, carrier: account });
    return this.#within((signal) => {
      if (carrier.answer === undefined) throw new Error("this carrier takes no inbound calls");
      return carrier.answer(call, { dialId, ...addresses, timeLimitMs: TIME_LIMIT_MS }, signal);
    });
  }

  #decline(carrier: AnsweringCarrier, call: InboundCall, why: DeclineReason): Promise<CallbackAnswer> {
    this.#deps.logger.info("an inbound call is turned away", { provider: carrier.name, reason: why });
    return this.#within((signal) => {
      if (carrier.decline === undefined) throw new Error("this carrier takes no inbound calls");
      return carrier.decline(call, why, signal);
    });
  }

  /** Whether a worker takes the dial in time: it says so once it waits for the sound. */
  async #held(dialId: string): Promise<boolean> {
    const patience = new AbortController();
    const timer = this.#deps.clock.setTimer(FREE_WORKER_MS, () => patience.abort());
    try {
      for await (const { event } of this.#deps.live.follow(dialId, undefined, patience.signal))
        if (event.type === "status" && event.status !== "queued")
          return event.status === "ringing" || event.status === "in-progress";
    } catch (error) {
      this.#deps.logger.error("an inbound call could not be followed", { dialId, error: toError(error) });
    } finally {
      timer.cancel();
      patience.abort();
    }
    return false;
  }

  async #within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const patience = new AbortController();
    const timer = this.#deps.clock.setTimer(CARRIER_MS, () => patience.abort());
    try {
      return await work(patience.signal);
    } finally {
      timer.cancel();
    }
  }
}
