import type { CarrierCall, CarrierEnd, DeclineReason, InboundCall } from "../../../ports/carrier.ts";
import { hasOption } from "./ask.ts";
import { ALLOW, type SipCallDeps } from "./call-deps.ts";
import { Dialog } from "./dialog.ts";
import { EstablishedCall } from "./established-call.ts";
import { headerOf, headersOf, type SipHeader, type SipRequest } from "./message.ts";
import type { ServerTransaction } from "./server-transaction.ts";
import { describe, mirrored, parseDescription, type SoundDescription } from "./session-description.ts";
import { headersOfTerms, sessionSeconds, SHORTEST_SESSION, termsOfRequest } from "./session-timer.ts";
import { parseNameAddress, parseUri } from "./sip-address.ts";
import { SipLine } from "./sip-line.ts";
import { answerTo } from "./transactions.ts";

/** What a call must be told before it rings; `undefined`: it may. */
type Objection = Readonly<{ status: number; headers?: readonly SipHeader[] }>;

/** What an INVITE cannot have with us. */
export const objectionTo = (invite: SipRequest): Objection | undefined => {
  const demands = headersOf(invite, "require").filter((option) => option.toLowerCase() !== "timer");
  if (demands.length > 0) return { status: 420, headers: [["unsupported", demands.join(", ")]] };
  const seconds = sessionSeconds(invite);
  if (seconds !== undefined && seconds < SHORTEST_SESSION && hasOption(invite, "supported", "timer"))
    return { status: 422, headers: [["min-se", String(SHORTEST_SESSION)]] };
  const offer = parseDescription(invite.body);
  if (invite.body.length > 0 && (offer === undefined || offer.codecs.length === 0)) return { status: 488 };
  const callId = headerOf(invite, "call-id") ?? "";
  if (callId.length > MOST_ID_LENGTH || Dialog.ofInvite(invite, "") === undefined) return { status: 400 };
  return undefined;
};

/** Who rings whom, as far as the trunk says: numbers become E.164, other names stay as they are. */
export const arrivalOf = (invite: SipRequest): InboundCall => {
  const asserted = headersOf(invite, "p-asserted-identity").find((value) => /sip:|tel:/i.test(value));
  const from = parseNameAddress(asserted ?? headerOf(invite, "from") ?? "");
  return {
    callId: headerOf(invite, "call-id") ?? "",
    from: asNumber(parseUri(from?.uri ?? "")?.user ?? ""),
    to: asNumber(parseUri(invite.uri)?.user ?? ""),
  };
};

/** Somebody who rings us. */
export class IncomingCall {
  readonly callId: string;
  readonly #deps: SipCallDeps;
  readonly #transaction: ServerTransaction;
  readonly #tag: string;
  readonly #offer: SoundDescription | undefined;
  #state: CarrierCall;
  #dialId: string | undefined;
  #line: SipLine | undefined;
  #mediaUrl: string | undefined;
  #established: EstablishedCall | undefined;

  constructor(deps: SipCallDeps, transaction: ServerTransaction) {
    this.#deps = deps;
    this.#transaction = transaction;
    this.callId = headerOf(transaction.request, "call-id") ?? "";
    this.#tag = deps.random.secret(9);
    this.#offer = parseDescription(transaction.request.body);
    this.#state = { state: "ringing", callId: this.callId };
  }

  get state(): CarrierCall {
    return this.#state;
  }

  get established(): EstablishedCall | undefined {
    return this.#established;
  }

  /** Tells the caller that it rings, and whoever answers that somebody does. */
  ring(): void {
    const { request } = this.#transaction;
    this.#transaction.respond(answerTo(request, 100));
    this.#transaction.respond(this.#answer(180));
    this.#deps.host.ring(arrivalOf(request));
  }

  /** Takes the call; rejects when the caller has gone, or no ports are free. */
  async answer(to: Readonly<{ dialId: string; mediaUrl: string; timeLimitMs: number }>): Promise<void> {
    this.#dialId = to.dialId;
    const pair = await this.#deps.openPair();
    const { request } = this.#transaction;
    const dialog = Dialog.ofInvite(request, this.#tag);
    if (this.#state.state !== "ringing" || dialog === undefined) {
      pair.close();
      throw new Error("the caller has hung up");
    }
    const offer = this.#offer;
    const codec = offer?.codecs[0]?.codec ?? "mulaw";
    const line = new SipLine({ ...this.#deps, callId: this.callId, codec, pair, closed: () => this.hangUp() });
    this.#line = line;
    this.#mediaUrl = to.mediaUrl;
    this.#state = { state: "in-progress", callId: this.callId };
    const terms = termsOfRequest(request);
    if (offer !== undefined) line.agree(offer, mirrored(offer.direction));
    this.#established = new EstablishedCall({
      deps: this.#deps,
      dialog,
      line,
      port: pair.port,
      peer: offer,
      terms,
      timeLimitMs: to.timeLimitMs,
      over: (end) => this.#end(end),
    });
    const own = {
      address: this.#deps.mediaAddress(),
      port: pair.port,
      session: { id: this.#deps.clock.now(), version: 1 },
      codecs: offer === undefined ? (["mulaw"] as const) : [codec],
      keys: offer === undefined ? KEYS : offer.keys,
      direction: offer === undefined ? ("sendrecv" as const) : mirrored(offer.direction),
    };
    const headers: SipHeader[] = [...headersOfTerms(terms), ["content-type", "application/sdp"]];
    // Whoever does not acknowledge for half a minute does not hear us.
    this.#transaction.respond(this.#answer(200, headers, describe(own, offer)), () => this.hangUp());
  }

  /** Turns the caller away. Does nothing when they are gone. */
  decline(why: DeclineReason): void {
    if (this.#state.state !== "ringing") return;
    const status = why === "busy" ? 486 : 404;
    this.#transaction.respond(this.#answer(status));
    this.#end({ cause: why === "busy" ? "busy" : "invalid-number" });
  }

  /** The caller has our answer: sound may come and go. */
  acknowledged(ack: SipRequest): void {
    this.#transaction.acknowledged();
    const mediaUrl = this.#mediaUrl;
    if (mediaUrl === undefined || this.#line === undefined || this.#established === undefined) return;
    this.#mediaUrl = undefined;
    if (!this.#established.lateAnswer(ack.body)) {
      this.hangUp();
      return;
    }
    this.#line.answered();
    this.#deps.host.line(mediaUrl, this.#line);
  }

  /** The caller has given up before anybody answered. */
  canceled(): void {
    if (this.#state.state !== "ringing") return;
    this.#transaction.respond(this.#answer(487));
    this.#end({ cause: "canceled", endedBy: "remote" });
  }

  /** Ends the call at any stage. Idempotent. */
  hangUp(): void {
    if (this.#established === undefined) this.decline("busy");
    else this.#established.hangUp();
  }

  #answer(status: number, headers: readonly SipHeader[] = [], body?: Uint8Array) {
    const own: SipHeader[] = [["contact", this.#deps.contact()], ["allow", ALLOW], ["supported", "timer"], ...headers];
    return answerTo(this.#transaction.request, status, {
      tag: this.#tag,
      headers: own,
      ...(body === undefined ? {} : { body }),
    });
  }

  #end(end: CarrierEnd): void {
    if (this.#state.state === "ended") return;
    this.#state = { state: "ended", callId: this.callId, end };
    // The call is remembered for longer than what it was made of.
    [this.#line, this.#established] = [undefined, undefined];
    this.#deps.host.report(this.#state, this.#dialId);
  }
}

/** Payload type of keys that we offer. */
const KEYS = 101;

const MOST_ID_LENGTH = 200;

/** Trunks write numbers with and without their plus sign; no user's name is that long and of digits alone. */
const asNumber = (user: string): string => (/^\+?[1-9]\d{6,14}$/.test(user) ? `+${user.replace("+", "")}` : user);
