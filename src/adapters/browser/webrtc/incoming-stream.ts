import { JitterBuffer, type JitterCounts, type Piece } from "../../../audio/jitter-buffer.ts";
import { levelDbfs } from "../../../audio/level.ts";
import { encodeLinear16 } from "../../../audio/linear16.ts";
import { opusPacketMs, type OpusDecoder } from "../../../audio/opus.ts";
import type { AudioFrame } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";

/** Timestamps of Opus count at this rate whatever a packet holds (RFC 7587, section 4.1). */
const OPUS_CLOCK = 48_000;

/** Below this level nobody speaks: browsers take noise out before they send. */
const QUIET_DBFS = -50;

/** A longer pause is not made of silence; where the next frame begins says it. */
const MOST_SILENCE_MS = 1000;

/** A packet of the stream, sound or key. */
export type RtpArrival = Readonly<{ sequence: number; timestamp: number; source: number; payload: Uint8Array }>;

/** What comes in from the network, as frames of sound with their time. */
export class IncomingStream {
  readonly #clock: Clock;
  readonly #decoder: OpusDecoder;
  readonly #rate: number;
  readonly #emit: (frame: AudioFrame) => void;
  #buffer = new JitterBuffer(OPUS_CLOCK);
  #source: number | undefined;
  /** Samples since the first one. */
  #position = 0;
  #quiet = true;
  #timer: Timer | undefined;
  #closed = false;

  /** `rate` is the decoder's, in samples per second. */
  constructor(clock: Clock, decoder: OpusDecoder, rate: number, emit: (frame: AudioFrame) => void) {
    this.#clock = clock;
    this.#decoder = decoder;
    this.#rate = rate;
    this.#emit = emit;
  }

  get counts(): JitterCounts {
    return this.#buffer.counts;
  }

  /** `holds` tells sound from a packet that only has its place in the order. */
  push({ sequence, timestamp, source, payload }: RtpArrival, holds: "sound" | "key"): void {
    if (this.#closed) return;
    if (this.#source !== source) {
      // Another source counts from somewhere else.
      if (this.#source !== undefined) this.#buffer = new JitterBuffer(OPUS_CLOCK);
      this.#source = source;
    }
    const arrival =
      holds === "sound" ? { sequence, timestamp, ms: opusPacketMs(payload), payload } : { sequence, timestamp, ms: 0 };
    this.#buffer.push(arrival, this.#clock.monotonic());
    this.#drain();
    this.#watch();
  }

  /** Lets go of the decoder. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#decoder.close();
  }

  #drain(): void {
    const now = this.#clock.monotonic();
    for (
      let piece = this.#buffer.pull(now, this.#quiet);
      piece !== undefined && !this.#closed;
      piece = this.#buffer.pull(now, this.#quiet)
    )
      this.#play(piece);
  }

  #play(piece: Piece): void {
    const samples = this.#samplesOf(piece);
    if (piece.kind === "skipped") return;
    const atMs = (this.#position / this.#rate) * 1000;
    if (samples === undefined) {
      this.#position += Math.round((piece.ms * this.#rate) / 1000);
      return;
    }
    this.#position += samples.length;
    this.#quiet = levelDbfs(samples) < QUIET_DBFS;
    this.#emit({ payload: encodeLinear16(samples), atMs });
  }

  #samplesOf(piece: Piece): Int16Array | undefined {
    switch (piece.kind) {
      case "sound":
      case "skipped":
        return this.#decoder.decode(piece.payload) ?? this.#decoder.decodeLost(piece.ms);
      case "lost":
        return piece.next === undefined
          ? this.#decoder.decodeLost(piece.ms)
          : this.#decoder.decodeFromNext(piece.next, piece.ms);
      case "pause":
        return piece.ms > MOST_SILENCE_MS ? undefined : new Int16Array(Math.round((piece.ms * this.#rate) / 1000));
    }
  }

  /** One timer looks whether a packet is overdue; it is not set anew for every packet, which would cost more than the look. */
  #watch(): void {
    const due = this.#buffer.dueMs;
    if (this.#timer !== undefined || due === undefined || this.#closed) return;
    const waitMs = Math.max(1, due - this.#clock.monotonic());
    this.#timer = this.#clock.setTimer(waitMs, () => {
      this.#timer = undefined;
      this.#drain();
      this.#watch();
    });
  }
}
