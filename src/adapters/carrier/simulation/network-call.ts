import { deferred } from "../../../kit/deferred.ts";
import { toError } from "../../../kit/errors.ts";
import type { CarrierFaults, SimulatorOptions } from "../../../ports/carrier-simulator.ts";
import { CallbackPoster } from "./callback-poster.ts";
import type { Caller } from "./caller.ts";
import { loopbackNumber, type LoopbackNumber } from "./numbers.ts";
import type { StreamedPhone } from "./phone.ts";

/** How a call ended, and by whom; `network` where the carrier's own limit or fault did. */
export type NetworkEnd = Readonly<{
  cause: "completed" | "busy" | "no-answer" | "canceled" | "declined" | "unallocated" | "failed" | "time-limit";
  by: "person" | "service" | "network";
}>;

export type CallNews =
  | Readonly<{ news: "initiated" | "ringing" | "answered" | "human" | "machine" | "transferred" | "transfer-failed" }>
  | Readonly<{ news: "ended"; end: NetworkEnd }>;

/** What a call does next. */
export type NextStep =
  | Readonly<{ step: "connect"; mediaUrl: string }>
  | Readonly<{ step: "dial"; to: string; ringMs: number }>
  /** `elsewhere`: the person talks to whom they were connected with. */
  | Readonly<{ step: "wait" | "elsewhere" | "end" | "decline" }>;

/** Why the carrier looks for what to do next. */
export type Occasion = "answered" | "media-closed" | "transfer-failed";

/** What differs between the carriers. */
export type NetworkHooks = Readonly<{
  /** Tells the service. */
  tell(call: NetworkCall, news: CallNews): void;
  next(call: NetworkCall, occasion: Occasion): Promise<NextStep>;
  phone(call: NetworkCall, mediaUrl: string, caller: Caller, breaksAfterMs: number | undefined): StreamedPhone;
}>;

export type NetworkCallParts = Readonly<{
  deps: SimulatorOptions["deps"];
  faults: CarrierFaults;
  hooks: NetworkHooks;
  callId: string;
  /** E.164. */
  from: string;
  to: string;
  direction: "outbound" | "inbound";
  number: LoopbackNumber;
  caller: Promise<Caller>;
  ringTimeoutMs: number;
  timeLimitMs: number;
  /** Whether it is told who answered. */
  detectsMachines: boolean;
}>;

/** One call of a simulated network: rings, is answered, does one step after another, ends, and tells of all that. */
export class NetworkCall {
  readonly parts: NetworkCallParts;
  readonly createdAt: number;
  readonly poster: CallbackPoster;
  /** Resolves when the call is over and everything has been told about it that can be told. */
  readonly settled: Promise<void>;
  state: "queued" | "ringing" | "in-progress" | "ended" = "queued";
  end: NetworkEnd | undefined;
  phone: StreamedPhone | undefined;
  readonly #stop = deferred<"stop">();
  #stoppedBy: NetworkEnd["by"] = "service";
  #limited = false;
  #redirected = deferred<NextStep>();
  #answeredAt: number | undefined;

  constructor(parts: NetworkCallParts) {
    this.parts = parts;
    const { clock, random, logger } = parts.deps;
    this.createdAt = clock.now();
    this.poster = new CallbackPoster({ clock, random, logger, dialId: parts.callId, faults: parts.faults });
    parts.caller.catch(() => undefined);
    this.settled = this.#live();
  }

  /** Whole seconds since it was answered. */
  get talkedSeconds(): number {
    return this.#answeredAt === undefined
      ? 0
      : Math.round((this.parts.deps.clock.monotonic() - this.#answeredAt) / 1000);
  }

  hangUp(by: NetworkEnd["by"] = "service"): void {
    if (this.state === "ended") return;
    this.#stoppedBy = by;
    this.#stop.resolve("stop");
    this.phone?.hangUp("ended");
  }

  /** Answers a call that came in; does nothing to others. */
  answer(step: NextStep): void {
    if (this.parts.direction === "inbound" && this.state === "ringing") this.#redirected.resolve(step);
  }

  /** Drops what the call is doing and goes on with this. False when it is not talking. */
  redirect(step: NextStep): boolean {
    if (this.state !== "in-progress") return false;
    this.#redirected.resolve(step);
    this.phone?.hangUp("ended");
    return true;
  }

  /** Rings somebody while the call goes on, and takes the person there when they answer. False when it is not talking. */
  ringBeside(to: string, ringMs: number): boolean {
    if (this.state !== "in-progress") return false;
    void this.#dial(to, ringMs).then((step) => {
      if (step.step === "elsewhere") this.redirect(step);
    });
    return true;
  }

  abort(): void {
    this.poster.abort();
    this.hangUp("network");
  }

  async #live(): Promise<void> {
    // The constructor returns first, so that whoever made the call knows it before the service hears of it.
    await Promise.resolve();
    try {
      await (this.parts.direction === "inbound" ? this.#rungByPerson() : this.#rung());
    } catch (error) {
      this.parts.deps.logger.error("a simulated call failed", { error: toError(error) });
      this.#over({ cause: "failed", by: "network" });
    }
    await this.poster.settled();
  }

  async #rung(): Promise<void> {
    const { number, ringTimeoutMs } = this.parts;
    if (await this.#wait(SIGNALLING_MS)) return this.#canceled();
    this.#tell({ news: "initiated" });
    this.state = "ringing";
    this.#tell({ news: "ringing" });
    if (await this.#wait(Math.min(number.ringMs, ringTimeoutMs))) return this.#canceled();
    if (number.ringMs > ringTimeoutMs) return this.#over({ cause: "no-answer", by: "network" });
    const { outcome } = number;
    if (outcome !== "answer" && outcome !== "answer-without-media")
      return this.#over({ cause: outcome, by: outcome === "failed" ? "network" : "person" });
    await Promise.race([this.parts.caller, this.#stop.promise]);
    return this.#talk(await this.#pickUp());
  }

  /** The carrier tells that somebody rings, and is told what to do by its answer or by a command. */
  async #rungByPerson(): Promise<void> {
    this.state = "ringing";
    if (await this.#wait(SIGNALLING_MS)) return this.#canceled();
    this.#tell({ news: "ringing" });
    const answer = this.parts.hooks.next(this, "answered");
    const step = await Promise.race([answer, this.#stop.promise, this.#redirected.promise]);
    const waits = step !== "stop" && step.step === "wait";
    const first = waits ? await this.#commanded() : step;
    this.#redirected = deferred();
    if (first === undefined || first === "stop") return this.#canceled();
    if (first.step === "decline") return this.#over({ cause: "declined", by: "service" });
    this.#begin();
    return this.#talk(first);
  }

  /** What a ringing call is told to do by a command; `undefined` when its person gives up. */
  async #commanded(): Promise<NextStep | undefined> {
    const gaveUp = this.#wait(this.parts.ringTimeoutMs).then(() => undefined);
    return Promise.race([this.#redirected.promise, gaveUp]);
  }

  async #pickUp(): Promise<NextStep> {
    this.#begin();
    const { number, detectsMachines } = this.parts;
    if (detectsMachines) this.#tell({ news: number.what.includes("voicemail") ? "machine" : "human" });
    return this.#nextOrElse("answered");
  }

  #begin(): void {
    this.#answeredAt = this.parts.deps.clock.monotonic();
    this.state = "in-progress";
    this.#tell({ news: "answered" });
  }

  async #talk(first: NextStep): Promise<void> {
    const limit = this.parts.deps.clock.setTimer(this.parts.timeLimitMs, () => {
      this.#limited = true;
      this.hangUp("network");
    });
    let step = first;
    for (let round = 0; round < MOST_STEPS && step.step !== "end" && this.state === "in-progress"; round++)
      step = await this.#do(step);
    limit.cancel();
    this.#over({ cause: this.#limited ? "time-limit" : "completed", by: this.#stoppedBy });
  }

  /** Does one step and answers the one after it. */
  async #do(step: NextStep): Promise<NextStep> {
    if (step.step === "elsewhere") return (await this.#wait(ELSEWHERE_MS)) ? END : this.#endBy("person");
    if (step.step === "dial") {
      const next = await this.#dial(step.to, step.ringMs);
      return next.step === "wait" ? this.#nextOrElse("transfer-failed") : next;
    }
    if (step.step === "connect" && this.parts.number.outcome !== "answer-without-media") {
      const ended = await this.#stream(step.mediaUrl);
      if (ended === "hung-up") return this.#endBy("person");
    } else await Promise.race([this.#stop.promise, this.#redirected.promise]);
    const told = await Promise.race([this.#redirected.promise, this.#stop.promise, Promise.resolve(undefined)]);
    if (told === "stop") return END;
    if (told === undefined) return this.#nextOrElse("media-closed");
    this.#redirected = deferred();
    return told;
  }

  async #stream(mediaUrl: string): Promise<Awaited<StreamedPhone["ended"]>> {
    const { deps, faults, hooks, caller } = this.parts;
    const breaks = deps.random.fraction() < (faults.breakMedia ?? 0) ? BREAK_MS : undefined;
    const phone = hooks.phone(this, mediaUrl, await caller, breaks);
    this.phone = phone;
    phone.start();
    return phone.ended;
  }

  /** What comes of ringing somebody: `wait` when they do not answer. */
  async #dial(to: string, ringMs: number): Promise<NextStep> {
    const other = loopbackNumber(to);
    const answers = other?.outcome === "answer" && other.ringMs <= ringMs;
    if (await this.#wait(Math.min(other?.ringMs ?? 0, ringMs))) return END;
    this.#tell({ news: answers ? "transferred" : "transfer-failed" });
    return { step: answers ? "elsewhere" : "wait" };
  }

  async #nextOrElse(occasion: Occasion): Promise<NextStep> {
    const next = await Promise.race([this.parts.hooks.next(this, occasion), this.#stop.promise]);
    return next === "stop" ? END : next;
  }

  #endBy(by: NetworkEnd["by"]): NextStep {
    this.#stoppedBy = by;
    return END;
  }

  #canceled(): void {
    const by = this.parts.direction === "inbound" ? "person" : this.#stoppedBy;
    this.#over({ cause: "canceled", by });
  }

  #over(end: NetworkEnd): void {
    if (this.state === "ended") return;
    this.state = "ended";
    this.end = end;
    this.#tell({ news: "ended", end });
  }

  #tell(news: CallNews): void {
    this.parts.hooks.tell(this, news);
  }

  /** True when the call was ended meanwhile. */
  async #wait(ms: number): Promise<boolean> {
    const passed = deferred<"passed">();
    const timer = this.parts.deps.clock.setTimer(Math.min(ms, DAY_MS), () => passed.resolve("passed"));
    const first = await Promise.race([passed.promise, this.#stop.promise]);
    timer.cancel();
    return first !== "passed";
  }
}

const END: NextStep = { step: "end" };
const SIGNALLING_MS = 50;
const ELSEWHERE_MS = 2000;
const BREAK_MS = 2000;
const MOST_STEPS = 100;

/** Timers have no room for more than 24 days, and some people let it ring for ever. */
const DAY_MS = 86_400_000;
