import { createHmac, timingSafeEqual, type KeyObject } from "node:crypto";
import { Type } from "typebox";
import type { AudioFormat } from "../../../model/audio.ts";
import type {
  CallbackAnswer,
  CallbackRequest,
  CallReference,
  Carrier,
  CarrierAccount,
  CarrierDeps,
  CarrierDescriptor,
  CarrierNotice,
  CarrierReport,
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
import { toE164 } from "../rest/e164.ts";
import { reportOf } from "../rest/report-of.ts";
import { wholeSeconds } from "../rest/seconds.ts";
import { BaseUrlSchema, settingOf } from "../rest/settings.ts";
import { TRANSFER_RING_SECONDS, Transfers, type TransferResult } from "../rest/transfers.ts";
import { acceptMediaLine } from "../streaming/media-line.ts";
import { textOf, type Fields } from "../streaming/message-fields.ts";
import { TELNYX_PLACED, TelnyxRest } from "./rest.ts";
import { isSignedByTelnyx, telnyxPublicKey } from "./signature.ts";
import { TelnyxDialect, formatOfSound, type TelnyxSound } from "./stream-dialect.ts";
import { answeredByOf, callOf, readClientState, readWebhook, writeClientState, type TelnyxEvent } from "./webhook.ts";

/** An account at Telnyx, by its Call Control interface. */
export class Telnyx implements Carrier {
  readonly name: string;
  readonly #deps: CarrierDeps;
  readonly #connectionId: string;
  readonly #apiKey: string;
  readonly #publicKey: KeyObject;
  readonly #sound: TelnyxSound;
  readonly #rest: TelnyxRest;
  readonly #transfers: Transfers;

  constructor({ id, settings }: CarrierAccount, deps: CarrierDeps) {
    this.name = id;
    this.#deps = deps;
    this.#apiKey = settingOf(settings, "TELNYX_API_KEY");
    this.#connectionId = settingOf(settings, "TELNYX_CONNECTION_ID");
    this.#publicKey = telnyxPublicKey(settingOf(settings, "TELNYX_PUBLIC_KEY"));
    this.#sound = soundOf(settings);
    const baseUrl = settings["TELNYX_BASE_URL"] ?? "https://api.telnyx.com";
    this.#rest = new TelnyxRest({ http: deps.http, baseUrl, apiKey: this.#apiKey });
    this.#transfers = new Transfers(deps.clock);
  }

  get format(): AudioFormat {
    return formatOfSound(this.#sound);
  }

  async place(request: PlaceRequest, signal: AbortSignal): Promise<PlaceOutcome> {
    const { dialId, to, from, ringTimeoutMs, detectMachine } = request;
    const body = {
      connection_id: this.#connectionId,
      to,
      from,
      timeout_secs: wholeSeconds(ringTimeoutMs, 5, 600),
      client_state: writeClientState({ dialId, role: "outbound" }),
      ...(detectMachine === true ? { answering_machine_detection: "detect" } : {}),
      ...this.#connected(request),
    };
    return placeOutcomeOf(await this.#rest.post("/calls", body, signal), TELNYX_PLACED);
  }

  async hangUp(callId: string, signal: AbortSignal): Promise<void> {
    expectAnswer("hanging up", await this.#rest.command(callId, "hangup", {}, signal), OVER);
  }

  async transfer(callId: string, to: string, signal: AbortSignal, back: TransferBack): Promise<TransferResult> {
    // A call may be transferred once more after it failed, and what comes late of that is of no account.
    const attempt = `${callId}#${this.#deps.random.id()}`;
    const body = {
      to,
      timeout_secs: TRANSFER_RING_SECONDS,
      target_leg_client_state: writeClientState({ dialId: attempt, role: "transfer" }),
      ...(back.callerId === undefined ? {} : { from: back.callerId }),
    };
    const begin = async () => {
      const answer = expectAnswer("transferring", await this.#rest.command(callId, "transfer", body, signal), OVER);
      if (OVER.includes(answer.status)) this.#transfers.settle(attempt, "failed");
    };
    return this.#transfers.run(attempt, signal, begin, () => this.#lookAtTransfer(callId, attempt, signal));
  }

  lookUp(reference: CallReference, signal: AbortSignal): Promise<LookUp> {
    return this.#rest.lookUp(reference, signal);
  }

  readCallback(dialId: string, request: CallbackRequest): Reading<CarrierReport> {
    const event = this.#read(request);
    if (event === "forged" || event === undefined) return event;
    if (this.#ofTransfer(event)) return undefined;
    const report = reportOf(callOf(event), answeredByOf(event));
    return report && { dialId, ...report };
  }

  readNotice(request: CallbackRequest): Reading<CarrierNotice> {
    const event = this.#read(request);
    if (event === "forged" || event === undefined || this.#ofTransfer(event))
      return event === "forged" ? event : undefined;
    const { type, callId, payload } = event;
    const from = textOf(payload["from"]);
    const to = textOf(payload["to"]);
    if (type === "call.initiated" && payload["direction"] === "incoming")
      return from === undefined || to === undefined
        ? undefined
        : { type: "ringing", call: { callId, from: toE164(from), to: toE164(to) } };
    const report = reportOf(callOf(event), answeredByOf(event));
    return report && { type: "report", ...report };
  }

  async answer(
    { callId }: InboundCall,
    request: Omit<PlaceRequest, "to" | "from" | "ringTimeoutMs">,
    signal: AbortSignal,
  ): Promise<CallbackAnswer> {
    const { dialId } = request;
    const body = { client_state: writeClientState({ dialId, role: "inbound" }), ...this.#connected(request) };
    expectAnswer("answering", await this.#rest.command(callId, "answer", body, signal));
    return TAKEN;
  }

  async decline({ callId }: InboundCall, why: DeclineReason, signal: AbortSignal): Promise<CallbackAnswer> {
    const cause = why === "busy" ? "USER_BUSY" : "CALL_REJECTED";
    expectAnswer("declining", await this.#rest.command(callId, "reject", { cause }, signal), OVER);
    return TAKEN;
  }

  /** A handshake may come without the token that its stream was given, and never with another one. */
  verifyMedia({ url, headers }: Readonly<{ url: string; headers: CallbackRequest["headers"] }>): boolean {
    const given = headers["x-telnyx-streaming-auth-token"];
    if (given === undefined) return true;
    const expected = Buffer.from(this.#streamToken(url));
    const bytes = Buffer.from(given);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  }

  acceptMedia(socket: MediaSocket, signal: AbortSignal): Promise<Transport> {
    return acceptMediaLine(socket, new TelnyxDialect(this.#sound), this.#deps, signal);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** What a call is placed or answered with, so that its sound and its news come to us. */
  #connected(request: Readonly<{ dialId: string; mediaUrl: string; statusUrl: string; timeLimitMs: number }>): Fields {
    const { mediaUrl, statusUrl, timeLimitMs, dialId } = request;
    const { codec } = this.#sound;
    return {
      command_id: dialId,
      time_limit_secs: wholeSeconds(timeLimitMs, 30, 14_400),
      webhook_url: statusUrl,
      webhook_url_method: "POST",
      stream_url: mediaUrl,
      stream_track: "inbound_track",
      stream_codec: codec,
      stream_bidirectional_mode: "rtp",
      stream_bidirectional_codec: codec,
      stream_bidirectional_sampling_rate: formatOfSound(this.#sound).sampleRate,
      stream_bidirectional_target_legs: "self",
      stream_auth_token: this.#streamToken(mediaUrl),
    };
  }

  /** By the path alone: a proxy may see another host. */
  #streamToken(mediaUrl: string): string {
    return createHmac("sha256", this.#apiKey).update(new URL(mediaUrl).pathname).digest("base64url");
  }

  #read(request: CallbackRequest): Reading<TelnyxEvent> {
    if (!isSignedByTelnyx(request, this.#publicKey, this.#deps.clock.now())) return "forged";
    return readWebhook(request.body);
  }

  /** True for events of a leg that is not the person's; also wakes whoever waits for the transfer. */
  #ofTransfer({ type, callId, payload }: TelnyxEvent): boolean {
    if (type === "call.bridged") this.#transfers.settleAll(`${callId}#`, "transferred");
    if (type === "call.hangup") this.#transfers.settleAll(`${callId}#`, "failed");
    const state = readClientState(payload);
    if (state?.role !== "transfer") return false;
    if (type === "call.bridged") this.#transfers.settle(state.dialId, "transferred");
    if (type === "call.hangup") this.#transfers.settle(state.dialId, "failed");
    return true;
  }

  async #lookAtTransfer(callId: string, attempt: string, signal: AbortSignal): Promise<TransferResult | undefined> {
    const session = await this.#rest.sessionOf(callId, signal);
    const events = session === undefined ? [] : await this.#rest.sessionEvents(session, signal);
    if (events.some(({ type }) => type === "call.bridged")) return "transferred";
    const over = events.filter(({ type }) => type === "call.hangup");
    return over.some((event) => event.callId === callId || readClientState(event.payload)?.dialId === attempt)
      ? "failed"
      : undefined;
  }
}

/** The carrier `telnyx`, found by the registry. */
const descriptor: CarrierDescriptor = {
  name: "telnyx",
  settings: Type.Object({
    TELNYX_API_KEY: Type.String({ minLength: 1 }),
    TELNYX_CONNECTION_ID: Type.String({ minLength: 1, description: "the id of a Voice API application" }),
    TELNYX_PUBLIC_KEY: Type.String({
      pattern: "^[A-Za-z0-9+/]{43}=$",
      description: "the public key of the account as the portal shows it, 32 bytes in base64",
    }),
    TELNYX_CODEC: Type.Optional(Type.Enum(["PCMU", "L16"], { description: "PCMU or L16" })),
    TELNYX_L16_BYTE_ORDER: Type.Optional(Type.Enum(["auto", "little", "big"], { description: "auto, little or big" })),
    TELNYX_BASE_URL: BaseUrlSchema,
  }),
  create: (account, deps) => new Telnyx(account, deps),
};

export default descriptor;

/** Commands to a call that is over, or never was. */
const OVER: readonly number[] = [404, 422];

const TAKEN: CallbackAnswer = { status: 200, contentType: "application/json", body: "{}" };

const soundOf = (settings: CarrierAccount["settings"]): TelnyxSound => {
  const order = settings["TELNYX_L16_BYTE_ORDER"];
  return {
    codec: settings["TELNYX_CODEC"] === "L16" ? "L16" : "PCMU",
    byteOrder: order === "little" || order === "big" ? order : "auto",
  };
};
