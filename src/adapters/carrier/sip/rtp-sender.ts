import { decodeSamples, silenceByte } from "../../../audio/convert.ts";
import { KeyDetector } from "../../../audio/dtmf-detector.ts";
import { FramePacer } from "../../../audio/frame-pacer.ts";
import type { Clock } from "../../../ports/clock.ts";
import { KEY_PACKETS, keyPayload } from "./key-events.ts";
import type { SoundCodec } from "./session-description.ts";

/** 20 ms of G.711: as many bytes as ticks of its clock. */
const FRAME_BYTES = 160;

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
  readonly #pacer: FramePacer<Uint8Array>;
  readonly #detector = new KeyDetector(8000);
  #muted = false;
  /** For which time the last packet was sent; counted from the start. */
  #place = -1;
  #sent = 0;
  #octets = 0;
  #key: { key: string; index: number; place: number } | undefined;

  constructor(parts: RtpSenderParts) {
    this.#parts = parts;
    this.#pacer = new FramePacer<Uint8Array>({
      clock: parts.clock,
      silence: new Uint8Array(FRAME_BYTES).fill(silenceByte(parts.codec)),
      put: (frame, place, fresh) => this.#put("sound", frame, place, fresh),
      instead: (frame, turn) => this.#pressed(frame, turn),
    });
  }

  /** What was sent so far, as reports of senders tell it. */
  get counts(): Readonly<{ packets: number; octets: number; timestamp: number }> {
    return { packets: this.#sent, octets: this.#octets, timestamp: this.#timestampAt(this.#place) };
  }

  start(): void {
    this.#pacer.start();
  }

  /** While the far end does not listen, nothing is sent, and what should have been is gone. */
  mute(muted: boolean): void {
    this.#muted = muted;
  }

  /** G.711 of any length. */
  add(payload: Uint8Array): void {
    this.#pacer.add(payload);
  }

  /** Drops what was not sent yet; a key that is half sent is sent to its end. */
  clear(): void {
    this.#pacer.clear();
  }

  close(): void {
    this.#pacer.close();
  }

  /** Whether this turn belongs to a key; the sound in it is then the rest of its tone and the pause behind. */
  #pressed(frame: Uint8Array | undefined, turn: number): boolean {
    if (this.#key === undefined) {
      const heard =
        frame && this.#parts.keys() ? this.#detector.next(decodeSamples(this.#parts.codec, frame)) : undefined;
      if (heard === undefined) return false;
      this.#key = { key: heard, index: 0, place: turn };
    }
    const { key, index, place } = this.#key;
    // Every packet of a press has the time of its beginning.
    this.#put("key", keyPayload(key, index), place, index === 0);
    this.#key = index + 1 === KEY_PACKETS ? undefined : { key, index: index + 1, place };
    // The same key may follow.
    if (this.#key === undefined) this.#detector.next(SILENT);
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
