import { toError } from "../../../kit/errors.ts";
import type {
  CallAddresses,
  CallbackAnswer,
  CallbackRequest,
  CallReference,
  Carrier,
  CarrierDeps,
  CarrierNotice,
  CarrierReport,
  ConnectWish,
  DeclineReason,
  InboundCall,
  LookUp,
  PlaceOutcome,
  PlaceRequest,
  Reading,
  TransferBack,
} from "../../../ports/carrier.ts";
import type { CarrierHttpOutcome } from "../../../ports/carrier-http.ts";
import { sleep } from "../../../ports/clock.ts";
import type { MediaSocket } from "../../../ports/media-socket.ts";
import type { Transport } from "../../../ports/transport.ts";
import { asAnswer, connectDocument, hangUpDocument, rejectDocument, transferDocument } from "./call-document.ts";
import { errorCode, hasConference, readCall, readCalls, stateOf, type CallResource } from "./call-resource.ts";
import type { Dialect } from "./dialect.ts";
import { acceptMediaLine } from "../streaming/media-line.ts";
import { TwilioDialect } from "./stream-dialect.ts";
import { refusalOf } from "./refusals.ts";
import { isSigned } from "./signature.ts";
import { readForm, readStatusCallback, type StatusFields } from "./status-callback.ts";
import { RING_MS, transferWarmly, type Conferencing } from "./warm-transfer.ts";

/** The carrier could not do what was asked; `status` is its HTTP answer, 0 when there was none. */
export class CarrierRefused extends Error {
  override readonly name = "CarrierRefused";
  readonly status: number;

  constructor(what: string, status: number, options?: ErrorOptions) {
    super(`${what} came to nothing (${status === 0 ? "no answer" : `HTTP ${status}`})`, options);
    this.status = status;
  }
}

/** An account at a carrier of the Twilio dialect. Nothing that acts is asked for twice. */
export class RestCarrier implements Carrier {
  readonly name: string;
  readonly noticeTaken = asAnswer("<Response/>");
  readonly #deps: CarrierDeps;
  readonly #dialect: Dialect;

  constructor(name: string, deps: CarrierDeps, dialect: Dialect) {
    this.name = name;
    this.#deps = deps;
    this.#dialect = dialect;
  }

  async place(request: PlaceRequest, signal: AbortSignal): Promise<PlaceOutcome> {
    const outcome = await this.#send("POST", "/Calls.json", signal, orderOf(request));
    if (outcome.type === "not-sent") return outcome;
    if (outcome.type === "lost") return { type: "ambiguous", cause: outcome.cause };
    const call = outcome.status < 300 ? readCall(outcome.body) : undefined;
    if (call !== undefined && this.#dialect.callId.test(call.sid)) return { type: "accepted", callId: call.sid };
    const refusal = refusalOf(outcome);
    this.#deps.logger.warn("the carrier refused a call", {
      dialId: request.dialId,
      status: outcome.status,
      code: errorCode(outcome.body),
    });
    return refusal;
  }

  async hangUp(callId: string, signal: AbortSignal): Promise<void> {
    const outcome = await this.#change(callId, new URLSearchParams({ Status: "completed" }), signal);
    if (outcome === "gone") return;
    if (outcome.status >= 300) throw new CarrierRefused("hanging up", outcome.status);
  }

  /** The carrier rings the other number and brings the person back to us when it does not come to a conversation. */
  async transfer(
    callId: string,
    to: string,
    signal: AbortSignal,
    { answerUrl, callerId, summary }: TransferBack,
  ): Promise<"transferred" | "failed"> {
    if (summary !== undefined && callerId !== undefined) {
      const room = `${callId}-${this.#deps.random.id()}`;
      return transferWarmly(this.#conferencing(signal), { callId, to, room, answerUrl, callerId, summary }, signal);
    }
    const Twiml = transferDocument(to, { answerUrl, callerId, ringMs: TRANSFER_RING_MS });
    const outcome = await this.#change(callId, new URLSearchParams({ Twiml }), signal);
    if (outcome === "gone" || outcome.status >= 300) return "failed";
    const until = this.#deps.clock.monotonic() + TRANSFER_RING_MS + TRANSFER_MARGIN_MS;
    while (this.#deps.clock.monotonic() < until) {
      await sleep(this.#deps.clock, LOOK_MS, signal);
      const leg = await this.#otherLeg(callId, signal);
      const state = leg && stateOf(leg);
      if (state?.state === "in-progress") return "transferred";
      if (state?.state === "ended") return state.end.cause === "completed" ? "transferred" : "failed";
    }
    return "failed";
  }

  async lookUp(reference: CallReference, signal: AbortSignal): Promise<LookUp> {
    if (reference.callId !== undefined) return this.#lookUpById(reference.callId, signal);
    const { to, from, since = 0 } = reference;
    if (to === undefined || from === undefined) return { state: "absent", final: false };
    const query = new URLSearchParams({ To: to, From: from, PageSize: "20" });
    const calls = readCalls(await this.#get(`/Calls.json?${query.toString()}`, "listing calls", signal));
    if (calls === undefined) throw new CarrierRefused("listing calls", 200);
    const placed = calls.find(
      ({ direction, createdAt }) =>
        direction !== "inbound" && (createdAt ?? Number.POSITIVE_INFINITY) >= since - CLOCKS_APART_MS,
    );
    return (placed && stateOf(placed)) ?? { state: "absent", final: false };
  }

  readCallback(dialId: string, request: CallbackRequest): Reading<CarrierReport> {
    return this.#isGenuine(request) ? readStatusCallback(dialId, request, this.#dialect.callId) : "forged";
  }

  readNotice(request: CallbackRequest): Reading<CarrierNotice> {
    if (!this.#isGenuine(request)) return "forged";
    const fields = readForm(request);
    if (fields === undefined) return undefined;
    const call = this.#inboundCall(fields);
    if (call !== undefined) return { type: "ringing", call };
    const said = readStatusCallback("", request, this.#dialect.callId);
    return said && { type: "report", call: said.call };
  }

  async answer(_call: InboundCall, request: CallAddresses): Promise<CallbackAnswer> {
    return asAnswer(connectDocument(request));
  }

  async decline(_call: InboundCall, why: DeclineReason): Promise<CallbackAnswer> {
    return asAnswer(rejectDocument(why));
  }

  readConnect(request: CallbackRequest): Reading<ConnectWish> {
    if (!this.#isGenuine(request)) return "forged";
    // After a transfer: they talked there, and that is over.
    return OVER_THERE.has(readForm(request)?.["DialCallStatus"] ?? "") ? "over" : "connect";
  }

  connect(to: CallAddresses | undefined): CallbackAnswer {
    return asAnswer(to === undefined ? hangUpDocument() : connectDocument(to));
  }

  verifyMedia({ url, headers }: Readonly<{ url: string; headers: CallbackRequest["headers"] }>): boolean {
    return !this.#dialect.signsMedia || isSigned(this.#dialect.signingKey, this.#signature(headers), { url });
  }

  acceptMedia(socket: MediaSocket, signal: AbortSignal): Promise<Transport> {
    return acceptMediaLine(socket, new TwilioDialect(), this.#deps, signal);
  }

  async close(): Promise<void> {
    // Requests end with the client that they were made with.
  }

  #inboundCall(fields: StatusFields): InboundCall | undefined {
    const { CallSid: callId = "", CallStatus: status, Direction: direction, From: from = "", To: to = "" } = fields;
    if (status !== "ringing" || direction !== "inbound" || !this.#dialect.callId.test(callId)) return undefined;
    return { callId, from, to };
  }

  #isGenuine({ url, headers, body }: CallbackRequest): boolean {
    const request = { url, contentType: headers["content-type"], body };
    return isSigned(this.#dialect.signingKey, this.#signature(headers), request);
  }

  #signature(headers: CallbackRequest["headers"]): string | undefined {
    return this.#dialect.signatureHeaders.map((name) => headers[name]).find((value) => value !== undefined);
  }

  async #lookUpById(callId: string, signal: AbortSignal): Promise<LookUp> {
    const outcome = await this.#send("GET", pathOf(callId), signal);
    if (outcome.type !== "answered") throw new CarrierRefused("looking a call up", 0, { cause: outcome.cause });
    if (outcome.status === 404) return { state: "absent", final: true };
    const call = outcome.status < 300 ? readCall(outcome.body) : undefined;
    const state = call && stateOf(call);
    if (state === undefined) throw new CarrierRefused("looking a call up", outcome.status);
    return state;
  }

  #conferencing(signal: AbortSignal): Conferencing {
    // What undoes a transfer is asked for also when nobody waits for its outcome any more; the client has a time limit of its own.
    const always = new AbortController().signal;
    const seen = <T>(looking: Promise<T>): Promise<T | undefined> =>
      looking.catch((error: unknown) => {
        if (signal.aborted) throw error;
        this.#deps.logger.info("a transfer could not be looked at", { error: toError(error) });
        return undefined;
      });
    return {
      clock: this.#deps.clock,
      ring: async (To, From, Twiml) => {
        const form = new URLSearchParams({ To, From, Twiml, Timeout: String(RING_MS / 1000) });
        const outcome = await this.#send("POST", "/Calls.json", signal, form);
        if (outcome.type === "not-sent") return undefined;
        if (outcome.type === "lost") throw new CarrierRefused("ringing somebody", 0, { cause: outcome.cause });
        return outcome.status < 300 ? readCall(outcome.body)?.sid : undefined;
      },
      redirect: async (callId, Twiml) => {
        const outcome = await this.#change(callId, new URLSearchParams({ Twiml }), always);
        return outcome !== "gone" && outcome.status < 300;
      },
      hangUp: (callId) => this.hangUp(callId, always),
      look: (callId) =>
        seen(this.#lookUpById(callId, signal)).then((found) => (found?.state === "absent" ? undefined : found)),
      isOpen: (FriendlyName) => {
        const query = new URLSearchParams({ FriendlyName, Status: "in-progress", PageSize: "1" });
        const look = this.#get(`/Conferences.json?${query.toString()}`, "looking at a transfer", signal);
        return seen(look.then((body) => hasConference(body)));
      },
    };
  }

  /** The newest leg that was rung for somebody of ours; a look that fails is one that saw nothing. */
  async #otherLeg(callId: string, signal: AbortSignal): Promise<CallResource | undefined> {
    try {
      const query = new URLSearchParams({ ParentCallSid: callId, PageSize: "1" });
      return readCalls(await this.#get(`/Calls.json?${query.toString()}`, "looking at a transfer", signal))?.[0];
    } catch (error) {
      if (signal.aborted) throw error;
      this.#deps.logger.info("a transfer could not be looked at", { error: toError(error) });
      return undefined;
    }
  }

  /** Changes a call that may be over, which is no error: then it is `gone`. */
  async #change(callId: string, form: URLSearchParams, signal: AbortSignal) {
    const outcome = await this.#send("POST", pathOf(callId), signal, form);
    if (outcome.type !== "answered") throw new CarrierRefused("changing a call", 0, { cause: outcome.cause });
    const gone = outcome.status === 404 || (outcome.status === 400 && errorCode(outcome.body) === NOT_IN_PROGRESS);
    return gone ? ("gone" as const) : outcome;
  }

  async #get(path: string, what: string, signal: AbortSignal): Promise<string> {
    const outcome = await this.#send("GET", path, signal);
    if (outcome.type !== "answered") throw new CarrierRefused(what, 0, { cause: outcome.cause });
    if (outcome.status >= 300) throw new CarrierRefused(what, outcome.status);
    return outcome.body;
  }

  #send(
    method: "GET" | "POST",
    path: string,
    signal: AbortSignal,
    form?: URLSearchParams,
  ): Promise<CarrierHttpOutcome> {
    const { accountUrl, user, password } = this.#dialect;
    const authorization = `Basic ${Buffer.from(`${user}:${password.reveal()}`).toString("base64")}`;
    const request = { method, url: `${accountUrl}${path}`, headers: { authorization } };
    if (form === undefined) return this.#deps.http.request(request, signal);
    const headers = { ...request.headers, "content-type": "application/x-www-form-urlencoded" };
    return this.#deps.http.request({ ...request, headers, body: form.toString() }, signal);
  }
}

/** How the carrier calls a conversation that has ended: with a number, and in a room. */
const OVER_THERE: ReadonlySet<string> = new Set(["completed", "answered"]);

/** How long somebody's phone rings that a person is to be connected to. */
const TRANSFER_RING_MS = RING_MS;
const TRANSFER_MARGIN_MS = 5000;
const LOOK_MS = 1000;

/** Our clock and the carrier's, whose times are whole seconds. */
const CLOCKS_APART_MS = 30_000;

/** The carrier's word for a call that is over and cannot be changed. */
const NOT_IN_PROGRESS = 21_220;

const pathOf = (callId: string): string => `/Calls/${encodeURIComponent(callId)}.json`;

const orderOf = (request: PlaceRequest): URLSearchParams => {
  const form = new URLSearchParams({
    To: request.to,
    From: request.from,
    Twiml: connectDocument(request),
    StatusCallback: request.statusUrl,
    StatusCallbackMethod: "POST",
    // The carrier takes 5 to 600 s and 1 to 86 400 s.
    Timeout: String(Math.min(600, Math.max(5, Math.round(request.ringTimeoutMs / 1000)))),
    TimeLimit: String(Math.min(86_400, Math.max(1, Math.ceil(request.timeLimitMs / 1000)))),
  });
  for (const event of ["initiated", "ringing", "answered", "completed"]) form.append("StatusCallbackEvent", event);
  if (request.detectMachine === true) {
    form.set("MachineDetection", "Enable");
    form.set("AsyncAmd", "true");
    form.set("AsyncAmdStatusCallback", request.statusUrl);
    form.set("AsyncAmdStatusCallbackMethod", "POST");
  }
  return form;
};
