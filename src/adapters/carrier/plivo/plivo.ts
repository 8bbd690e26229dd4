import { Type } from "typebox";
import type {
  CallAddresses,
  CallbackAnswer,
  CallbackRequest,
  CallReference,
  Carrier,
  CarrierAccount,
  CarrierDeps,
  CarrierDescriptor,
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
import type { MediaSocket } from "../../../ports/media-socket.ts";
import type { Transport } from "../../../ports/transport.ts";
import { expectAnswer, placeOutcomeOf } from "../rest/answers.ts";
import { toDigits, toE164 } from "../rest/e164.ts";
import { reportOf } from "../rest/report-of.ts";
import { wholeSeconds } from "../rest/seconds.ts";
import { BaseUrlSchema, settingOf } from "../rest/settings.ts";
import { TRANSFER_RING_SECONDS, Transfers, type TransferResult } from "../rest/transfers.ts";
import { acceptMediaLine } from "../streaming/media-line.ts";
import { connectMedia, connectPhone, endCall } from "./call-document.ts";
import { answeredByOf, callIdOf, callOf } from "./event.ts";
import { PLIVO_PLACED, PlivoRest } from "./rest.ts";
import { formOf, isSignedByPlivo } from "./signature.ts";
import { PlivoDialect } from "./stream-dialect.ts";

/** An account at Plivo. */
export class Plivo implements Carrier {
  readonly name: string;
  readonly #deps: CarrierDeps;
  readonly #authToken: string;
  readonly #rest: PlivoRest;
  readonly #transfers: Transfers;

  constructor({ id, settings }: CarrierAccount, deps: CarrierDeps) {
    this.name = id;
    this.#deps = deps;
    this.#authToken = settingOf(settings, "PLIVO_AUTH_TOKEN");
    this.#rest = new PlivoRest({
      http: deps.http,
      baseUrl: settings["PLIVO_BASE_URL"] ?? "https://api.plivo.com",
      authId: settingOf(settings, "PLIVO_AUTH_ID"),
      authToken: this.#authToken,
    });
    this.#transfers = new Transfers(deps.clock);
  }

  async place(request: PlaceRequest, signal: AbortSignal): Promise<PlaceOutcome> {
    const { to, from, statusUrl, answerUrl, ringTimeoutMs, timeLimitMs, detectMachine } = request;
    const call = {
      to: toDigits(to),
      from: toDigits(from),
      answer_url: answerUrl,
      answer_method: "POST",
      ring_url: statusUrl,
      ring_method: "POST",
      hangup_url: statusUrl,
      hangup_method: "POST",
      ring_timeout: wholeSeconds(ringTimeoutMs, 1),
      time_limit: wholeSeconds(timeLimitMs, 1),
      ...(detectMachine === true
        ? { machine_detection: "true", machine_detection_url: statusUrl, machine_detection_method: "POST" }
        : {}),
    };
    return placeOutcomeOf(await this.#rest.create(call, signal), PLIVO_PLACED);
  }

  hangUp(callId: string, signal: AbortSignal): Promise<void> {
    return this.#rest.hangUp(callId, signal);
  }

  async transfer(callId: string, to: string, signal: AbortSignal, back: TransferBack): Promise<TransferResult> {
    const query = new URLSearchParams({ [TO]: to, ...(back.callerId === undefined ? {} : { [FROM]: back.callerId }) });
    const url = `${back.answerUrl}?${query.toString()}`;
    const begin = async () => {
      const answer = expectAnswer("transferring", await this.#rest.redirect(callId, url, signal), [404]);
      if (answer.status === 404) this.#transfers.settle(back.answerUrl, "failed");
    };
    return this.#transfers.run(back.answerUrl, signal, begin, () =>
      this.#lookAtTransfer(callId, to, back.callerId, signal),
    );
  }

  lookUp(reference: CallReference, signal: AbortSignal): Promise<LookUp> {
    return this.#rest.lookUp(reference, signal);
  }

  readCallback(dialId: string, request: CallbackRequest): Reading<CarrierReport> {
    const fields = this.#read(request);
    if (fields === "forged") return fields;
    const report = reportOf(callOf(fields), answeredByOf(fields));
    return report && { dialId, ...report };
  }

  readNotice(request: CallbackRequest): Reading<CarrierNotice> {
    const fields = this.#read(request);
    if (fields === "forged") return fields;
    const callId = callIdOf(fields);
    const from = fields.get("From");
    const to = fields.get("To");
    const asks = fields.get("CallStatus") === "ringing" && fields.get("Event") !== "Hangup";
    if (asks && fields.get("Direction") === "inbound" && callId !== undefined && from !== null && to !== null)
      return { type: "ringing", call: { callId, from: toE164(from), to: toE164(to) } };
    const report = reportOf(callOf(fields), answeredByOf(fields));
    return report && { type: "report", ...report };
  }

  answer(_call: InboundCall, request: Omit<PlaceRequest, "to" | "from" | "ringTimeoutMs">): Promise<CallbackAnswer> {
    return Promise.resolve(xml(connectMedia(request)));
  }

  decline(_call: InboundCall, why: DeclineReason): Promise<CallbackAnswer> {
    return Promise.resolve(xml(endCall(why === "busy" ? "busy" : "rejected")));
  }

  /** A transfer asks for its document here, tells how it goes, and comes back here when it is over. */
  readConnect(request: CallbackRequest): Reading<ConnectWish> {
    const fields = this.#read(request);
    if (fields === "forged") return fields;
    const { origin, pathname, searchParams } = new URL(request.url);
    const answerUrl = `${origin}${pathname}`;
    const to = searchParams.get(TO);
    const from = searchParams.get(FROM);
    if (to !== null)
      return { answer: xml(connectPhone({ to, callerId: from, answerUrl, ringSeconds: TRANSFER_RING_SECONDS })) };
    if (fields.has("DialAction") || (fields.get("Event") ?? "").startsWith("Dial")) {
      if (fields.get("DialAction") === "answer" || fields.get("Event") === "DialAnswer")
        this.#transfers.settle(answerUrl, "transferred");
      return { answer: NOTHING };
    }
    const dialled = fields.get("DialStatus");
    if (dialled === null) return "connect";
    this.#transfers.settle(answerUrl, dialled === "completed" ? "transferred" : "failed");
    return dialled === "completed" ? "over" : "connect";
  }

  connect(to: (CallAddresses & Readonly<{ dialId: string }>) | undefined): CallbackAnswer {
    return xml(to === undefined ? endCall() : connectMedia(to));
  }

  acceptMedia(socket: MediaSocket, signal: AbortSignal): Promise<Transport> {
    return acceptMediaLine(socket, new PlivoDialect(), this.#deps, signal);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #read(request: CallbackRequest): URLSearchParams | "forged" {
    if (!isSignedByPlivo(request, this.#authToken)) return "forged";
    return request.method === "GET" ? new URL(request.url).searchParams : formOf(request);
  }

  /** The other telephone is a call of its own, which the person's leg has placed. */
  async #lookAtTransfer(
    callId: string,
    to: string,
    from: string | undefined,
    signal: AbortSignal,
  ): Promise<TransferResult | undefined> {
    const { state } = await this.#rest.lookUp({ dialId: "", callId }, signal);
    if (state === "ended") return "failed";
    return (await this.#rest.isTalking(to, from, signal)) ? "transferred" : undefined;
  }
}

/** The carrier `plivo`, found by the registry. */
const descriptor: CarrierDescriptor = {
  name: "plivo",
  settings: Type.Object({
    PLIVO_AUTH_ID: Type.String({ minLength: 1 }),
    PLIVO_AUTH_TOKEN: Type.String({ minLength: 1 }),
    PLIVO_BASE_URL: BaseUrlSchema,
  }),
  create: (account, deps) => new Plivo(account, deps),
};

export default descriptor;

/** What a transfer's own address says of it; Plivo signs the address. */
const TO = "transferTo";
const FROM = "transferFrom";

const NOTHING: CallbackAnswer = { status: 204, contentType: "text/plain", body: "" };

const xml = (body: string): CallbackAnswer => ({ status: 200, contentType: "text/xml; charset=utf-8", body });
