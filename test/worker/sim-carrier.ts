import type {
  AnsweredBy,
  CallbackRequest,
  Carrier,
  CarrierCall,
  CarrierEnd,
  CarrierReport,
  LookUp,
  PlaceOutcome,
  PlaceRequest,
} from "../../src/ports/carrier.ts";
import type { EndReason } from "../../src/model/call-end.ts";
import { sleep, type Clock, type Timer } from "../../src/ports/clock.ts";
import type { LineEnd, LineListener, Transport } from "../../src/ports/transport.ts";

/** What the carrier answers to one request to ring somebody. */
export type Answer =
  | "accepted"
  /** The request arrived, the answer did not. */
  | "lost-after"
  /** Neither arrived. */
  | "lost-before"
  /** It never answers by itself. */
  | "hangs"
  | "not-sent"
  | Readonly<{ rejected: EndReason }>
  | Readonly<{ retryAfterMs: number }>;

export type Script = Readonly<{
  /** One for each request; the last one stands for all that follow. */
  answers: readonly Answer[];
  answerMs?: number;
  /** `fails`: the carrier cannot reach them after all. */
  person: "answers" | "busy" | "ignores" | "fails";
  /** From ringing until the person answers, is busy, or the carrier gives up. */
  ringMs?: number;
  /** From the answer until the person hangs up; never, unless told. */
  talkMs?: number;
  /** Whether the answered call gets a media socket. */
  media?: boolean;
  /** From the answer until the media socket breaks. */
  mediaBreaksMs?: number;
  callbacks?: boolean;
  /** Who the carrier says has answered, with its report of the answer, where it was asked to find out. */
  detects?: AnsweredBy;
  callbackMs?: number;
  /** Until a call is in the carrier's list. */
  listMs?: number;
}>;

export class SimLine implements Transport {
  readonly format = { encoding: "mulaw", sampleRate: 8000 } as const;
  readonly queue = "far-end";
  readonly bufferedAmount = 0;
  readonly carrierCallId: string | undefined;
  closed = false;
  #listener: LineListener | undefined;
  #gone: LineEnd | undefined;

  constructor(carrierCallId: string | undefined) {
    this.carrierCallId = carrierCallId;
  }

  listen(listener: LineListener): void {
    this.#listener = listener;
    if (this.#gone !== undefined) listener.gone(this.#gone);
  }

  drop(why: LineEnd): void {
    if (this.#gone !== undefined || this.closed) return;
    this.#gone = why;
    this.#listener?.gone(why);
  }

  send(): void {}
  mark(): void {}
  clear(): void {}

  close(): void {
    this.closed = true;
  }
}

type Call = {
  readonly callId: string;
  readonly dialId: string;
  readonly listedAt: number;
  readonly request: PlaceRequest;
  state: "ringing" | "in-progress" | "ended";
  end?: CarrierEnd;
  endedAt?: number;
  line?: SimLine;
  timers: Timer[];
};

/** A carrier with people behind it, in virtual time. Each dial follows its script; everything that happened is on record. */
export class SimCarrier implements Carrier {
  readonly name = "sim";
  readonly posts: { dialId: string; at: number }[] = [];
  readonly rings: { dialId: string; callId: string; at: number }[] = [];
  readonly hangUps: { callId: string; at: number }[] = [];
  readonly transfers: { callId: string; to: string; at: number }[] = [];
  readonly calls = new Map<string, Call>();
  /** Every method but `place` rejects. */
  away = false;
  /** What comes of transfers; a person who was transferred talks there for ten seconds. */
  transferring: "transferred" | "failed" = "transferred";
  onReport: (report: CarrierReport) => void = () => undefined;
  onMedia: (mediaUrl: string, line: SimLine) => void = () => undefined;
  readonly #clock: Clock;
  readonly #scripts = new Map<string, Script>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  script(dialId: string, script: Script): void {
    this.#scripts.set(dialId, script);
  }

  callOf(dialId: string): Call | undefined {
    return [...this.calls.values()].find((call) => call.dialId === dialId);
  }

  async place(request: PlaceRequest, signal: AbortSignal): Promise<PlaceOutcome> {
    const { dialId } = request;
    const script = this.#script(dialId);
    const nth = this.posts.filter((post) => post.dialId === dialId).length;
    this.posts.push({ dialId, at: this.#clock.monotonic() });
    const answer = script.answers[Math.min(nth, script.answers.length - 1)] as Answer;
    const rings = answer === "accepted" || answer === "lost-after";
    const callId = rings ? this.#ring(request, script) : "";
    try {
      await sleep(this.#clock, answer === "hangs" ? 1e9 : (script.answerMs ?? 100), signal);
    } catch (error) {
      return { type: "ambiguous", cause: error as Error };
    }
    if (answer === "accepted") return { type: "accepted", callId };
    if (answer === "lost-after" || answer === "lost-before" || answer === "hangs")
      return { type: "ambiguous", cause: new Error("connection reset") };
    if (answer === "not-sent") return { type: "not-sent", cause: new Error("connection refused") };
    if ("rejected" in answer) return { type: "rejected", reason: answer.rejected };
    return { type: "rate-limited", retryAfterMs: answer.retryAfterMs };
  }

  async hangUp(callId: string): Promise<void> {
    this.hangUps.push({ callId, at: this.#clock.monotonic() });
    if (this.away) throw new Error("the carrier is away");
    await sleep(this.#clock, 50);
    const call = this.calls.get(callId);
    if (call !== undefined) this.#over(call, { cause: call.state === "ringing" ? "canceled" : "completed" }, "hung-up");
  }

  async transfer(callId: string, to: string): Promise<"transferred" | "failed"> {
    this.transfers.push({ callId, to, at: this.#clock.monotonic() });
    await sleep(this.#clock, 3_000);
    if (this.away) throw new Error("the carrier is away");
    const call = this.calls.get(callId);
    if (this.transferring === "failed" || call?.state !== "in-progress") return "failed";
    call.line?.drop("hung-up");
    call.timers.push(
      this.#clock.setTimer(10_000, () => {
        this.#over(call, { cause: "completed" }, "hung-up");
      }),
    );
    return "transferred";
  }

  async lookUp({ dialId, callId }: Readonly<{ dialId: string; callId?: string | undefined }>): Promise<LookUp> {
    await sleep(this.#clock, 50);
    if (this.away) throw new Error("the carrier is away");
    const call = callId === undefined ? this.callOf(dialId) : this.calls.get(callId);
    // A call is known by its id at once, and by our reference when the list has caught up.
    if (call === undefined || (callId === undefined && this.#clock.monotonic() < call.listedAt))
      return { state: "absent", final: false };
    return this.#word(call);
  }

  readCallback(_dialId: string, _request: CallbackRequest): CarrierReport | undefined {
    return undefined;
  }

  acceptMedia(): Promise<Transport> {
    return Promise.reject(new Error("lines are handed over directly"));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #script(dialId: string): Script {
    const script = this.#scripts.get(dialId);
    if (script === undefined) throw new Error(`no script for ${dialId}`);
    return script;
  }

  #ring(request: PlaceRequest, script: Script): string {
    const { dialId } = request;
    const callId = `call-${this.calls.size + 1}`;
    const at = this.#clock.monotonic();
    this.rings.push({ dialId, callId, at });
    const call: Call = { callId, dialId, listedAt: at + (script.listMs ?? 0), request, state: "ringing", timers: [] };
    this.calls.set(callId, call);
    this.#report(call, script);
    const ringMs = script.person === "ignores" ? request.ringTimeoutMs : (script.ringMs ?? 2_000);
    call.timers.push(
      this.#clock.setTimer(ringMs, () => {
        if (script.person === "answers") this.#answer(call, script);
        else this.#over(call, { cause: REFUSALS[script.person] }, "hung-up");
      }),
    );
    return callId;
  }

  #answer(call: Call, script: Script): void {
    if (call.state !== "ringing") return;
    call.state = "in-progress";
    this.#report(call, script);
    if (script.media !== false) {
      call.line = new SimLine(call.callId);
      this.onMedia(call.request.mediaUrl, call.line);
    }
    const later = (ms: number | undefined, what: () => void) => {
      if (ms !== undefined) call.timers.push(this.#clock.setTimer(ms, what));
    };
    later(script.mediaBreaksMs, () => call.line?.drop("lost"));
    later(script.talkMs, () => this.#over(call, { cause: "completed" }, "hung-up"));
    later(call.request.timeLimitMs, () => this.#over(call, { cause: "time-limit" }, "hung-up"));
  }

  #over(call: Call, end: CarrierEnd, why: LineEnd): void {
    if (call.state === "ended") return;
    call.state = "ended";
    call.end = end;
    call.endedAt = this.#clock.monotonic();
    for (const timer of call.timers) timer.cancel();
    this.#report(call, this.#script(call.dialId));
    call.line?.drop(why);
  }

  #report(call: Call, script: Script): void {
    if (script.callbacks === false) return;
    const { detects } = script;
    const detected = call.request.detectMachine === true && call.state === "in-progress" && detects !== undefined;
    const report = { dialId: call.dialId, call: this.#word(call), ...(detected ? { answeredBy: detects } : {}) };
    this.#clock.setTimer(script.callbackMs ?? 200, () => {
      this.onReport(report);
    });
  }

  #word({ callId, state, end }: Call): CarrierCall {
    return state === "ended" ? { state, callId, end: end ?? { cause: "failed" } } : { state, callId };
  }
}

const REFUSALS = { busy: "busy", ignores: "no-answer", fails: "failed" } as const;
