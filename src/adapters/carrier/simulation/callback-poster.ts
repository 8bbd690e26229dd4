import { backoff } from "../../../kit/backoff.ts";
import { toError } from "../../../kit/errors.ts";
import type { CarrierFaults } from "../../../ports/carrier-simulator.ts";
import { sleep, withDeadline, type Clock, type Timer } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { Random } from "../../../ports/random.ts";

/** A request of a carrier to us, ready to be sent. */
export type Callback = Readonly<{
  method: "GET" | "POST";
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}>;

export type PosterParts = Readonly<{
  clock: Clock;
  random: Random;
  logger: Logger;
  dialId: string;
  faults?: CarrierFaults | undefined;
}>;

/** Sends the callbacks of one call in their order, each again a few times when nobody answers, and as badly as it is told to. */
export class CallbackPoster {
  readonly #parts: PosterParts;
  readonly #stop = new AbortController();
  #queue: Promise<void> = Promise.resolve();
  #overtaken: Callback | undefined;
  #release: Timer | undefined;

  constructor(parts: PosterParts) {
    this.#parts = parts;
  }

  post(callback: Callback): void {
    const { drop = 0, duplicate = 0, reorder = 0 } = this.#parts.faults ?? {};
    if (this.#happens(drop)) return;
    const held = this.#overtaken;
    this.#overtaken = undefined;
    this.#release?.cancel();
    if (held === undefined && this.#happens(reorder)) {
      this.#overtaken = callback;
      // What is to follow may wait for this one.
      this.#release = this.#parts.clock.setTimer(OVERTAKEN_MS, () => void this.settled());
      return;
    }
    const copies = this.#happens(duplicate) ? [callback, callback] : [callback];
    for (const one of held === undefined ? copies : [...copies, held])
      this.#queue = this.#queue.then(() => this.#deliver(one));
  }

  /** Asks once, after everything that was posted, and answers what came back; `undefined` when nobody did. */
  ask(callback: Callback): Promise<Readonly<{ status: number; body: string }> | undefined> {
    const answer = this.#askNow(this.#queue, callback);
    this.#queue = answer.then(() => undefined);
    return answer;
  }

  /** Resolves when all that was posted has been delivered or given up; never rejects. */
  settled(): Promise<void> {
    this.#release?.cancel();
    const held = this.#overtaken;
    this.#overtaken = undefined;
    if (held !== undefined) this.#queue = this.#queue.then(() => this.#deliver(held));
    return this.#queue;
  }

  /** Gives up what is not delivered yet. */
  abort(): void {
    this.#release?.cancel();
    this.#stop.abort(new Error("the network was closed"));
  }

  async #askNow(
    before: Promise<void>,
    callback: Callback,
  ): Promise<Readonly<{ status: number; body: string }> | undefined> {
    await before;
    try {
      return await this.#send(callback);
    } catch (error) {
      this.#parts.logger.warn("nobody answered a simulated carrier", { error: toError(error) });
      return undefined;
    }
  }

  #happens(share: number): boolean {
    return share > 0 && this.#parts.random.fraction() < share;
  }

  async #deliver(callback: Callback): Promise<void> {
    const { clock, random, logger, dialId, faults } = this.#parts;
    if (faults?.delayMs !== undefined) await sleep(clock, faults.delayMs, this.#stop.signal).catch(() => undefined);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        if (this.#stop.signal.aborted) return;
        const { status } = await this.#send(callback);
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
    logger.warn("status callback was given up", { dialId });
  }

  async #send({ method, url, headers, body }: Callback): Promise<Readonly<{ status: number; body: string }>> {
    const attempt = new AbortController();
    const stop = () => attempt.abort(this.#stop.signal.reason);
    this.#stop.signal.addEventListener("abort", stop, { once: true });
    try {
      const sent = fetch(url, {
        method,
        headers: { "user-agent": "call-engine-loopback/1.0", ...headers },
        ...(body === undefined ? {} : { body }),
        redirect: "error",
        signal: attempt.signal,
      }).then(async (response) => ({ status: response.status, body: await response.text() }));
      return await withDeadline(this.#parts.clock, ANSWER_MS, "a callback", sent);
    } catch (error) {
      attempt.abort(error);
      throw error;
    } finally {
      this.#stop.signal.removeEventListener("abort", stop);
    }
  }
}

const ATTEMPTS = 5;

/** How long a callback is held back at the most for another one to overtake it. */
const OVERTAKEN_MS = 1000;

/** What carriers wait for an answer. */
const ANSWER_MS = 15_000;
