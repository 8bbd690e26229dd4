import type { IceCandidate } from "../model/browser-protocol.ts";
import type { Transport } from "./transport.ts";

/** One WebRTC session with a browser. */
export type BrowserPeer = Readonly<{
  /** The session description that answers the browser's offer. */
  answer: string;
  /** Sound both ways; silent until the session is connected. `gone` when the session is lost or could not be connected. */
  transport: Transport;
  /** Resolves when sound can travel; rejects when the session cannot be connected in time. */
  connected: Promise<void>;
  /** Takes a candidate of the browser; one that is of no use is ignored. */
  addCandidate(candidate: IceCandidate): void;
}>;

/** Answers the offers of browsers. */
export interface BrowserPeers {
  /**
   * `onCandidate` gets our own candidates that are not in the answer yet. Rejects when the offer cannot be answered: not a session
   * description, no sound in it, no codec in common; `signal` aborts the work and closes the session.
   */
  answer(offer: string, onCandidate: (candidate: IceCandidate) => void, signal: AbortSignal): Promise<BrowserPeer>;
  close(): Promise<void>;
}
