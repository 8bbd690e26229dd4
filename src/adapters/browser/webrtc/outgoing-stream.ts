import { FramePacer } from "../../../audio/frame-pacer.ts";
import { decodeLinear16 } from "../../../audio/linear16.ts";
import type { OpusEncoder } from "../../../audio/opus.ts";
import type { Clock } from "../../../ports/clock.ts";

/** Timestamps of Opus count at 48 000 a second. */
const TICKS_PER_FRAME = 960;

export type SendPacket = (payload: Uint8Array, sequence: number, timestamp: number, marker: boolean) => void;

/** Sound on its way to the network: an Opus packet every 20 ms, whether there is sound or not. */
export class OutgoingStream {
  readonly #encoder: OpusEncoder;
  readonly #send: SendPacket;
  readonly #first: Readonly<{ sequence: number; timestamp: number }>;
  readonly #pacer: FramePacer<Int16Array>;
  #sent = 0;

  /** `sequence` and `timestamp` to begin with are of 16 and 32 bits, by chance (RFC 3550, section 5.1). */
  constructor(
    clock: Clock,
    encoder: OpusEncoder,
    first: Readonly<{ sequence: number; timestamp: number }>,
    send: SendPacket,
  ) {
    this.#encoder = encoder;
    this.#send = send;
    this.#first = first;
    this.#pacer = new FramePacer<Int16Array>({
      clock,
      silence: new Int16Array(encoder.frameLength),
      put: (frame, place, fresh) => this.#put(frame, place, fresh),
    });
  }

  /** The network is there. */
  start(): void {
    this.#pacer.start();
  }

  /** Little-endian samples at the encoder's rate, any length; what comes before the start is not sent. */
  add(payload: Uint8Array): void {
    this.#pacer.add(decodeLinear16(payload));
  }

  /** Drops what was not sent yet. */
  clear(): void {
    this.#pacer.clear();
  }

  /** Lets go of the encoder. Idempotent. */
  close(): void {
    this.#pacer.close();
    this.#encoder.close();
  }

  #put(frame: Int16Array, place: number, marker: boolean): void {
    const sequence = (this.#first.sequence + this.#sent) & 0xffff;
    const timestamp = (this.#first.timestamp + place * TICKS_PER_FRAME) >>> 0;
    this.#sent += 1;
    this.#send(this.#encoder.encode(frame), sequence, timestamp, marker);
  }
}
