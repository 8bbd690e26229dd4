import { decodeLinear16 } from "../../../audio/linear16.ts";
import type { OpusEncoder } from "../../../audio/opus.ts";
import { FRAME_MS } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";

/** Timestamps of Opus count at 48 000 a second. */
const TICKS_PER_FRAME = 960;

/** A frame of speech may be late by so many packets; its place is kept free, since silence would tear the word. */
const MOST_LATE = 3;

/** Once the process stood still for longer, what was not sent is left out instead of sent in a heap. */
const MOST_LAG_MS = 200;

/** Speech that is given far ahead of its time is not kept: half a second. */
const MOST_QUEUED = 25;

export type SendPacket = (payload: Uint8Array, sequence: number, timestamp: number, marker: boolean) => void;

/**
 * Sound on its way to the network: one packet every 20 ms, whether there is sound or not, since the far end takes every unevenness
 * for the network's and waits for longer. Silence keeps its buffer, and the way through routers, as they are.
 */
export class OutgoingStream {
  readonly #clock: Clock;
  readonly #encoder: OpusEncoder;
  readonly #send: SendPacket;
  readonly #first: Readonly<{ sequence: number; timestamp: number }>;
  readonly #silence: Int16Array;
  #queue: Int16Array[] = [];
  /** A frame that is not complete, and whether it has waited for the rest. */
  #part: Int16Array;
  #filled = 0;
  #waited = false;
  #state: "new" | "open" | "closed" = "new";
  #startMs = 0;
  /** Which packet's time it is, and for which time the last one was sent; counted from the start. */
  #turn = 0;
  #place = -1;
  #sent = 0;
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
    this.#first = first;
    this.#silence = new Int16Array(encoder.frameLength);
    this.#part = new Int16Array(encoder.frameLength);
  }

  /** The network is there. */
  start(): void {
    if (this.#state !== "new") return;
    this.#state = "open";
    this.#startMs = this.#clock.monotonic();
    this.#tick();
  }

  /** Little-endian samples at the encoder's rate, any length; what comes before the start is not sent. */
  add(payload: Uint8Array): void {
    if (this.#state !== "open") return;
    const samples = decodeLinear16(payload);
    for (let at = 0; at < samples.length;) {
      const piece = samples.subarray(at, at + this.#part.length - this.#filled);
      this.#part.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === this.#part.length) this.#enqueue();
    }
  }

  /** Drops what was not sent yet. */
  clear(): void {
    this.#queue = [];
    this.#filled = 0;
  }

  /** Lets go of the encoder. Idempotent. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#state = "closed";
    this.#encoder.close();
  }

  #enqueue(): void {
    this.#queue.push(this.#part);
    if (this.#queue.length > MOST_QUEUED) this.#queue.shift();
    this.#part = new Int16Array(this.#encoder.frameLength);
    this.#filled = 0;
    this.#waited = false;
  }

  #tick(): void {
    const now = this.#clock.monotonic();
    const due = (now - this.#startMs) / FRAME_MS;
    if ((due - this.#turn) * FRAME_MS > MOST_LAG_MS) this.#turn = Math.floor(due);
    for (; this.#turn <= due; this.#turn++) this.#take();
    if (this.#state !== "open") return;
    const waitMs = this.#startMs + this.#turn * FRAME_MS - this.#clock.monotonic();
    this.#timer = this.#clock.setTimer(Math.max(1, waitMs), () => this.#tick());
  }

  /** Sends what this turn is for. */
  #take(): void {
    if (this.#queue.length === 0 && this.#filled > 0) {
      // The end of a reply fills no packet; anything else is complete by the next turn.
      if (this.#waited) {
        this.#part.fill(0, this.#filled);
        this.#enqueue();
      } else this.#waited = true;
    }
    const frame = this.#queue.shift();
    if (frame !== undefined) {
      // Late frames follow each other; only behind silence is there a new beginning.
      this.#put(frame, this.#speaking ? this.#place + 1 : this.#turn, !this.#speaking);
      this.#speaking = true;
    } else if (!this.#speaking || this.#turn - this.#place > MOST_LATE) {
      this.#speaking = false;
      this.#put(this.#silence, this.#turn, false);
    }
  }

  #put(frame: Int16Array, place: number, marker: boolean): void {
    this.#place = place;
    const sequence = (this.#first.sequence + this.#sent) & 0xffff;
    const timestamp = (this.#first.timestamp + place * TICKS_PER_FRAME) >>> 0;
    this.#sent += 1;
    this.#send(this.#encoder.encode(frame), sequence, timestamp, marker);
  }
}
