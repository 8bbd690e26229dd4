import type { AudioFormat } from "../../../model/audio.ts";
import type { Dialect, StreamEvent } from "../streaming/dialect.ts";
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

/**
 * Twilio media streams, and SignalWire's, which are alike: JSON messages, µ-law at 8 kHz in base64. The marks that were pending come
 * back after a `clear`; that nothing before them was heard is known by their numbers. A socket that ends without `stop` has broken.
 */
export class TwilioDialect implements Dialect {
  readonly onClose = "lost";
  #streamSid = "";
  #mediaPrefix = "";

  format(incoming: AudioFormat): AudioFormat {
    return incoming;
  }

  read(data: string | Uint8Array): StreamEvent | undefined {
    return (typeof data === "string" ? scanMedia(data) : undefined) ?? this.#eventOf(parseFields(data));
  }

  sound(payload: Uint8Array): readonly string[] {
    return [`${this.#mediaPrefix}${base64Of(payload)}"}}`];
  }

  mark(name: string): readonly string[] {
    return [`{"event":"mark","streamSid":"${this.#streamSid}","mark":{"name":"${name}"}}`];
  }

  clear(): string {
    return `{"event":"clear","streamSid":"${this.#streamSid}"}`;
  }

  #eventOf(message: Fields | undefined): StreamEvent | undefined {
    switch (message?.["event"]) {
      case "media":
        return mediaOf(fieldsOf(message["media"]));
      case "start":
        return this.#start(message, fieldsOf(message["start"]));
      case "dtmf": {
        const digit = digitOf(fieldsOf(message["dtmf"])?.["digit"]);
        return digit === undefined ? undefined : { event: "digit", digit };
      }
      case "mark": {
        const name = textOf(fieldsOf(message["mark"])?.["name"]);
        return name === undefined ? undefined : { event: "mark", name };
      }
      case "stop":
        return { event: "stop" };
      default:
        return typeof message?.["event"] === "string" ? { event: "other" } : undefined;
    }
  }

  #start(message: Fields, start: Fields | undefined): StreamEvent | undefined {
    const streamSid = idOf(message["streamSid"] ?? start?.["streamSid"]);
    const callId = idOf(start?.["callSid"]);
    if (streamSid === undefined || callId === undefined) return undefined;
    const { encoding = "audio/x-mulaw", sampleRate = 8000, channels = 1 } = fieldsOf(start?.["mediaFormat"]) ?? {};
    if (encoding !== "audio/x-mulaw" || counterOf(sampleRate) !== 8000 || counterOf(channels) !== 1)
      return {
        event: "refused",
        why: "the stream is not mu-law 8000 Hz mono; leave the codec of the stream at its default",
      };
    this.#streamSid = streamSid;
    this.#mediaPrefix = `{"event":"media","streamSid":"${streamSid}","media":{"payload":"`;
    return { event: "start", callId, format: MULAW_8K };
  }
}

/**
 * Reads a media message in exactly the form that the carrier writes; anything else gives `undefined`. The pattern spans the whole
 * text and admits no escapes, so that it cannot disagree with a JSON parser: one scan is 0.16 µs where parsing takes 0.6.
 */
export const scanMedia = (text: string): StreamEvent | undefined => {
  const found = MEDIA.exec(text);
  return found === null ? undefined : soundOf(found[1] as string, Number(found[2]), found[3] as string);
};

const MEDIA =
  /^\{"event":"media","sequenceNumber":"\d{1,15}","media":\{"track":"([a-z_]{1,20})","chunk":"\d{1,15}","timestamp":"(\d{1,15})","payload":"([A-Za-z0-9+/=]*)"\},"streamSid":"\w{0,64}"\}$/;

const MULAW_8K: AudioFormat = Object.freeze({ encoding: "mulaw", sampleRate: 8000 });

const mediaOf = (media: Fields | undefined): StreamEvent | undefined => {
  const base64 = textOf(media?.["payload"]);
  const track = textOf(media?.["track"] ?? "inbound");
  const atMs = placeOf(media?.["timestamp"]);
  return base64 === undefined || track === undefined || atMs === "none" ? undefined : soundOf(track, atMs, base64);
};

/** Pieces are in order by nature, since one connection brings them. */
const soundOf = (track: string, atMs: number | undefined, base64: string): StreamEvent =>
  track === "inbound"
    ? { event: "sound", chunk: undefined, atMs, payload: Buffer.from(base64, "base64") }
    : { event: "other" };
