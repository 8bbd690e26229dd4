import { createPrivateKey, type KeyObject } from "node:crypto";
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
import { idOf, textOf, type Fields } from "../streaming/message-fields.ts";
import { connectMedia, connectPhone, type CallDocument } from "./call-document.ts";
import { answeredByOf, callOf, webhookFields } from "./event.ts";
import { VONAGE_PLACED, VonageRest, numberOf } from "./rest.ts";
import { VONAGE_FORMAT, VonageDialect } from "./stream-dialect.ts";
import { isSignedByVonage } from "./web-token.ts";

/** An account at Vonage, by the Voice interface of one of its applications. */
export class Vonage implements Carrier {
  readonly name: string;
  readonly format = VONAGE_FORMAT;
  readonly #deps: CarrierDeps;
  readonly #applicationId: string;
  readonly #signatureSecret: string;
  readonly #rest: VonageRest;
  readonly #transfers: Transfers;

  constructor({ id, settings }: CarrierAccount, deps: CarrierDeps) {
    this.name = id;
    this.#deps = deps;
    this.#applicationId = settingOf(settings, "VONAGE_APPLICATION_ID");
    this.#signatureSecret = settingOf(settings, "VONAGE_SIGNATURE_SECRET");
    this.#rest = new VonageRest({
      ...deps,
      baseUrl: settings["VONAGE_BASE_URL"] ?? "https://api.nexmo.com",
      applicationId: this.#applicationId,
      privateKey: privateKeyOf(settingOf(settings, "VONAGE_PRIVATE_KEY")),
    });
    this.#transfers = new Transfers(deps.clock);
  }

  async place(request: PlaceRequest, signal: AbortSignal): Promise<PlaceOutcome> {
    const { to, from, statusUrl, ringTimeoutMs, timeLimitMs, detectMachine } = request;
    const call = {
      to: [{ type: "phone", number: toDigits(to) }],
      from: { type: "phone", number: toDigits(from) },
      ncco: connectMedia(request),
      event_url: [statusUrl],
      event_method: "POST",
      ringing_timer: wholeSeconds(ringTimeoutMs, 1, 120),
      length_timer: wholeSeconds(timeLimitMs, 1, 7200),
      ...(detectMachine === true ? { machine_detection: "continue" } : {}),
    };
    return placeOutcomeOf(await this.#rest.create(call, signal), VONAGE_PLACED);
  }

  async hangUp(callId: string, signal: AbortSignal): Promise<void> {
    expectAnswer("hanging up", await this.#rest.update(callId, { action: "hangup" }, signal), OVER);
  }

  async transfer(callId: string, to: string, signal: AbortSignal, back: TransferBack): Promise<TransferResult> {
    const ncco = connectPhone({ ...back, to, ringSeconds: TRANSFER_RING_SECONDS });
    const change = { action: "transfer", destination: { type: "ncco", ncco } };
    const begin = async () => {
      const answer = expectAnswer("transferring", await this.#rest.update(callId, change, signal), OVER);
      if (OVER.includes(answer.status)) this.#transfers.settle(back.answerUrl, "failed");
    };
    return this.#transfers.run(back.answerUrl, signal, begin, () => this.#lookAtTransfer(callId, to, signal));
  }

  lookUp(reference: CallReference, signal: AbortSignal): Promise<LookUp> {
    return this.#rest.lookUp(reference, signal);
  }

  readCallback(dialId: string, request: CallbackRequest): Reading<CarrierReport> {
    const fields = this.#read(request);
    if (fields === "forged" || fields === undefined) return fields;
    const report = reportOf(callOf(fields), answeredByOf(fields));
    return report && { dialId, ...report };
  }

  /** Both addresses of an application may be the account's: an answer is wanted for a call without a status. */
  readNotice(request: CallbackRequest): Reading<CarrierNotice> {
    const fields = this.#read(request);
    if (fields === "forged" || fields === undefined) return fields;
    if (fields["status"] !== undefined) {
      const report = reportOf(callOf(fields), answeredByOf(fields));
      return report && { type: "report", ...report };
    }
    const callId = idOf(fields["uuid"]);
    const from = textOf(fields["from"]);
    const to = textOf(fields["to"]);
    if (callId === undefined || from === undefined || to === undefined) return undefined;
    return { type: "ringing", call: { callId, from: toE164(from), to: toE164(to) } };
  }

  answer(
    { callId }: InboundCall,
    request: Omit<PlaceRequest, "to" | "from" | "ringTimeoutMs">,
  ): Promise<CallbackAnswer> {
    return Promise.resolve(documentAnswer(connectMedia({ ...request, callId })));
  }

  /** Vonage knows no busy tone for calls that come in: an empty document ends them. */
  decline(): Promise<CallbackAnswer> {
    return Promise.resolve(documentAnswer([]));
  }

  /** A leg that did not come about, or that broke, brings the person back; one that was completed has brought the call to its end. */
  readConnect(request: CallbackRequest): Reading<ConnectWish> {
    const fields = this.#read(request);
    if (fields === "forged" || fields === undefined) return fields;
    const status = textOf(fields["status"]) ?? "";
    if (!isOurs(fields)) this.#settleTransfer(request.url, status);
    if (BACK.has(status)) return "connect";
    return status === "completed" ? "over" : { answer: NOTHING };
  }

  connect(to: (CallAddresses & Readonly<{ dialId: string }>) | undefined): CallbackAnswer {
    return documentAnswer(to === undefined ? [] : connectMedia(to));
  }

  acceptMedia(socket: MediaSocket, signal: AbortSignal): Promise<Transport> {
    return acceptMediaLine(socket, new VonageDialect(), this.#deps, signal);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #read(request: CallbackRequest): Reading<Fields> {
    const trust = {
      signatureSecret: this.#signatureSecret,
      applicationId: this.#applicationId,
      nowMs: this.#deps.clock.now(),
    };
    return isSignedByVonage(request, trust) ? webhookFields(request) : "forged";
  }

  /** Events of the telephone that the person is connected with come to the address that belongs to their call. */
  #settleTransfer(answerUrl: string, status: string): void {
    if (status === "answered") this.#transfers.settle(answerUrl, "transferred");
    else if (BACK.has(status)) this.#transfers.settle(answerUrl, "failed");
  }

  async #lookAtTransfer(callId: string, to: string, signal: AbortSignal): Promise<TransferResult | undefined> {
    const conversation = textOf((await this.#rest.record(callId, signal))?.["conversation_uuid"]);
    if (conversation === undefined) return undefined;
    const legs = await this.#rest.list({ conversation_uuid: conversation }, signal);
    const leg = legs.find((one) => one["uuid"] !== callId && numberOf(one["to"]) === toDigits(to));
    const call = leg && callOf(leg);
    if (call?.state === "in-progress" || (call?.state === "ended" && call.end.cause === "completed"))
      return "transferred";
    return call?.state === "ended" ? "failed" : undefined;
  }
}

/** The carrier `vonage`, found by the registry. */
const descriptor: CarrierDescriptor = {
  name: "vonage",
  settings: Type.Object({
    VONAGE_APPLICATION_ID: Type.String({ minLength: 1 }),
    VONAGE_PRIVATE_KEY: Type.String({
      pattern: "PRIVATE KEY",
      description: "the application's private key in PEM, with line breaks or \\n in their place",
    }),
    VONAGE_SIGNATURE_SECRET: Type.String({
      minLength: 1,
      description: "the signature secret of the account's settings",
    }),
    VONAGE_BASE_URL: BaseUrlSchema,
  }),
  create: (account, deps) => new Vonage(account, deps),
};

export default descriptor;

const NOTHING: CallbackAnswer = { status: 204, contentType: "text/plain", body: "" };

/** Changes to a call that is over, or never was. */
const OVER: readonly number[] = [400, 404];

/** How a leg ends whose person is still with us. */
const BACK: ReadonlySet<string> = new Set([
  "busy",
  "cancelled",
  "disconnected",
  "failed",
  "rejected",
  "timeout",
  "unanswered",
]);

const isOurs = (fields: Fields): boolean => /^wss?:/.test(textOf(fields["to"]) ?? "");

/** Environment files have no line breaks. @throws {Error} when it is no private key. */
const privateKeyOf = (pem: string): KeyObject => {
  try {
    return createPrivateKey(pem.replaceAll("\\n", "\n"));
  } catch (error) {
    throw new Error("VONAGE_PRIVATE_KEY is no private key in PEM; take the file that Vonage gave for the application", {
      cause: error,
    });
  }
};

const documentAnswer = (document: CallDocument): CallbackAnswer => ({
  status: 200,
  contentType: "application/json",
  body: JSON.stringify(document),
});
