import type { TObject } from "typebox";
import type { AudioFormat } from "../model/audio.ts";
import type { EndReason, EndedBy } from "../model/call-end.ts";
import type { CarrierHttp } from "./carrier-http.ts";
import type { AdapterDeps } from "./descriptor.ts";
import type { MediaSocket } from "./media-socket.ts";
import type { Transport } from "./transport.ts";

/** Where a call's sound and news go. All URLs are ours, already carrying the tokens that authorize what comes back on them. */
export type CallAddresses = Readonly<{
  /** `wss://…/media/<account>/<token>`: lets one socket in, once. */
  mediaUrl: string;
  /** Takes POSTs about the progress of the call, see {@link Carrier.readCallback}. */
  statusUrl: string;
  /**
   * Answers GET and POST with the document that connects the call's sound with a fresh `mediaUrl`, see {@link Carrier.connect}: for carriers
   * that fetch what to do on answer, and to come back to when a media socket broke or a transfer failed.
   */
  answerUrl: string;
}>;

/** One leg to place. */
export type PlaceRequest = CallAddresses &
  Readonly<{
    /** Our reference, sent along wherever the carrier has room for one, so that a lost answer can be found again. */
    dialId: string;
    /** E.164. */
    to: string;
    /** E.164. */
    from: string;
    ringTimeoutMs: number;
    /** The carrier's own safety net; our limit ends the call first. */
    timeLimitMs: number;
    /** Whether the carrier is to listen for an answering machine, beside the call and without holding it up. */
    detectMachine?: boolean;
  }>;

/**
 * What came of asking a carrier to ring somebody.
 *
 * `not-sent` means that the request certainly did not leave (refused, DNS, TLS) and may be tried again; `ambiguous` that it may
 * have, and must never be.
 */
export type PlaceOutcome =
  | Readonly<{ type: "accepted"; callId: string }>
  | Readonly<{ type: "rejected"; reason: EndReason }>
  | Readonly<{ type: "rate-limited"; retryAfterMs: number }>
  | Readonly<{ type: "not-sent"; cause: Error }>
  | Readonly<{ type: "ambiguous"; cause: Error }>;

/** How the carrier says a call ended; the terminal statement maps it together with our own intent. */
export type CarrierEnd = Readonly<{
  cause:
    | "busy"
    | "no-answer"
    | "canceled"
    | "rejected"
    | "invalid-number"
    | "failed"
    | "completed"
    | "time-limit"
    | "rate-limited";
  /** Who hung up, where the carrier knows. */
  endedBy?: EndedBy;
}>;

export type CarrierCall =
  | Readonly<{ state: "ringing" | "in-progress"; callId: string }>
  | Readonly<{ state: "ended"; callId: string; end: CarrierEnd }>;

/** The carrier's word on a reference: `absent` with `final` true means that there never will be such a call. */
export type LookUp = CarrierCall | Readonly<{ state: "absent"; final: boolean }>;

/** What is known of a call when it is looked up: our reference always, the rest where it is known. */
export type CallReference = Readonly<{
  dialId: string;
  callId?: string | undefined;
  /** For carriers that keep no reference of ours: no two dials between the same two numbers are placed at a time. */
  to?: string | undefined;
  from?: string | undefined;
  /** Before this time (Unix milliseconds) the call cannot have been placed. */
  since?: number | undefined;
}>;

/** Who the carrier believes has answered. */
export type AnsweredBy = "human" | "machine" | "fax";

/** A status callback after its signature was checked. */
export type CarrierReport = Readonly<{ dialId: string; call: CarrierCall; answeredBy?: AnsweredBy }>;

/** What reading a callback comes to; `forged` is answered with 403, and `undefined` says nothing of interest. */
export type Reading<T> = T | "forged" | undefined;

/** A callback as it came over HTTP; `url` is the public URL that the carrier signed, with its query. */
export type CallbackRequest = Readonly<{
  /** Absent means POST. */
  method?: "GET" | "POST";
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
}>;

/** What a carrier's request is answered with. */
export type CallbackAnswer = Readonly<{ status: number; contentType: string; body: string }>;

/** Somebody rings one of our numbers; both as the carrier writes them, E.164 wherever they are telephone numbers. */
export type InboundCall = Readonly<{ callId: string; from: string; to: string }>;

/** What a carrier says at the account's own address, which is entered in its console. */
export type CarrierNotice =
  | Readonly<{ type: "ringing"; call: InboundCall }>
  /** News of a call that is known by the carrier's id alone. */
  | Readonly<{ type: "report"; call: CarrierCall; answeredBy?: AnsweredBy }>;

/** Why an inbound call is not answered: the number has no agent, or nobody is free. */
export type DeclineReason = "unknown-number" | "busy";

/**
 * What the carrier's request at a call's `answerUrl` wants: the sound connected, nothing any more because the call was connected
 * elsewhere and that is over, or an answer of the carrier's own.
 */
export type ConnectWish = "connect" | "over" | Readonly<{ answer: CallbackAnswer }>;

/** For carriers that take a call's sound from us to transfer it. */
export type TransferBack = Readonly<{
  /** Where the carrier comes to for the sound when nobody picked up there. */
  answerUrl: string;
  /** The number that is shown to whom the person is connected with: ours. E.164. */
  callerId: string | undefined;
  /** What whoever picks up there is told before they talk with the person, who waits meanwhile. Carriers that cannot connect them at once. */
  summary?: Readonly<{ text: string; /** BCP 47. */ language: string }>;
}>;

/**
 * Where a carrier brings what others bring over HTTP and websockets: one that rings, reports and sounds by a protocol of its own, in this
 * very process. Nothing here fails for the carrier; what cannot be taken is logged.
 */
export interface CarrierHost {
  /** The sound of a call is there, for a `mediaUrl` that it was given. A line that nobody waits for is closed. */
  line(mediaUrl: string, line: Transport): void;
  /** How far a call is; without a dial's id where it is not known. */
  report(call: CarrierCall, dialId?: string): void;
  /** Somebody rings: {@link Carrier.answer} or {@link Carrier.decline} follows. */
  ring(call: InboundCall): void;
}

/** One account at a carrier. */
export interface Carrier {
  /** The account's id, which is the carrier's name for the account of the environment; part of its media and callback URLs. */
  readonly name: string;
  /** What its lines mostly speak, so that the opening can be made before one is there; absent means mu-law at 8 kHz. */
  readonly format?: AudioFormat;
  /** False: it says nothing of its own accord, so that its word on a hang-up is not waited for. */
  readonly reports?: boolean;
  /**
   * Begins to speak a protocol of its own, where calls are held; nothing can be placed before. Rejects when it cannot. Absent for carriers
   * that come over HTTP and websockets.
   */
  listen?(host: CarrierHost): Promise<void>;
  /** Asks once. Never retries by itself; `signal` aborts the wait, which makes the outcome ambiguous. */
  place(request: PlaceRequest, signal: AbortSignal): Promise<PlaceOutcome>;
  /** Ends a call at any stage. A call that is already over is not an error. */
  hangUp(callId: string, signal: AbortSignal): Promise<void>;
  /**
   * Connects the person to `to` (E.164) and takes our side out of the call, which then goes on without us. `failed`: they are still
   * with us, because nobody picked up there or the network refused. Rejects when the carrier's answer is lost; `signal` aborts the
   * wait. Absent where a carrier's calls cannot be transferred.
   */
  transfer?(callId: string, to: string, signal: AbortSignal, back: TransferBack): Promise<"transferred" | "failed">;
  /** What became of a dial, by the carrier's id where known, else by our reference. */
  lookUp(reference: CallReference, signal: AbortSignal): Promise<LookUp>;
  /** Reads a status callback of one dial, whose own address already authorizes it. */
  readCallback(dialId: string, request: CallbackRequest): Reading<CarrierReport>;
  /** Reads what comes at the account's own address, where nothing but the signature authorizes it. Absent: no inbound calls. */
  readNotice?(request: CallbackRequest): Reading<CarrierNotice>;
  /** What a notice is answered with that asks for nothing; an empty 204 when absent. */
  readonly noticeTaken?: CallbackAnswer;
  /**
   * Takes an inbound call: the answer connects its sound, or the carrier is asked for it by a request of ours before. Rejects when
   * that request fails; then nobody is connected.
   */
  answer?(
    call: InboundCall,
    request: Omit<PlaceRequest, "to" | "from" | "ringTimeoutMs">,
    signal: AbortSignal,
  ): Promise<CallbackAnswer>;
  /** Turns an inbound call away in the way that its caller hears as what it is. Rejects as `answer` does. */
  decline?(call: InboundCall, why: DeclineReason, signal: AbortSignal): Promise<CallbackAnswer>;
  /** Checks and reads a request at a call's `answerUrl`. Absent where carriers never fetch documents. */
  readConnect?(request: CallbackRequest): Reading<ConnectWish>;
  /** The document that connects a call's sound; without addresses the one that ends the call. Goes with `readConnect`. */
  connect?(to: (CallAddresses & Readonly<{ dialId: string }>) | undefined): CallbackAnswer;
  /**
   * Whether a media handshake comes from the carrier, as far as it signs them: `url` is the public `wss://` URL. The token in the path
   * was checked before. Absent: the token is all there is.
   */
  verifyMedia?(handshake: Readonly<{ url: string; headers: CallbackRequest["headers"] }>): boolean;
  /** Takes a media socket through its handshake. Rejects when the peer breaks the protocol or `signal` aborts. */
  acceptMedia(socket: MediaSocket, signal: AbortSignal): Promise<Transport>;
  close(): Promise<void>;
}

/** What an adapter of a carrier may use. */
export type CarrierDeps = AdapterDeps & Readonly<{ http: CarrierHttp }>;

/** One account as an operator gave it: the settings of the descriptor's schema, empty ones left out. */
export type CarrierAccount = Readonly<{
  /** Lower-case letters, digits and dashes; the carrier's name for the account of the environment. */
  id: string;
  settings: Readonly<Record<string, string>>;
}>;

/**
 * The default export of a carrier's file. An account comes from the environment (one for each carrier) or from the accounts file;
 * both have settings of the same names, and both are checked against the same schema.
 */
export type CarrierDescriptor = Readonly<{
  /** The value of a phone number's `carrier`, and the id of the environment's account. */
  name: string;
  /**
   * Strings only, required ones first; variables of the environment are called the same. An account of the environment exists when
   * one of the required ones is set.
   */
  settings: TObject;
  /** Set where carriers `listen`: an account has addresses of this machine, which one process alone can hold. */
  listens?: true;
  create(account: CarrierAccount, deps: CarrierDeps): Carrier;
  /** As a provider's `check` (`ports/descriptor.ts`): asks for the account itself. */
  check?(account: CarrierAccount, deps: CarrierDeps, signal: AbortSignal): Promise<void>;
}>;
