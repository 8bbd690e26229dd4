import { decodeLinear16 } from "../../../audio/linear16.ts";
import type { OpusEncoder } from "../../../audio/opus.ts";
import { FRAME_MS } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";

/** Timestamps of Opus count at 48 000 a second. */
const TICKS_PER_FRAME = 960;

/**
 * Silence is sent this much behind time, so that sound which comes when it is due finds its place free. While somebody speaks it is
 * more, since a frame that is late belongs to the word and silence would tear it.
 */
const FILL_LAG_MS = 30;
const SPEAKING_LAG_MS = 80;

/** Once the process stood still for longer, what was not sent is left out instead of sent in a heap. */
const MOST_LAG_MS = 200;

export type SendPacket = (payload: Uint8Array, sequence: number, timestamp: number, marker: boolean) => void;

/**
 * Sound on its way to the network, in packets of 20 ms that never cease: where there is no sound they hold silence, which keeps
 * the far end's buffer and the way through routers as they are.
 */
export class OutgoingStream {
  readonly #clock: Clock;
  readonly #encoder: OpusEncoder;
  readonly #send: SendPacket;
  readonly #frame: Int16Array;
  #filled = 0;
  #sequence: number;
  #timestamp: number;
  #state: "new" | "open" | "closed" = "new";
  /** Up to when sound was sent, by the monotonic clock. */
  #sentUntilMs = 0;
  #speaking = false;
  #timer: Timer | undefined;

  /** `sequence` and `timestamp` to begin with are of 16 and 32 bits, by chance (RFC 3550, section 5.1). */
  constructor(
    clock: Clock,
    encoder: OpusEncoder,
    first: Readonly<{ sequence: number; timestamp: number }>,
    send: SendPacket,
  ) {
    this.#clock = clock;
    this.#encoder = encoder;
    this.#send = send;
    this.#frame = new Int16Array(encoder.frameLength);
    this.#sequence = first.sequence;
    this.#timestamp = first.timestamp;
  }

  /** The network is there. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "open";
    this.#sentUntilMs = this.#clock.monotonic();
    this.#tick();
  }

  /** Little-endian samples at the encoder's rate, any length; what comes before the start is not sent. */
  add(payload: Uint8Array): void {
    if (this.#state !== "open") return;
    const samples = decodeLinear16(payload);
    for (let at = 0; at < samples.length;) {
      const piece = samples.subarray(at, at + this.#frame.length - this.#filled);
      this.#frame.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === this.#frame.length) this.#flush(true);
    }
  }

  /** Lets go of the encoder. Idempotent. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#state = "closed";
    this.#encoder.close();
  }

  get #lagMs(): number {
    return this.#speaking ? SPEAKING_LAG_MS : FILL_LAG_MS;
  }

  #flush(speaking: boolean): void {
    this.#frame.fill(0, this.#filled);
    this.#filled = 0;
    const now = this.#clock.monotonic();
    const lagMs = now - this.#sentUntilMs;
    if (lagMs > MOST_LAG_MS) {
      const missed = Math.floor(lagMs / FRAME_MS);
      this.#sentUntilMs += missed * FRAME_MS;
      this.#timestamp = (this.#timestamp + missed * TICKS_PER_FRAME) >>> 0;
    }
    this.#send(this.#encoder.encode(this.#frame), this.#sequence, this.#timestamp, speaking && !this.#speaking);
    this.#speaking = speaking;
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#timestamp = (this.#timestamp + TICKS_PER_FRAME) >>> 0;
    this.#sentUntilMs += FRAME_MS;
  }

  #tick(): void {
    const now = this.#clock.monotonic();
    while (this.#state === "open" && now - this.#sentUntilMs >= this.#lagMs) this.#flush(this.#filled > 0);
    if (this.#state !== "open") return;
    const waitMs = Math.max(1, this.#sentUntilMs + this.#lagMs - now);
    this.#timer = this.#clock.setTimer(waitMs, () => this.#tick());
  }
}
