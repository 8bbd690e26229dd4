import { decodeSamples, encodeSamples } from "../../../audio/convert.ts";
import { ALAW_SILENCE, MULAW_SILENCE } from "../../../audio/g711.ts";
import { JitterBuffer, type JitterCounts, type Piece } from "../../../audio/jitter-buffer.ts";
import { levelDbfs } from "../../../audio/level.ts";
import type { AudioFrame } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import type { RtpPacket } from "./rtp-packet.ts";
import type { SoundCodec } from "./session-description.ts";

/** Bytes and ticks of G.711 in a millisecond. */
const PER_MS = 8;

/** Below this level nobody speaks on a telephone line. */
const QUIET_DBFS = -45;

/** A longer pause is not made of silence; where the next frame begins says it. */
const MOST_SILENCE_MS = 1000;

/** Sound that comes from the network, put in order and on its time. */
export class RtpReceiver {
  readonly #clock: Clock;
  readonly #codec: SoundCodec;
  readonly #emit: (frame: AudioFrame) => void;
  #buffer = new JitterBuffer(PER_MS * 1000);
  #source: number | undefined;
  /** Bytes since the first one. */
  #position = 0;
  #quiet = true;
  /** The last sound, which stands in for what is missing behind it. */
  #last: Uint8Array | undefined;
  #timer: Timer | undefined;
  #closed = false;

  /** `codec` is what frames are given out in. */
  constructor(clock: Clock, codec: SoundCodec, emit: (frame: AudioFrame) => void) {
    this.#clock = clock;
    this.#codec = codec;
    this.#emit = emit;
  }

  get counts(): JitterCounts {
    return this.#buffer.counts;
  }

  /** `holds`: the codec of its sound, or `none` for a key, which only has its place in the order. */
  push({ sequence, timestamp, source, payload }: RtpPacket, holds: SoundCodec | "none"): void {
    if (this.#closed) return;
    if (this.#source !== source) {
      // Another source counts from somewhere else.
      if (this.#source !== undefined) this.#buffer = new JitterBuffer(PER_MS * 1000);
      this.#source = source;
    }
    const arrival =
      holds === "none"
        ? { sequence, timestamp, ms: 0 }
        : { sequence, timestamp, ms: payload.length / PER_MS, payload: this.#asOwn(payload, holds) };
    this.#buffer.push(arrival, this.#clock.monotonic());
    this.#drain();
    this.#watch();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #asOwn(payload: Uint8Array, codec: SoundCodec): Uint8Array {
    return codec === this.#codec ? payload : encodeSamples(this.#codec, decodeSamples(codec, payload));
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
    if (piece.kind === "skipped") return;
    const payload = this.#soundOf(piece);
    const atMs = this.#position / PER_MS;
    this.#position += payload?.length ?? Math.round(piece.ms * PER_MS);
    if (payload === undefined) return;
    if (piece.kind === "sound") {
      this.#last = payload;
      this.#quiet = levelDbfs(decodeSamples(this.#codec, payload)) < QUIET_DBFS;
    }
    this.#emit({ payload, atMs });
  }

  #soundOf(piece: Exclude<Piece, { kind: "skipped" }>): Uint8Array | undefined {
    if (piece.kind === "sound") return piece.payload;
    const length = Math.round(piece.ms * PER_MS);
    if (piece.kind === "lost" && this.#last?.length === length) return this.#last;
    if (piece.ms > MOST_SILENCE_MS) return undefined;
    return new Uint8Array(length).fill(this.#codec === "mulaw" ? MULAW_SILENCE : ALAW_SILENCE);
  }

  /** One timer looks whether a packet is overdue; it is not set anew for every packet, which would cost more than the look. */
  #watch(): void {
    const due = this.#buffer.dueMs;
    if (this.#timer !== undefined || due === undefined || this.#closed) return;
    this.#timer = this.#clock.setTimer(Math.max(1, due - this.#clock.monotonic()), () => {
      this.#timer = undefined;
      this.#drain();
      this.#watch();
    });
  }
}
