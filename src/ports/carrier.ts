import type { EndReason, EndedBy } from "../model/call-end.ts";
import type { MediaSocket } from "./media-socket.ts";
import type { Transport } from "./transport.ts";

/** One leg to place. All URLs are ours, already carrying the tokens that authorize what comes back on them. */
export type PlaceRequest = Readonly<{
  /** Our reference, sent along wherever the carrier has room for one, so that a lost answer can be found again. */
  dialId: string;
  to: string;
  from: string;
  ringTimeoutMs: number;
  /** The carrier's own safety net; our limit ends the call first. */
  timeLimitMs: number;
  mediaUrl: string;
  statusUrl: string;
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

/** A status callback after its signature was checked. */
export type CarrierReport = Readonly<{ dialId: string; call: CarrierCall }>;

/** A callback as it came over HTTP; `url` is the public URL that the carrier signed. */
export type CallbackRequest = Readonly<{
  url: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
}>;

export interface Carrier {
  readonly name: string;
  /** Asks once. Never retries by itself; `signal` aborts the wait, which makes the outcome ambiguous. */
  place(request: PlaceRequest, signal: AbortSignal): Promise<PlaceOutcome>;
  /** Ends a call at any stage. A call that is already over is not an error. */
  hangUp(callId: string, signal: AbortSignal): Promise<void>;
  /**
   * Connects the person to `to` (E.164) and takes our side out of the call, which then goes on without us. `failed`: they are still
   * with us, because nobody picked up there or the network refused. Rejects when the carrier's answer is lost; `signal` aborts the
   * wait. Absent where a carrier's calls cannot be transferred.
   */
  transfer?(callId: string, to: string, signal: AbortSignal): Promise<"transferred" | "failed">;
  /** What became of a dial, by the carrier's id where known, else by our reference. */
  lookUp(reference: Readonly<{ dialId: string; callId?: string | undefined }>, signal: AbortSignal): Promise<LookUp>;
  /** Reads a status callback; `undefined` when it is not genuine or says nothing of interest. */
  readCallback(dialId: string, request: CallbackRequest): CarrierReport | undefined;
  /** Takes a media socket through its handshake. Rejects when the peer breaks the protocol or `signal` aborts. */
  acceptMedia(socket: MediaSocket, signal: AbortSignal): Promise<Transport>;
  close(): Promise<void>;
}
