import { deferred } from "../../../kit/deferred.ts";
import { toError } from "../../../kit/errors.ts";
import type { CarrierCall, CarrierEnd, PlaceOutcome, PlaceRequest } from "../../../ports/carrier.ts";
import type { Timer } from "../../../ports/clock.ts";
import { ask, Unanswered } from "./ask.ts";
import { ALLOW, type SipCallDeps } from "./call-deps.ts";
import { Dialog, tagOf } from "./dialog.ts";
import { EstablishedCall } from "./established-call.ts";
import { headerOf, sipRequest, type SipHeader, type SipRequest, type SipResponse } from "./message.ts";
import { endOfRefusal, outcomeOfRefusal } from "./outcomes.ts";
import type { RtpPair } from "./rtp-ports.ts";
import { describe, mirrored, parseDescription, type SoundDescription } from "./session-description.ts";
import { SHORTEST_SESSION, termsOfAnswer, USUAL_SESSION } from "./session-timer.ts";
import { escapeUser } from "./sip-address.ts";
import { SipLine } from "./sip-line.ts";
import type { SipPeer } from "./sip-network.ts";

/** "Trying" comes from the next hop at once; what it learns further on comes a moment later and says more. */
const TRYING_MS = 500;

/** Payload type of keys that we offer. */
const KEYS = 101;

/**
 * A call that we place, by one INVITE.
 *
 *   asking ──1xx──► ringing ──2xx──► in-progress ──► ended
 *      └──────────────┴── refused, withdrawn ───────► ended
 */
export class OutgoingCall {
  readonly callId: string;
  readonly #deps: SipCallDeps;
  readonly #request: PlaceRequest;
  readonly #tag: string;
  readonly #placed = deferred<PlaceOutcome>();
  #outcome: PlaceOutcome["type"] | undefined;
  #state: CarrierCall | undefined;
  #sequence: number;
  #invite: Readonly<{ request: SipRequest; branch: string; to: SipPeer }> | undefined;
  #provisional = false;
  #withdrawn = false;
  #pair: RtpPair | undefined;
  #line: SipLine | undefined;
  #early: SoundDescription | undefined;
  #established: EstablishedCall | undefined;
  #answerTag = "";
  #ring: Timer | undefined;
  #trying: Timer | undefined;

  constructor(deps: SipCallDeps, request: PlaceRequest) {
    this.#deps = deps;
    this.#request = request;
    // The same dial is the same call, whoever looks for it.
    this.callId = request.dialId;
    this.#tag = deps.random.secret(9);
    this.#sequence = 1 + Math.floor(deps.random.fraction() * 1000);
  }

  get dialId(): string {
    return this.#request.dialId;
  }

  /** Whether anybody may have been rung: a request that never left is no call. */
  get isCall(): boolean {
    return this.#outcome !== "not-sent";
  }

  /** `undefined` until something was heard of it. */
  get state(): CarrierCall | undefined {
    return this.#state;
  }

  get established(): EstablishedCall | undefined {
    return this.#established;
  }

  /** Asks; resolves when the network has taken or refused the call, or `signal` aborts the wait, after which the call goes on. */
  place(signal: AbortSignal): Promise<PlaceOutcome> {
    const lost = () => this.#settle({ type: "ambiguous", cause: new Error("the trunk has not answered yet") });
    signal.addEventListener("abort", lost, { once: true });
    void this.#run();
    return this.#placed.promise.finally(() => signal.removeEventListener("abort", lost));
  }

  /** Ends the call at any stage. Idempotent. */
  hangUp(): void {
    if (this.#established !== undefined) this.#established.hangUp();
    else this.#withdraw({ cause: "canceled" });
  }

  async #run(): Promise<void> {
    const { server } = this.#deps;
    const uri = `sip:${escapeUser(this.#request.to)}@${server.host}:${server.port}`;
    let to: SipPeer;
    try {
      to = await this.#deps.locate(uri);
      this.#pair = await this.#deps.openPair();
    } catch (error) {
      this.#fail({ type: "not-sent", cause: toError(error) });
      return;
    }
    if (this.#withdrawn) return this.#release();
    this.#ring = this.#deps.clock.setTimer(this.#request.ringTimeoutMs, () => this.#withdraw({ cause: "no-answer" }));
    await this.#ask(uri, to, USUAL_SESSION);
  }

  async #ask(uri: string, to: SipPeer, sessionSeconds: number): Promise<void> {
    try {
      const answer = await ask(this.#deps, (more) => this.#makeInvite(uri, sessionSeconds, more), to, {
        sent: (request, branch) => {
          this.#invite = { request, branch, to };
          this.#provisional = false;
        },
        provisional: (response) => this.#onProvisional(response),
        again: (response) => this.#onAgain(response),
      });
      const least = Number(headerOf(answer, "min-se") ?? 0);
      if (answer.status === 422 && least > sessionSeconds && least < 86_400 && !this.#withdrawn)
        await this.#ask(uri, to, least);
      else if (answer.status < 300) this.#onAnswered(answer);
      else this.#onRefused(answer);
    } catch (error) {
      const cause = toError(error);
      const sent = !(error instanceof Unanswered) || error.sent;
      this.#fail(sent ? { type: "ambiguous", cause } : { type: "not-sent", cause });
    }
  }

  #makeInvite(uri: string, sessionSeconds: number, more: readonly SipHeader[]): SipRequest {
    const { server, user } = this.#deps;
    this.#sequence += 1;
    const from = escapeUser(this.#request.from === "" ? (user ?? "anonymous") : this.#request.from);
    const headers: SipHeader[] = [
      ["from", `<sip:${from}@${server.host}>;tag=${this.#tag}`],
      ["to", `<${uri}>`],
      ["call-id", this.callId],
      ["cseq", `${this.#sequence} INVITE`],
      ["contact", this.#deps.contact()],
      ["allow", ALLOW],
      ["supported", "timer"],
      ["session-expires", String(sessionSeconds)],
      ["min-se", String(SHORTEST_SESSION)],
      ["user-agent", "call-engine"],
      ["content-type", "application/sdp"],
      ...more,
    ];
    const body = describe({
      address: this.#deps.mediaAddress(),
      port: this.#pair?.port ?? 0,
      session: { id: this.#deps.clock.now(), version: 1 },
      codecs: ["mulaw", "alaw"],
      keys: KEYS,
      direction: "sendrecv",
    });
    return sipRequest("INVITE", uri, headers, body);
  }

  #onProvisional(response: SipResponse): void {
    if (this.#withdrawn && !this.#provisional) this.#sendCancel();
    this.#provisional = true;
    if (this.#state?.state === "ended") return;
    this.#state ??= { state: "ringing", callId: this.callId };
    if (response.status === 100) this.#trying ??= this.#deps.clock.setTimer(TRYING_MS, () => this.#accepted());
    else {
      this.#accepted();
      this.#hearEarly(response);
    }
  }

  /** Sound before the answer opens the way for what follows; the network's announcements in it are not the person's words. */
  #hearEarly(response: SipResponse): void {
    const early = parseDescription(response.body);
    if (early === undefined || early.codecs.length === 0 || early.port === 0) return;
    this.#early = early;
    this.#lineFor(early).agree(early, mirrored(early.direction));
  }

  #lineFor({ codecs }: SoundDescription): SipLine {
    const pair = this.#pair;
    if (pair === undefined) throw new Error("a call has no ports");
    this.#line ??= new SipLine({
      ...this.#deps,
      callId: this.callId,
      codec: codecs[0]?.codec ?? "mulaw",
      pair,
      closed: () => this.hangUp(),
    });
    return this.#line;
  }

  #accepted(): void {
    this.#trying?.cancel();
    this.#settle({ type: "accepted", callId: this.callId });
  }

  #onAnswered(answer: SipResponse): void {
    const dialog = this.#invite && Dialog.ofAnswer(this.#invite.request, answer);
    if (dialog === undefined) return this.#end({ cause: "failed" });
    this.#answerTag = tagOf(headerOf(answer, "to"));
    this.#acknowledge(dialog, answer);
    this.#accepted();
    const peer = answer.body.length === 0 ? this.#early : parseDescription(answer.body);
    if (this.#withdrawn || peer === undefined || peer.codecs.length === 0 || peer.port === 0) {
      this.#sayGoodbye(dialog);
      this.#end({ cause: "failed" });
      return;
    }
    this.#ring?.cancel();
    const line = this.#lineFor(peer);
    line.agree(peer, mirrored(peer.direction));
    line.answered();
    this.#state = { state: "in-progress", callId: this.callId };
    this.#established = new EstablishedCall({
      deps: this.#deps,
      dialog,
      line,
      port: this.#pair?.port ?? 0,
      peer,
      terms: termsOfAnswer(answer),
      timeLimitMs: this.#request.timeLimitMs,
      over: (end) => this.#end(end),
    });
    this.#deps.host.report(this.#state, this.dialId);
    this.#deps.host.line(this.#request.mediaUrl, line);
  }

  /** A 2xx that is repeated, or one of another phone that was picked up as well. */
  #onAgain(answer: SipResponse): void {
    const dialog = this.#invite && Dialog.ofAnswer(this.#invite.request, answer);
    if (dialog === undefined) return;
    this.#acknowledge(dialog, answer);
    if (tagOf(headerOf(answer, "to")) !== this.#answerTag) this.#sayGoodbye(dialog);
  }

  #acknowledge(dialog: Dialog, answer: SipResponse): void {
    const ack = dialog.ack(answer);
    this.#deps.locate(dialog.nextHop).then(
      (to) => this.#deps.transactions.acknowledge(ack, to),
      () => undefined,
    );
  }

  #sayGoodbye(dialog: Dialog): void {
    this.#deps
      .locate(dialog.nextHop)
      .then((to) => ask(this.#deps, (more) => dialog.request("BYE", more), to))
      .catch(() => undefined);
  }

  #onRefused(answer: SipResponse): void {
    this.#trying?.cancel();
    // Before anybody knows of the call, the answer is the outcome of asking; afterwards it is the end of the call.
    this.#settle(outcomeOfRefusal(answer));
    this.#deps.logger.info("the trunk refused a call", { dialId: this.dialId, status: answer.status });
    this.#end(endOfRefusal(answer));
  }

  #withdraw(end: CarrierEnd): void {
    if (this.#withdrawn || this.#state?.state === "ended") return;
    this.#withdrawn = true;
    if (this.#provisional) this.#sendCancel();
    this.#end(end);
  }

  #sendCancel(): void {
    if (this.#invite === undefined) return;
    const { request, branch, to } = this.#invite;
    this.#deps.transactions.cancel(request, branch, to);
  }

  #fail(outcome: PlaceOutcome): void {
    this.#settle(outcome);
    this.#end({ cause: "failed" });
  }

  #end(end: CarrierEnd): void {
    if (this.#state?.state === "ended") return;
    this.#state = { state: "ended", callId: this.callId, end };
    this.#accepted();
    this.#release();
    // Whoever asked was told already, and may ask again.
    if (this.#outcome === "accepted" || this.#outcome === "ambiguous") this.#deps.host.report(this.#state, this.dialId);
  }

  #settle(outcome: PlaceOutcome): void {
    this.#outcome ??= outcome.type;
    this.#placed.resolve(outcome);
  }

  #release(): void {
    this.#ring?.cancel();
    this.#trying?.cancel();
    if (this.#line === undefined) this.#pair?.close();
    else this.#line.over("hung-up");
    // The call is remembered for longer than what it was made of.
    [this.#line, this.#pair, this.#established] = [undefined, undefined, undefined];
  }
}
