import { toError } from "../../../kit/errors.ts";
import type { CarrierEnd } from "../../../ports/carrier.ts";
import type { Timer } from "../../../ports/clock.ts";
import type { LineEnd } from "../../../ports/transport.ts";
import { ask } from "./ask.ts";
import { ALLOW, type SipCallDeps } from "./call-deps.ts";
import type { Dialog } from "./dialog.ts";
import type { SipHeader, SipRequest, SipResponse } from "./message.ts";
import { Referral } from "./referral.ts";
import { describe, mirrored, parseDescription, type Direction, type SoundDescription } from "./session-description.ts";
import {
  headersOfTerms,
  sessionSeconds,
  SessionTimer,
  SHORTEST_SESSION,
  termsOfAnswer,
  termsOfRequest,
  type SessionTerms,
} from "./session-timer.ts";
import type { ServerTransaction } from "./server-transaction.ts";
import type { SipLine } from "./sip-line.ts";
import { answerTo } from "./transactions.ts";

export type EstablishedParts = Readonly<{
  deps: SipCallDeps;
  dialog: Dialog;
  line: SipLine;
  /** Port of the line. */
  port: number;
  /** `undefined` until a late answer comes with the ACK. */
  peer: SoundDescription | undefined;
  terms: SessionTerms | undefined;
  timeLimitMs: number;
  /** Called once. */
  over(end: CarrierEnd): void;
}>;

/** Who was connected elsewhere may be noted as such before the end of the call is told. */
const TRANSFERRED_MS = 3000;

/** A call that was answered, from either side. */
export class EstablishedCall {
  readonly #parts: EstablishedParts;
  readonly #timer: SessionTimer;
  readonly #limit: Timer;
  readonly #session: Readonly<{ id: number }>;
  #version = 1;
  #peer: SoundDescription | undefined;
  #direction: Direction = "sendrecv";
  #terms: SessionTerms | undefined;
  /** An INVITE of ours that is not answered. */
  #asking = false;
  #referral: Referral | undefined;
  #state: "up" | "leaving" | "over" = "up";

  constructor(parts: EstablishedParts) {
    this.#parts = parts;
    const { clock } = parts.deps;
    this.#session = { id: clock.now() };
    this.#peer = parts.peer;
    this.#terms = parts.terms;
    this.#timer = new SessionTimer(clock, {
      refresh: () => void this.#refresh(),
      expired: () => this.#leave({ cause: "failed" }, "lost"),
    });
    this.#timer.agreed(parts.terms);
    this.#limit = clock.setTimer(parts.timeLimitMs, () => this.#leave({ cause: "time-limit" }, "hung-up"));
  }

  has(request: SipRequest): boolean {
    return this.#parts.dialog.has(request);
  }

  /** Ends the call from our side. Idempotent. */
  hangUp(): void {
    this.#leave({ cause: "completed" }, "closed-by-us");
  }

  /** The peer says where it hears only with its acknowledgement. False: it hears nothing that we speak. */
  lateAnswer(body: Uint8Array): boolean {
    if (this.#peer !== undefined) return true;
    const answer = parseDescription(body);
    if (answer === undefined || answer.port === 0) return false;
    this.#agree(answer);
    return true;
  }

  /** A request within the call; answers all of them but ACK. */
  receive(request: SipRequest, transaction: ServerTransaction): void {
    if (this.#state === "over" || !this.#parts.dialog.follows(request)) {
      transaction.respond(answerTo(request, this.#state === "over" ? 481 : 500));
      return;
    }
    switch (request.method) {
      case "BYE":
        transaction.respond(answerTo(request, 200));
        this.#end({ cause: "completed", endedBy: "remote" }, "hung-up");
        return;
      case "INVITE":
      case "UPDATE":
        this.#onNewTerms(request, transaction);
        return;
      case "NOTIFY":
        transaction.respond(answerTo(request, this.#referral === undefined ? 481 : 200));
        this.#referral?.notified(request);
        return;
      case "INFO":
      case "OPTIONS":
        transaction.respond(answerTo(request, 200, { headers: [["allow", ALLOW]] }));
        return;
      case "REFER":
        transaction.respond(answerTo(request, 603));
        return;
      default:
        transaction.respond(answerTo(request, 405, { headers: [["allow", ALLOW]] }));
    }
  }

  /** Has the peer call somebody else in our place; our side of the call ends when that somebody answers. */
  async transfer(to: string, by: string, signal: AbortSignal): Promise<"transferred" | "failed"> {
    if (this.#state !== "up" || this.#referral !== undefined) return "failed";
    const { deps, dialog } = this.#parts;
    const referral = new Referral(deps.clock, signal);
    this.#referral = referral;
    try {
      const headers: readonly SipHeader[] = [
        ["refer-to", `<${to}>`],
        ["referred-by", `<${by}>`],
        ["contact", deps.contact()],
      ];
      const answer = await ask(
        deps,
        (authorization) => dialog.request("REFER", [...headers, ...authorization]),
        await this.#hop(),
      );
      if (answer.status >= 300 || !(await referral.succeeded)) return "failed";
      this.#parts.deps.clock.setTimer(TRANSFERRED_MS, () => this.hangUp());
      return "transferred";
    } finally {
      referral.close();
      this.#referral = undefined;
    }
  }

  /** A new description or new terms of the session, which may put us on hold. */
  #onNewTerms(request: SipRequest, transaction: ServerTransaction): void {
    const invite = request.method === "INVITE";
    if (invite && this.#asking) return transaction.respond(answerTo(request, 491));
    if ((sessionSeconds(request) ?? SHORTEST_SESSION) < SHORTEST_SESSION)
      return transaction.respond(answerTo(request, 422, { headers: [["min-se", String(SHORTEST_SESSION)]] }));
    const offer = request.body.length === 0 ? undefined : parseDescription(request.body);
    const { encoding } = this.#parts.line.format;
    if (request.body.length > 0 && (offer === undefined || offer.codecs.every(({ codec }) => codec !== encoding)))
      return transaction.respond(answerTo(request, 488));
    this.#parts.dialog.retarget(request);
    this.#terms = termsOfRequest(request);
    this.#timer.agreed(this.#terms);
    if (offer !== undefined) this.#agree(offer);
    const body = offer !== undefined || invite ? this.#describe(offer) : undefined;
    const headers: SipHeader[] = [
      ["contact", this.#parts.deps.contact()],
      ["allow", ALLOW],
      ["supported", "timer"],
      ...headersOfTerms(this.#terms),
      ...(body === undefined ? [] : [["content-type", "application/sdp"] as const]),
    ];
    transaction.respond(
      answerTo(request, 200, { headers, ...(body === undefined ? {} : { body }) }),
      invite ? () => this.#leave({ cause: "failed" }, "lost") : undefined,
    );
  }

  #agree(peer: SoundDescription): void {
    this.#peer = peer;
    this.#direction = mirrored(peer.direction);
    this.#parts.line.agree(peer, this.#direction);
  }

  #describe(offer: SoundDescription | undefined): Uint8Array {
    this.#version += 1;
    const codec = this.#parts.line.format.encoding === "alaw" ? "alaw" : "mulaw";
    return describe(
      {
        address: this.#parts.deps.mediaAddress(),
        port: this.#parts.port,
        session: { ...this.#session, version: this.#version },
        codecs: [codec],
        keys: this.#peer?.keys,
        direction: offer === undefined ? "sendrecv" : this.#direction,
      },
      offer,
    );
  }

  /** Shows that we are still here. */
  async #refresh(): Promise<void> {
    if (this.#state !== "up" || this.#terms === undefined) return;
    const { deps, dialog } = this.#parts;
    const { seconds } = this.#terms;
    this.#asking = true;
    try {
      const headers: readonly SipHeader[] = [
        ["contact", deps.contact()],
        ["supported", "timer"],
        ["session-expires", `${seconds};refresher=uac`],
        ["content-type", "application/sdp"],
      ];
      const to = await this.#hop();
      const acknowledge = (answer: SipResponse) => deps.transactions.acknowledge(dialog.ack(answer), to);
      const body = this.#describe(undefined);
      const answer = await ask(deps, (more) => dialog.request("INVITE", [...headers, ...more], body), to, {
        again: acknowledge,
      });
      if (answer.status < 300) this.#refreshed(answer, acknowledge);
      else if (answer.status === 408 || answer.status === 481) this.#leave({ cause: "failed" }, "lost");
      else this.#timer.agreed({ seconds, refresher: "us" });
    } catch (error) {
      deps.logger.info("a SIP call could not be refreshed", { error: toError(error) });
      this.#leave({ cause: "failed" }, "lost");
    } finally {
      this.#asking = false;
    }
  }

  #refreshed(answer: SipResponse, acknowledge: (answer: SipResponse) => void): void {
    acknowledge(answer);
    const peer = parseDescription(answer.body);
    if (peer !== undefined && this.#state === "up") this.#agree(peer);
    this.#terms = termsOfAnswer(answer);
    this.#timer.agreed(this.#terms);
  }

  #hop() {
    return this.#parts.deps.locate(this.#parts.dialog.nextHop);
  }

  /** Says goodbye; whether the peer answers changes nothing. */
  #leave(end: CarrierEnd, why: LineEnd): void {
    if (this.#state !== "up") return;
    this.#state = "leaving";
    const { deps, dialog } = this.#parts;
    this.#hop()
      .then((to) => ask(deps, (authorization) => dialog.request("BYE", authorization), to))
      .catch((error: unknown) => {
        deps.logger.info("a SIP call was ended without an answer", { error: toError(error) });
      });
    this.#end(end, why);
  }

  #end(end: CarrierEnd, why: LineEnd): void {
    if (this.#state === "over") return;
    this.#state = "over";
    this.#timer.stop();
    this.#limit.cancel();
    this.#referral?.close();
    this.#parts.line.over(why);
    this.#parts.over(end);
  }
}
