import type { OpusDecoder, OpusEncoder } from "../../../audio/opus.ts";
import { LineReports } from "../../../kit/line-reports.ts";
import { SOUND_LOST_MS, SilenceWatch } from "../../../kit/silence-watch.ts";
import type { AudioFormat } from "../../../model/audio.ts";
import type { Clock } from "../../../ports/clock.ts";
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

/** A browser that sends no sound, since its page took the microphone away, still asks every 2.5 to 5 s whether we are there. */
const PEER_LOST_MS = 5000;

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
  readonly #reports = new LineReports(MOST_HELD);
  readonly #watch: SilenceWatch;
  #soundAt = 0;
  #peerAt = 0;
  #gone = false;

  constructor(parts: WebRtcLineParts) {
    this.#parts = parts;
    const { clock, decoder, encoder, first, send } = parts;
    this.#incoming = new IncomingStream(clock, decoder, WEBRTC_FORMAT.sampleRate, (frame) =>
      this.#reports.frame(frame),
    );
    this.#outgoing = new OutgoingStream(clock, encoder, first, send);
    this.#watch = new SilenceWatch(
      clock,
      () => Math.max(this.#soundAt + SOUND_LOST_MS, this.#peerAt + PEER_LOST_MS),
      () => this.#lose(),
    );
  }

  get bufferedAmount(): number {
    return 0;
  }

  listen(listener: LineListener): void {
    this.#reports.listen(listener);
  }

  send(payload: Uint8Array): void {
    if (!this.#gone) this.#outgoing.add(payload);
  }

  mark(name: string): void {
    this.#reports.markSoon(name);
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
    this.#watch.start();
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
    if (key !== undefined) this.#reports.digit(key);
    this.#incoming.push(arrival, holds);
  }

  /** The session has ended. Idempotent. */
  over(why: LineEnd): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#watch.stop();
    const { received, lost, late } = this.#incoming.counts;
    this.#parts.metrics.framesDropped("in", lost);
    this.#parts.metrics.framesLate(late);
    this.#parts.logger.debug("webrtc line over", { reason: why, count: received, dropped: lost });
    this.#incoming.close();
    this.#outgoing.close();
    this.#parts.release();
    this.#reports.gone(why);
  }

  #lose(): void {
    this.#parts.logger.warn("media line lost", { reason: "nothing came from the browser for 3 s" });
    this.over("lost");
  }
}
