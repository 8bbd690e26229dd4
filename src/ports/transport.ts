import type { AudioFormat, AudioFrame } from "../model/audio.ts";

/** Why a line is no longer there. */
export type LineEnd = "hung-up" | "lost" | "closed-by-us";

/**
 * What a line reports. All plain calls, made one after another, never after `gone`. `mark` comes back when everything sent
 * before the mark has been played; marks that were pending at a `clear` are not reported, whatever the carrier does.
 */
export type LineListener = Readonly<{
  frame(frame: AudioFrame): void;
  digit(digit: string): void;
  mark(name: string): void;
  gone(why: LineEnd): void;
}>;

/** One leg to one party: sound both ways and nothing else. Who placed the leg is the carrier's business. */
export interface Transport {
  /** Both directions speak this format. */
  readonly format: AudioFormat;
  /**
   * `far-end` lines queue what we send, play it at real time, know marks and `clear`; `none` lines play what arrives when it
   * arrives, so nothing may be sent ahead.
   */
  readonly queue: "far-end" | "none";
  /** The carrier's id of the call, when the media handshake named it. */
  readonly carrierCallId: string | undefined;
  /** Set once, before anything is sent. */
  listen(listener: LineListener): void;
  /** Sound in `format`, any length; kept in order. The caller may not reuse the bytes. */
  send(payload: Uint8Array): void;
  /** Asks to be told when all that was sent so far has been played. Lines with `queue: "none"` report at once. */
  mark(name: string): void;
  /** Drops what was sent and not yet played. */
  clear(): void;
  /** Bytes that wait in this process for the peer to read. */
  readonly bufferedAmount: number;
  /** Idempotent. */
  close(): void;
}
