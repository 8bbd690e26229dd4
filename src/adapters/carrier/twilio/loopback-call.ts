import { toError } from "../../../kit/errors.ts";
import { deferred } from "../../../kit/deferred.ts";
import { sleep, type Clock } from "../../../ports/clock.ts";
import type { CarrierCall, PlaceRequest } from "../../../ports/carrier.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { Random } from "../../../ports/random.ts";
import { CallbackPoster } from "../simulation/callback-poster.ts";
import type { Caller } from "../simulation/caller.ts";
import type { LoopbackNumber } from "../simulation/numbers.ts";
import { StreamedPhone, type StreamEnd } from "../simulation/phone.ts";
import { TwilioPhone } from "./simulated-phone.ts";
import { endOf, formCallback, type FinalStatus, type StatusFields } from "./status-callback.ts";

export type LoopbackCallParts = Readonly<{
  clock: Clock;
  random: Random;
  logger: Logger;
  callId: string;
  accountSid: string;
  request: PlaceRequest;
  number: LoopbackNumber;
  /** The person who will answer; made ready while the phone rings. */
  caller: Promise<Caller>;
  /** Whether the sound of the phone can be read afterwards. */
  keepSound: boolean;
}>;

/**
 * One call of the loopback network.
 *
 *   ringing ──answer──► in-progress ──► ended (completed)
 *      └── busy, no answer, declined, unallocated, failed, canceled ──► ended
 */
export class LoopbackCall {
  readonly callId: string;
  readonly dialId: string;
  /** Resolves when the call is over and everything has been told about it that can be told. */
  readonly settled: Promise<void>;
  readonly #parts: LoopbackCallParts;
  readonly #poster: CallbackPoster;
  readonly #hungUp = deferred<"hung-up-by-us">();
  #state: CarrierCall;
  #phone: StreamedPhone | undefined;
  #sequence = 0;
  #transferred = false;
  readonly #told: string[] = [];

  constructor(parts: LoopbackCallParts) {
    this.callId = parts.callId;
    this.dialId = parts.request.dialId;
    this.#parts = parts;
    this.#state = { state: "ringing", callId: parts.callId };
    const { clock, random, logger, request } = parts;
    this.#poster = new CallbackPoster({ clock, random, logger, dialId: request.dialId });
    // A call that ends while its person is made ready has nobody who waits for that any more.
    parts.caller.catch(() => undefined);
    this.settled = this.#live();
  }

  /** What the network knows of the call now. */
  get state(): CarrierCall {
    return this.#state;
  }

  /** The phone once it was answered; its sound stays readable after the call. */
  get phone(): StreamedPhone | undefined {
    return this.#phone;
  }

  /** Ends the call from our side: a ringing phone stops ringing. Idempotent. */
  hangUp(): void {
    this.#hungUp.resolve("hung-up-by-us");
  }

  /** What those were told who picked up where the person was to go. */
  get told(): readonly string[] {
    return this.#told;
  }

  /**
   * Rings another number while the person waits; they leave us when it answers, and was told the summary. False: they are still here, or
   * hung up.
   */
  async transfer(
    { outcome, ringMs }: LoopbackNumber,
    summary: string | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { clock } = this.#parts;
    const picksUp = outcome === "answer" && ringMs <= TRANSFER_RING_MS;
    if (summary !== undefined && picksUp) this.#told.push(summary);
    const toldMs = picksUp ? (summary?.length ?? 0) * LETTER_MS : 0;
    const rung = sleep(clock, Math.min(ringMs, TRANSFER_RING_MS) + toldMs, signal).then(
      () => picksUp,
      () => false,
    );
    const over = this.#phone?.ended.then(() => false);
    if (over === undefined || this.#state.state !== "in-progress" || !(await Promise.race([rung, over]))) return false;
    this.#transferred = true;
    this.#phone?.hangUp("ended");
    return true;
  }

  /** Ends the call without telling anybody. */
  abort(): void {
    this.#poster.abort();
    this.hangUp();
  }

  async #live(): Promise<void> {
    try {
      // Signalling takes its time: nobody hears of a call before the answer to the request is out.
      await this.#wait(SIGNALLING_MS);
      this.#tell("ringing", {});
      if (await this.#ring()) await this.#talk();
    } catch (error) {
      this.#parts.logger.error("loopback call failed", { dialId: this.dialId, error: toError(error) });
      this.#over("failed", { SipResponseCode: "500" });
    }
    await this.#poster.settled();
  }

  /** True when somebody answered. */
  async #ring(): Promise<boolean> {
    const { number, request } = this.#parts;
    const inTime = number.ringMs <= request.ringTimeoutMs;
    const stopped = await this.#wait(Math.min(number.ringMs, request.ringTimeoutMs));
    if (stopped) this.#over("canceled", {});
    else if (!inTime) this.#over("no-answer", {});
    else if (number.outcome === "busy") this.#over("busy", { SipResponseCode: "486" });
    else if (number.outcome === "declined") this.#over("failed", { SipResponseCode: "603" });
    else if (number.outcome === "unallocated") this.#over("failed", { SipResponseCode: "404" });
    else if (number.outcome === "failed") this.#over("failed", { SipResponseCode: "503" });
    else return true;
    return false;
  }

  async #talk(): Promise<void> {
    const { clock, number, request, callId, accountSid, keepSound } = this.#parts;
    // A person whose lines are not ready picks up a little later.
    const caller = await Promise.race([this.#parts.caller, this.#hungUp.promise]);
    if (caller === "hung-up-by-us") {
      this.#over("canceled", {});
      return;
    }
    const answeredAt = clock.monotonic();
    this.#state = { state: "in-progress", callId };
    this.#tell("in-progress", {});
    let end: StreamEnd | "time-limit";
    if (number.outcome === "answer-without-media")
      end = (await this.#wait(request.timeLimitMs)) ? "ended" : "time-limit";
    else {
      const streamSid = `MZ${callId.slice(2)}`;
      this.#phone = new StreamedPhone({
        clock,
        mediaUrl: request.mediaUrl,
        headers: {},
        dialect: new TwilioPhone({ accountSid, callSid: callId, streamSid }),
        caller,
        keepSound,
      });
      end = await this.#untilPhoneEnds(this.#phone);
    }
    if (this.#transferred && end !== "time-limit") await this.#wait(ELSEWHERE_MS);
    const seconds = Math.round((clock.monotonic() - answeredAt) / 1000);
    this.#over("completed", { CallDuration: String(seconds), ...SOURCES[end] });
  }

  async #untilPhoneEnds(phone: StreamedPhone): Promise<StreamEnd | "time-limit"> {
    const limit = deferred<"time-limit">();
    const timer = this.#parts.clock.setTimer(this.#parts.request.timeLimitMs, () => limit.resolve("time-limit"));
    void this.#hungUp.promise.then(() => phone.hangUp("ended"));
    phone.start();
    const end = await Promise.race([phone.ended, limit.promise]);
    timer.cancel();
    phone.hangUp("ended");
    return end;
  }

  /** True when the call was ended by our side meanwhile. */
  async #wait(ms: number): Promise<boolean> {
    const passed = deferred<"passed">();
    const timer = this.#parts.clock.setTimer(ms, () => passed.resolve("passed"));
    const first = await Promise.race([passed.promise, this.#hungUp.promise]);
    timer.cancel();
    return first !== "passed";
  }

  #over(status: FinalStatus, fields: StatusFields): void {
    this.#state = { state: "ended", callId: this.callId, end: endOf(status, fields) };
    this.#tell(status, fields);
  }

  #tell(status: string, fields: StatusFields): void {
    const { clock, request, accountSid } = this.#parts;
    const said = {
      CallSid: this.callId,
      AccountSid: accountSid,
      From: request.from,
      To: request.to,
      CallStatus: status,
      Direction: "outbound-api",
      ApiVersion: "2010-04-01",
      CallbackSource: "call-progress-events",
      SequenceNumber: String(this.#sequence),
      Timestamp: new Date(clock.now()).toUTCString(),
      ...fields,
    };
    this.#poster.post(formCallback(request.statusUrl, said));
    this.#sequence += 1;
  }
}

const SIGNALLING_MS = 100;

/** How long the phone rings that a person is to be connected to, and how long they talk there. */
const TRANSFER_RING_MS = 20_000;
const ELSEWHERE_MS = 2000;

/** About how long a letter takes to be said. */
const LETTER_MS = 60;

/** Whose doing the end of a phone's media was; our own side needs no telling. */
const SOURCES: Readonly<Record<StreamEnd | "time-limit", StatusFields>> = {
  "hung-up": { HangupSource: "callee" },
  ended: {},
  closed: {},
  unreachable: { HangupSource: "carrier" },
  "time-limit": { HangupSource: "time-limit" },
};
