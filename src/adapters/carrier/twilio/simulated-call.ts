import { deferred } from "../../../kit/deferred.ts";
import { toError } from "../../../kit/errors.ts";
import type { CarrierFaults, SimulatorOptions } from "../../../ports/carrier-simulator.ts";
import { CallbackPoster } from "../simulation/callback-poster.ts";
import type { Caller } from "../simulation/caller.ts";
import type { LoopbackNumber } from "../simulation/numbers.ts";
import { StreamedPhone } from "../simulation/phone.ts";
import { TwilioPhone, type Writer } from "./simulated-phone.ts";
import { readDocument, type Verb } from "../simulation/markup.ts";
import { formCallback, type StatusFields } from "./status-callback.ts";
import { lengthOf } from "./verb-length.ts";

export type SimulatedCallParts = Readonly<{
  deps: SimulatorOptions["deps"];
  faults: CarrierFaults;
  /** Whose media socket it is; Twilio's when absent. */
  writer?: Writer;
  sid: string;
  accountSid: string;
  from: string;
  to: string;
  direction: "outbound-api" | "inbound" | "outbound-dial";
  /** Who is at the far end: rung by us, or ringing us. */
  number: LoopbackNumber;
  caller: Promise<Caller>;
  /** The document to begin with, or where it is fetched. */
  document: Readonly<{ twiml: string }> | Readonly<{ url: string }>;
  statusUrl?: string | undefined;
  statusEvents: readonly string[];
  ringTimeoutMs: number;
  timeLimitMs: number;
  parentSid?: string | undefined;
  /** Where it is told who answered; nobody listens when absent. */
  machineUrl?: string | undefined;
  sign(url: string, fields: StatusFields): Readonly<Record<string, string>>;
  /** Rings somebody for `<Dial>`; resolves with the call when it was answered or is over. */
  dial(parent: SimulatedCall, to: string, ringTimeoutMs: number): SimulatedCall;
  /** Enters a room; the account's, by its name. */
  enter(call: SimulatedCall, room: string, opens: boolean): SimulatedRoom;
}>;

/** A conference: people wait in it until it is opened by one who enters, and it is closed for all as soon as one leaves. */
export type SimulatedRoom = Readonly<{ closed: Promise<void>; leave(): void }>;

type Over = "completed" | "busy" | "no-answer" | "canceled" | "failed";

/** One call of a simulated account: rings, carries documents out, and tells of itself. */
export class SimulatedCall {
  readonly parts: SimulatedCallParts;
  readonly createdAt: number;
  /** Resolves when the call is over and everything has been told about it that can be told. */
  readonly settled: Promise<void>;
  readonly ended = deferred<void>();
  status: string;
  readonly #poster: CallbackPoster;
  readonly #stop = deferred<"stop">();
  #redirected = deferred<Readonly<{ twiml: string }>>();
  #phone: StreamedPhone | undefined;
  #sequence = 0;
  #answered = false;
  #answeredAt = 0;

  constructor(parts: SimulatedCallParts) {
    this.parts = parts;
    const { clock, random, logger } = parts.deps;
    this.createdAt = clock.now();
    this.status = parts.direction === "inbound" ? "ringing" : "queued";
    this.#poster = new CallbackPoster({ clock, random, logger, dialId: parts.sid, faults: parts.faults });
    parts.caller.catch(() => undefined);
    this.settled = this.#live();
  }

  get over(): boolean {
    return OVER.has(this.status);
  }

  get phone(): StreamedPhone | undefined {
    return this.#phone;
  }

  hangUp(): void {
    this.#stop.resolve("stop");
    this.#phone?.hangUp("ended");
  }

  /** Drops what the call is doing and goes on with another document. */
  redirect(twiml: string): void {
    this.#redirected.resolve({ twiml });
    this.#phone?.hangUp("ended");
  }

  abort(): void {
    this.#poster.abort();
    this.hangUp();
  }

  async #live(): Promise<void> {
    const { logger } = this.parts.deps;
    try {
      if (this.parts.direction === "inbound") await this.#carryOut();
      else await this.#placed();
    } catch (error) {
      logger.error("a simulated call failed", { error: toError(error) });
      this.#finish("failed");
    }
    await this.#poster.settled();
  }

  async #placed(): Promise<void> {
    if (await this.#wait(SIGNALLING_MS)) return this.#finish("canceled");
    this.#tell("initiated");
    if (await this.#wait(SIGNALLING_MS)) return this.#finish("canceled");
    this.status = "ringing";
    this.#tell("ringing");
    const { number, ringTimeoutMs } = this.parts;
    if (await this.#wait(Math.min(number.ringMs, ringTimeoutMs))) return this.#finish("canceled");
    if (number.ringMs > ringTimeoutMs) return this.#finish("no-answer");
    const refused = REFUSALS[number.outcome];
    if (refused !== undefined) return this.#finish(refused.status, { SipResponseCode: refused.sip });
    await this.parts.caller;
    this.#pickUp();
    if (this.parts.direction === "outbound-dial") await this.#stopped(ELSEWHERE_MS);
    else await this.#carryOut();
    return undefined;
  }

  #pickUp(): void {
    this.#answeredAt = this.parts.deps.clock.monotonic();
    this.status = "in-progress";
    this.#answered = true;
    this.#tell("answered");
    const { machineUrl, number } = this.parts;
    if (machineUrl !== undefined)
      this.#post(machineUrl, {
        AnsweredBy: number.what.includes("voicemail") ? "machine_start" : "human",
        MachineDetectionDuration: "2400",
      });
  }

  /** Carries documents out, one after another, until the call is over. */
  async #carryOut(): Promise<void> {
    let document: SimulatedCallParts["document"] | undefined = this.parts.document;
    for (let rounds = 0; document !== undefined && !this.over && rounds < MOST_DOCUMENTS; rounds++) {
      const verbs = readDocument("twiml" in document ? document.twiml : await this.#fetch(document.url, {}));
      if (verbs === undefined) return this.#finish("failed");
      document = await this.#verbs(verbs);
      const redirected = await Promise.race([this.#redirected.promise, Promise.resolve(undefined)]);
      if (redirected !== undefined) {
        this.#redirected = deferred();
        document = redirected;
      }
    }
    this.#finish("completed");
    return undefined;
  }

  async #verbs(verbs: readonly Verb[]): Promise<Readonly<{ twiml: string }> | undefined> {
    for (const verb of verbs) {
      const [only] = verb.children;
      if (verb.name === "Reject") this.#finish(verb.attributes["reason"] === "busy" ? "busy" : "no-answer");
      else if (this.status === "ringing") this.#pickUp();
      if (this.over || verb.name === "Hangup") return undefined;
      if (verb.name === "Redirect") return { twiml: await this.#fetch(verb.text, {}) };
      if (verb.name === "Connect" && only?.name === "Stream") await this.#stream(only.attributes["url"] ?? "");
      if (verb.name === "Dial" && only?.name === "Conference") return this.#confer(verb, only);
      if (verb.name === "Dial") return this.#dial(verb, only?.text ?? verb.text);
      const ms = lengthOf(verb);
      if (ms > 0) await Promise.race([this.#wait(ms), this.#redirected.promise]);
      const interrupted = await Promise.race([
        this.#stop.promise,
        this.#redirected.promise,
        Promise.resolve(undefined),
      ]);
      if (interrupted !== undefined) return undefined;
    }
    return undefined;
  }

  async #stream(mediaUrl: string): Promise<void> {
    const { deps, faults, sid, accountSid, sign, timeLimitMs, number, writer = "twilio" } = this.parts;
    if (number.outcome === "answer-without-media") {
      await this.#stopped(timeLimitMs);
      return;
    }
    const breaks = deps.random.fraction() < (faults.breakMedia ?? 0);
    const id = deps.random.id();
    const streamSid = writer === "twilio" ? `MZ${id.replaceAll("-", "")}` : id;
    const phone = new StreamedPhone({
      clock: deps.clock,
      mediaUrl,
      headers: writer === "twilio" ? sign(mediaUrl, {}) : {},
      dialect: new TwilioPhone({ accountSid, callSid: sid, streamSid }, writer),
      caller: await this.parts.caller,
      breaksAfterMs: breaks ? BREAK_MS : undefined,
    });
    this.#phone = phone;
    phone.start();
    const limit = deps.clock.setTimer(timeLimitMs, () => this.hangUp());
    const end = await phone.ended;
    limit.cancel();
    if (end === "hung-up") this.#stop.resolve("stop");
  }

  async #dial(verb: Verb, to: string): Promise<Readonly<{ twiml: string }> | undefined> {
    const { action, timeout } = verb.attributes;
    const leg = this.parts.dial(this, to, Number(timeout ?? 30) * 1000);
    void this.#stop.promise.then(() => leg.hangUp());
    await leg.ended.promise;
    if (this.over || action === undefined) return undefined;
    return { twiml: await this.#fetch(action, { DialCallStatus: leg.status, DialCallSid: leg.parts.sid }) };
  }

  async #confer(
    { attributes }: Verb,
    { text, attributes: how }: Verb,
  ): Promise<Readonly<{ twiml: string }> | undefined> {
    const room = this.parts.enter(this, text, how["startConferenceOnEnter"] !== "false");
    const left = await Promise.race([this.#stop.promise, this.#redirected.promise, room.closed]);
    room.leave();
    const { action } = attributes;
    if (left !== undefined || this.over || action === undefined) return undefined;
    return { twiml: await this.#fetch(action, { DialCallStatus: "answered" }) };
  }

  async #fetch(url: string, fields: StatusFields): Promise<string> {
    const answer = await this.#poster.ask(formCallback(url, { ...this.#fields(), ...fields }, this.parts.sign));
    return answer !== undefined && answer.status < 300 ? answer.body : "";
  }

  #finish(status: Over, fields: StatusFields = {}): undefined {
    if (this.over) return;
    const talked = this.#answered;
    this.status = status === "completed" && !talked ? "canceled" : status;
    const seconds = talked ? Math.round((this.parts.deps.clock.monotonic() - this.#answeredAt) / 1000) : 0;
    this.#tell("completed", { CallDuration: String(seconds), ...fields });
    this.ended.resolve();
  }

  #tell(event: string, fields: StatusFields = {}): void {
    const { statusUrl, statusEvents } = this.parts;
    if (statusUrl === undefined || !statusEvents.includes(event)) return;
    this.#post(statusUrl, {
      ...fields,
      CallbackSource: "call-progress-events",
      SequenceNumber: String(this.#sequence),
    });
    this.#sequence += 1;
  }

  #post(url: string, fields: StatusFields): void {
    this.#poster.post(formCallback(url, { ...this.#fields(), ...fields }, this.parts.sign));
  }

  #fields(): StatusFields {
    const { sid, accountSid, from, to, direction, deps } = this.parts;
    return {
      CallSid: sid,
      AccountSid: accountSid,
      From: from,
      To: to,
      CallStatus: this.status === "queued" ? "initiated" : this.status,
      Direction: direction,
      ApiVersion: "2010-04-01",
      Timestamp: new Date(deps.clock.now()).toUTCString(),
    };
  }

  async #stopped(ms: number): Promise<void> {
    await this.#wait(ms);
    this.#finish("completed");
  }

  /** True when the call was ended meanwhile. */
  async #wait(ms: number): Promise<boolean> {
    const passed = deferred<"passed">();
    const timer = this.parts.deps.clock.setTimer(ms, () => passed.resolve("passed"));
    const first = await Promise.race([passed.promise, this.#stop.promise]);
    timer.cancel();
    return first !== "passed";
  }
}

const SIGNALLING_MS = 50;
const ELSEWHERE_MS = 2000;
const BREAK_MS = 2000;
const MOST_DOCUMENTS = 100;

const OVER: ReadonlySet<string> = new Set(["completed", "busy", "no-answer", "canceled", "failed"]);

const REFUSALS: Readonly<Record<string, Readonly<{ status: Over; sip: string }>>> = {
  busy: { status: "busy", sip: "486" },
  declined: { status: "failed", sip: "603" },
  unallocated: { status: "failed", sip: "404" },
  failed: { status: "failed", sip: "503" },
};
