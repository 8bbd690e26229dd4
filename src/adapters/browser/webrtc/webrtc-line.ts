import type { OpusDecoder, OpusEncoder } from "../../../audio/opus.ts";
import type { AudioFormat } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { Metrics } from "../../../ports/metrics.ts";
import type { LineEnd, LineListener, Transport } from "../../../ports/transport.ts";
import { IncomingStream, type RtpArrival } from "./incoming-stream.ts";
import { KeyPresses } from "./key-presses.ts";
import { OutgoingStream, type SendPacket } from "./outgoing-stream.ts";

/** What voices are made in, so that the browser hears all of it; the codec gives the same. */
export const WEBRTC_FORMAT = { encoding: "linear16", sampleRate: 24_000 } as const satisfies AudioFormat;

export type WebRtcLineParts = Readonly<{
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  encoder: OpusEncoder;
  decoder: OpusDecoder;
  /** Where the numbers of packets begin. */
  first: Readonly<{ sequence: number; timestamp: number }>;
  send: SendPacket;
  /** Gives the session up; called once. */
  release(): void;
}>;

/** Sound comes 50 times a second while there is a session, whether anybody speaks or not. */
const SOUND_LOST_MS = 3000;

/** A browser that sends no sound, since its page took the microphone away, still asks every 2.5 to 5 s whether we are there. */
const PEER_LOST_MS = 5000;

/** A timer that is later than this tells of a process that stood still, not of a browser. */
const STALLED_MS = 500;

/** What happens before `listen` is kept: a second of it, the oldest lost first. */
const MOST_HELD = 50;

/**
 * A WebRTC session as a line. It plays what it is given at once, so that nothing may be sent ahead.
 *
 *   connecting ──connected()──► connected ──over("hung-up")──────────────► gone
 *       └─────────────────────────┴─ over("lost"), close(), no packet for 3 to 5 s ─► gone
 */
export class WebRtcLine implements Transport {
  readonly format = WEBRTC_FORMAT;
  readonly queue = "none";
  readonly carrierCallId = undefined;
  readonly #parts: WebRtcLineParts;
  readonly #incoming: IncomingStream;
  readonly #outgoing: OutgoingStream;
  readonly #keys = new KeyPresses();
  #listener: LineListener | undefined;
  #held: ((listener: LineListener) => void)[] = [];
  #soundAt = 0;
  #peerAt = 0;
  #watch: Timer | undefined;
  #gone = false;

  constructor(parts: WebRtcLineParts) {
    this.#parts = parts;
    this.#incoming = new IncomingStream(parts.clock, parts.decoder, WEBRTC_FORMAT.sampleRate, (frame) => {
      if (this.#listener !== undefined) this.#listener.frame(frame);
      else this.#emit((listener) => listener.frame(frame));
    });
    this.#outgoing = new OutgoingStream(parts.clock, parts.encoder, parts.first, parts.send);
  }

  get bufferedAmount(): number {
    return 0;
  }

  listen(listener: LineListener): void {
    const held = this.#held;
    this.#held = [];
    this.#listener = listener;
    for (const event of held) event(listener);
  }

  send(payload: Uint8Array): void {
    if (!this.#gone) this.#outgoing.add(payload);
  }

  mark(name: string): void {
    // Not within the call that sets it: the listener may set the next one.
    queueMicrotask(() => {
      if (!this.#gone) this.#emit((listener) => listener.mark(name));
    });
  }

  clear(): void {
    this.#outgoing.clear();
  }

  close(): void {
    this.over("closed-by-us");
  }

  /** Sound can travel. */
  connected(): void {
    if (this.#gone) return;
    this.#outgoing.start();
    this.#soundAt = this.#parts.clock.monotonic();
    this.#peerAt = this.#soundAt;
    this.#lookAfter(SOUND_LOST_MS);
  }

  /** The peer showed that it is there, without sound. */
  alive(): void {
    this.#peerAt = this.#parts.clock.monotonic();
  }

  /** A packet of sound, or one that tells of a key. */
  packet(arrival: RtpArrival, holds: "sound" | "key"): void {
    if (this.#gone) return;
    this.#soundAt = this.#parts.clock.monotonic();
    const key = holds === "key" ? this.#keys.take(arrival.payload, arrival.timestamp) : undefined;
    if (key !== undefined) this.#emit((listener) => listener.digit(key));
    this.#incoming.push(arrival, holds);
  }

  /** The session has ended. Idempotent. */
  over(why: LineEnd): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#watch?.cancel();
    const { received, lost, late } = this.#incoming.counts;
    this.#parts.metrics.framesDropped("in", lost);
    this.#parts.metrics.framesLate(late);
    this.#parts.logger.debug("webrtc line over", { reason: why, count: received, dropped: lost });
    this.#incoming.close();
    this.#outgoing.close();
    this.#parts.release();
    this.#emit((listener) => listener.gone(why));
  }

  #lookAfter(ms: number): void {
    const dueMs = this.#parts.clock.monotonic() + ms;
    this.#watch = this.#parts.clock.setTimer(ms, () => {
      const now = this.#parts.clock.monotonic();
      // When this process stood still, packets wait to be read, and timers come first.
      if (now - dueMs > STALLED_MS) {
        this.#lookAfter(STALLED_MS);
        return;
      }
      const leftMs = Math.max(this.#soundAt + SOUND_LOST_MS, this.#peerAt + PEER_LOST_MS) - now;
      if (leftMs > 0) this.#lookAfter(leftMs);
      else {
        this.#parts.logger.warn("media line lost", { reason: "nothing came from the browser for 3 s" });
        this.over("lost");
      }
    });
  }

  #emit(event: (listener: LineListener) => void): void {
    if (this.#listener !== undefined) event(this.#listener);
    else {
      this.#held.push(event);
      if (this.#held.length > MOST_HELD) this.#held.shift();
    }
  }
}
