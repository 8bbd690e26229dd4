import { FRAME_MS, bytesOf, type AudioFormat, type Encoding } from "../../../model/audio.ts";
import { silenceByte } from "../../../audio/convert.ts";
import type { Dialect, StreamEvent } from "../streaming/dialect.ts";
import { FullFrames } from "../streaming/full-frames.ts";
import {
  base64Of,
  counterOf,
  digitOf,
  fieldsOf,
  idOf,
  placeOf,
  parseFields,
  textOf,
  type Fields,
} from "../streaming/message-fields.ts";
import { ByteOrderDetector, swapBytes, type ByteOrder } from "./byte-order.ts";

/** How an account's sound travels: what calls are placed with, and what both sides of a line speak. */
export type TelnyxSound = Readonly<{
  codec: "PCMU" | "L16";
  /** Of 16-bit samples, both ways; `auto` goes by the sound that comes in, and writes little-endian until it knows. */
  byteOrder: ByteOrder | "auto";
}>;

/** The format that a line of these settings speaks. */
export const formatOfSound = ({ codec }: TelnyxSound): AudioFormat =>
  codec === "L16" ? { encoding: "linear16", sampleRate: 16_000 } : { encoding: "mulaw", sampleRate: 8000 };

/**
 * Telnyx bidirectional streaming: JSON messages, sound in base64. A message of ours has 20 ms of sound, the least that is taken.
 * The codec that comes in may be another one than the one that goes out, and is the one that `start` names.
 */
export class TelnyxDialect implements Dialect {
  readonly onClose = "lost";
  readonly #format: AudioFormat;
  readonly #frames: FullFrames;
  readonly #detector = new ByteOrderDetector();
  #order: ByteOrder | undefined;
  #incoming: Encoding = "mulaw";

  constructor(sound: TelnyxSound) {
    this.#format = formatOfSound(sound);
    this.#frames = new FullFrames(bytesOf(this.#format, FRAME_MS), silenceByte(this.#format.encoding));
    this.#order = sound.byteOrder === "auto" ? undefined : sound.byteOrder;
  }

  format(): AudioFormat {
    return this.#format;
  }

  read(data: string | Uint8Array): StreamEvent | undefined {
    const message = parseFields(data);
    switch (message?.["event"]) {
      case "media":
        return this.#sound(fieldsOf(message["media"]));
      case "start":
        return this.#start(fieldsOf(message["start"]));
      case "dtmf": {
        const digit = digitOf(fieldsOf(message["dtmf"])?.["digit"]);
        return digit === undefined ? undefined : { event: "digit", digit };
      }
      case "mark": {
        const name = textOf(fieldsOf(message["mark"])?.["name"]);
        return name === undefined ? undefined : { event: "mark", name };
      }
      case "error":
        return { event: "complaint", code: String(counterOf(fieldsOf(message["payload"])?.["code"]) ?? "unknown") };
      case "stop":
        return { event: "stop" };
      default:
        return typeof message?.["event"] === "string" ? { event: "other" } : undefined;
    }
  }

  sound(payload: Uint8Array): readonly string[] {
    return this.#frames.cut(payload).map((frame) => this.#media(frame));
  }

  mark(name: string): readonly string[] {
    return [...this.#frames.rest().map((frame) => this.#media(frame)), `{"event":"mark","mark":{"name":"${name}"}}`];
  }

  clear(): string {
    this.#frames.drop();
    return '{"event":"clear"}';
  }

  #media(frame: Uint8Array): string {
    const swap = this.#format.encoding === "linear16" && this.#order === "big";
    const payload = base64Of(swap ? swapBytes(frame) : frame);
    return `{"event":"media","media":{"payload":"${payload}"}}`;
  }

  #start(start: Fields | undefined): StreamEvent | undefined {
    const format = fieldsOf(start?.["media_format"]);
    const callId = idOf(start?.["call_control_id"]);
    const sampleRate = counterOf(format?.["sample_rate"]);
    const name = textOf(format?.["encoding"]);
    if (callId === undefined || sampleRate === undefined || name === undefined) return undefined;
    const encoding = ENCODINGS[name.toUpperCase()];
    if (encoding === undefined || !RATES.has(sampleRate) || (counterOf(format?.["channels"]) ?? 1) !== 1)
      return { event: "refused", why: "the stream is not PCMU, PCMA or L16, mono; set stream_codec to one of them" };
    this.#incoming = encoding;
    return { event: "start", callId, format: { encoding, sampleRate } };
  }

  #sound(media: Fields | undefined): StreamEvent | undefined {
    const base64 = textOf(media?.["payload"]);
    const chunk = counterOf(media?.["chunk"]);
    const atMs = placeOf(media?.["timestamp"]);
    if (base64 === undefined || atMs === "none") return undefined;
    if (!INBOUND.has(textOf(media?.["track"]) ?? "inbound")) return { event: "other" };
    return { event: "sound", chunk, atMs, payload: this.#inOrder(Buffer.from(base64, "base64")) };
  }

  #inOrder(payload: Uint8Array): Uint8Array {
    if (this.#incoming !== "linear16") return payload;
    this.#order ??= this.#detector.next(payload);
    return this.#order === "big" ? swapBytes(payload) : payload;
  }
}

/** By the names of RTP, and by those of the media types that older streams write. */
const ENCODINGS: Readonly<Record<string, Encoding>> = {
  PCMU: "mulaw",
  "AUDIO/X-MULAW": "mulaw",
  PCMA: "alaw",
  "AUDIO/X-ALAW": "alaw",
  L16: "linear16",
  "AUDIO/X-L16": "linear16",
};

const RATES: ReadonlySet<number> = new Set([8000, 16_000, 22_050, 24_000, 48_000]);
const INBOUND: ReadonlySet<string> = new Set(["inbound", "inbound_track"]);
