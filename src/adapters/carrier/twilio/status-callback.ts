import { toError } from "../../../kit/errors.ts";
import { backoff } from "../../../kit/backoff.ts";
import { sleep, withDeadline, type Clock } from "../../../ports/clock.ts";
import type { CallbackRequest, CarrierCall, CarrierEnd, CarrierReport } from "../../../ports/carrier.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { Random } from "../../../ports/random.ts";

/**
 * Reads a status callback in the dialect's form encoding; `undefined` when it is malformed or speaks of a stage that changes
 * nothing (queued, initiated).
 */
export const readStatusCallback = (dialId: string, request: CallbackRequest): CarrierReport | undefined => {
  if (request.body.length > MOST_BODY_BYTES) return undefined;
  if (!(request.headers["content-type"] ?? "").startsWith(FORM)) return undefined;
  const fields: StatusFields = Object.fromEntries(new URLSearchParams(Buffer.from(request.body).toString("utf8")));
  const callId = fields["CallSid"] ?? "";
  if (!/^CA[0-9a-f]{32}$/.test(callId)) return undefined;
  const call = callOf(callId, fields);
  return call === undefined ? undefined : { dialId, call };
};

/** Form fields of a callback, by the dialect's names. */
export type StatusFields = Readonly<Record<string, string>>;

/** The dialect's words for a call that is over. */
export type FinalStatus = (typeof FINAL)[number];

/** How a call ended, by the dialect's status and what else was said of it. */
export const endOf = (status: FinalStatus, fields: StatusFields): CarrierEnd => {
  if (status === "failed") return { cause: FAILURES[fields["SipResponseCode"] ?? ""] ?? "failed" };
  if (status === "completed") return COMPLETIONS[fields["HangupSource"] ?? ""] ?? { cause: "completed" };
  return { cause: status };
};

/** Posts status callbacks of one call in their order, each again a few times when nobody answers. */
export class StatusPoster {
  readonly #parts: Readonly<{ clock: Clock; random: Random; logger: Logger; dialId: string; url: string }>;
  readonly #stop = new AbortController();
  #queue: Promise<void> = Promise.resolve();

  constructor(parts: Readonly<{ clock: Clock; random: Random; logger: Logger; dialId: string; url: string }>) {
    this.#parts = parts;
  }

  post(fields: StatusFields): void {
    this.#queue = this.#queue.then(() => this.#deliver(fields));
  }

  /** Resolves when all that was posted has been delivered or given up; never rejects. */
  settled(): Promise<void> {
    return this.#queue;
  }

  /** Gives up what is not delivered yet. */
  abort(): void {
    this.#stop.abort(new Error("the network was closed"));
  }

  async #deliver(fields: StatusFields): Promise<void> {
    const { clock, random, logger, dialId } = this.#parts;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        if (this.#stop.signal.aborted) return;
        const status = await this.#ask(fields);
        // A server error may pass; any other refusal will be the same next time.
        if (status < 500) {
          if (status >= 400) logger.warn("status callback was refused", { dialId, status });
          return;
        }
      } catch (error) {
        logger.debug("status callback found nobody", { dialId, attempt, error: toError(error) });
      }
      await sleep(clock, backoff(random, attempt, 250, 4000), this.#stop.signal).catch(() => undefined);
    }
    logger.warn("status callback was given up", { dialId, status: fields["CallStatus"] });
  }

  async #ask(fields: StatusFields): Promise<number> {
    const attempt = new AbortController();
    const stop = () => attempt.abort(this.#stop.signal.reason);
    this.#stop.signal.addEventListener("abort", stop, { once: true });
    try {
      const posted = fetch(this.#parts.url, {
        method: "POST",
        headers: { "content-type": FORM, "user-agent": "call-engine-loopback/1.0" },
        body: new URLSearchParams(fields).toString(),
        redirect: "error",
        signal: attempt.signal,
      });
      const response = await withDeadline(this.#parts.clock, ANSWER_MS, "a status callback", posted);
      await response.body?.cancel();
      return response.status;
    } catch (error) {
      attempt.abort(error);
      throw error;
    } finally {
      this.#stop.signal.removeEventListener("abort", stop);
    }
  }
}

const FORM = "application/x-www-form-urlencoded";
const MOST_BODY_BYTES = 16 * 1024;
const ATTEMPTS = 5;
const ANSWER_MS = 5000;

const FINAL = ["busy", "no-answer", "canceled", "failed", "completed"] as const;

const callOf = (callId: string, fields: StatusFields): CarrierCall | undefined => {
  const status = fields["CallStatus"];
  if (status === "ringing" || status === "in-progress") return { state: status, callId };
  const final = FINAL.find((word) => word === status);
  return final === undefined ? undefined : { state: "ended", callId, end: endOf(final, fields) };
};

/** SIP answers that say more than that it failed: not found, gone, address incomplete; forbidden, declined; service limits. */
const FAILURES: Readonly<Record<string, CarrierEnd["cause"]>> = {
  "404": "invalid-number",
  "410": "invalid-number",
  "484": "invalid-number",
  "403": "rejected",
  "603": "rejected",
  "429": "rate-limited",
};

/** The dialect itself does not say who hung up; the loopback network does, in a field of its own. */
const COMPLETIONS: Readonly<Record<string, CarrierEnd>> = {
  callee: { cause: "completed", endedBy: "remote" },
  carrier: { cause: "completed", endedBy: "carrier" },
  "time-limit": { cause: "time-limit", endedBy: "carrier" },
};
