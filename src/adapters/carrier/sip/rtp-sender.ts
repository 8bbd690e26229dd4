import { decodeSamples } from "../../../audio/convert.ts";
import { KeyDetector } from "../../../audio/dtmf-detector.ts";
import { ALAW_SILENCE, MULAW_SILENCE } from "../../../audio/g711.ts";
import { FRAME_MS } from "../../../model/audio.ts";
import type { Clock, Timer } from "../../../ports/clock.ts";
import { KEY_PACKETS, keyPayload } from "./key-events.ts";
import type { SoundCodec } from "./session-description.ts";

/** 20 ms of G.711: as many bytes as ticks of its clock. */
const FRAME_BYTES = 160;

/** A frame of speech may be late by so many packets; its place is kept free, since silence would tear the word. */
const MOST_LATE = 3;

/** Once the process stood still for longer, what was not sent is left out instead of sent in a heap. */
const MOST_LAG_MS = 200;

/** Speech that is given far ahead of its time is not kept: half a second. */
const MOST_QUEUED = 25;

export type SendSound = (
  packet: Readonly<{
    kind: "sound" | "key";
    payload: Uint8Array;
    sequence: number;
    timestamp: number;
    marker: boolean;
  }>,
) => void;

export type RtpSenderParts = Readonly<{
  clock: Clock;
  codec: SoundCodec;
  /** Whether keys whose tones are in the sound go out as events instead. */
  keys(): boolean;
  /** Where sequence and timestamps begin, by chance. */
  first: Readonly<{ sequence: number; timestamp: number }>;
  send: SendSound;
}>;

/**
 * Sound on its way to the network: one packet every 20 ms, whether there is sound or not, which keeps the way through routers open. The
 * tones of keys are taken out and sent as events (RFC 4733) where the peer knows them: tones do not survive every network.
 */
export class RtpSender {
  readonly #parts: RtpSenderParts;
  readonly #silence: Uint8Array;
  readonly #detector = new KeyDetector(8000);
  #queue: Uint8Array[] = [];
  #part = new Uint8Array(FRAME_BYTES);
  #filled = 0;
  #waited = false;
  #state: "new" | "open" | "closed" = "new";
  #muted = false;
  #startMs = 0;
  /** Which packet's time it is, and for which time the last one was sent; counted from the start. */
  #turn = 0;
  #place = -1;
  #sent = 0;
  #octets = 0;
  #speaking = false;
  #key: { key: string; index: number; place: number } | undefined;
  #timer: Timer | undefined;

  constructor(parts: RtpSenderParts) {
    this.#parts = parts;
    this.#silence = new Uint8Array(FRAME_BYTES).fill(parts.codec === "mulaw" ? MULAW_SILENCE : ALAW_SILENCE);
  }

  /** What was sent so far, as reports of senders tell it. */
  get counts(): Readonly<{ packets: number; octets: number; timestamp: number }> {
    return { packets: this.#sent, octets: this.#octets, timestamp: this.#timestampAt(this.#place) };
  }

  start(): void {
    if (this.#state !== "new") return;
    this.#state = "open";
    this.#startMs = this.#parts.clock.monotonic();
    this.#tick();
  }

  /** While the far end does not listen, nothing is sent, and what should have been is gone. */
  mute(muted: boolean): void {
    this.#muted = muted;
  }

  /** G.711 of any length. */
  add(payload: Uint8Array): void {
    if (this.#state !== "open") return;
    for (let at = 0; at < payload.length;) {
      const piece = payload.subarray(at, at + FRAME_BYTES - this.#filled);
      this.#part.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === FRAME_BYTES) this.#enqueue();
    }
  }

  /** Drops what was not sent yet; a key that is half sent is sent to its end. */
  clear(): void {
    this.#queue = [];
    this.#filled = 0;
  }

  close(): void {
    this.#timer?.cancel();
    this.#state = "closed";
  }

  #enqueue(): void {
    this.#queue.push(this.#part);
    if (this.#queue.length > MOST_QUEUED) this.#queue.shift();
    this.#part = new Uint8Array(FRAME_BYTES);
    this.#filled = 0;
    this.#waited = false;
  }

  #tick(): void {
    const due = (this.#parts.clock.monotonic() - this.#startMs) / FRAME_MS;
    if ((due - this.#turn) * FRAME_MS > MOST_LAG_MS) this.#turn = Math.floor(due);
    for (; this.#turn <= due; this.#turn++) this.#take();
    if (this.#state !== "open") return;
    const waitMs = this.#startMs + this.#turn * FRAME_MS - this.#parts.clock.monotonic();
    this.#timer = this.#parts.clock.setTimer(Math.max(1, waitMs), () => this.#tick());
  }

  /** Sends what this turn is for. */
  #take(): void {
    if (this.#queue.length === 0 && this.#filled > 0) {
      // The end of a reply fills no packet; anything else is complete by the next turn.
      if (this.#waited) {
        this.#part.set(this.#silence.subarray(this.#filled), this.#filled);
        this.#enqueue();
      } else this.#waited = true;
    }
    const frame = this.#queue.shift();
    if (this.#pressed(frame)) return;
    if (frame !== undefined) {
      // Late frames follow each other; only behind silence is there a new beginning.
      this.#put("sound", frame, this.#speaking ? this.#place + 1 : this.#turn, !this.#speaking);
      this.#speaking = true;
    } else if (!this.#speaking || this.#turn - this.#place > MOST_LATE) {
      this.#speaking = false;
      this.#put("sound", this.#silence, this.#turn, false);
    }
  }

  /** Whether this turn belongs to a key; the sound in it is then the rest of its tone and the pause behind. */
  #pressed(frame: Uint8Array | undefined): boolean {
    if (this.#key === undefined) {
      const heard =
        frame && this.#parts.keys() ? this.#detector.next(decodeSamples(this.#parts.codec, frame)) : undefined;
      if (heard === undefined) return false;
      this.#key = { key: heard, index: 0, place: this.#turn };
    }
    const { key, index, place } = this.#key;
    // Every packet of a press has the time of its beginning.
    this.#put("key", keyPayload(key, index), place, index === 0);
    this.#key = index + 1 === KEY_PACKETS ? undefined : { key, index: index + 1, place };
    if (this.#key === undefined) {
      this.#speaking = false;
      // The same key may follow.
      this.#detector.next(SILENT);
    }
    return true;
  }

  #put(kind: "sound" | "key", payload: Uint8Array, place: number, marker: boolean): void {
    this.#place = place;
    if (this.#muted) return;
    const sequence = (this.#parts.first.sequence + this.#sent) & 0xffff;
    this.#sent += 1;
    this.#octets += payload.length;
    this.#parts.send({ kind, payload, sequence, timestamp: this.#timestampAt(place), marker });
  }

  #timestampAt(place: number): number {
    return (this.#parts.first.timestamp + place * FRAME_BYTES) >>> 0;
  }
}

const SILENT = new Int16Array(FRAME_BYTES);
