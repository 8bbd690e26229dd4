import type { AudioFormat, Encoding } from "../../../model/audio.ts";
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

/** What a stream is asked for: what telephone networks carry, untouched. */
export const PLIVO_CONTENT_TYPE = "audio/x-mulaw;rate=8000";

/**
 * Plivo audio streams: JSON messages, sound in base64, times in milliseconds since 1970. A checkpoint comes back only when the sound
 * before it has played, never after it was cleared; no message says that the call is over.
 */
export class PlivoDialect implements Dialect {
  readonly onClose = "hung-up";
  #streamId = "";
  #playPrefix = "";

  format(incoming: AudioFormat): AudioFormat {
    return incoming;
  }

  read(data: string | Uint8Array): StreamEvent | undefined {
    const message = parseFields(data);
    switch (message?.["event"]) {
      case "media":
        return soundOf(fieldsOf(message["media"]));
      case "start":
        return this.#start(message, fieldsOf(message["start"]));
      case "dtmf": {
        const digit = digitOf(fieldsOf(message["dtmf"])?.["digit"]);
        return digit === undefined ? undefined : { event: "digit", digit };
      }
      case "playedStream": {
        const name = textOf(message["name"]);
        return name === undefined ? undefined : { event: "mark", name };
      }
      case "stop":
        return { event: "stop" };
      default:
        return typeof message?.["event"] === "string" ? { event: "other" } : undefined;
    }
  }

  sound(payload: Uint8Array): readonly string[] {
    return [`${this.#playPrefix}${base64Of(payload)}"}}`];
  }

  mark(name: string): readonly string[] {
    return [`{"event":"checkpoint","streamId":"${this.#streamId}","name":"${name}"}`];
  }

  clear(): string {
    return `{"event":"clearAudio","streamId":"${this.#streamId}"}`;
  }

  #start(message: Fields, start: Fields | undefined): StreamEvent | undefined {
    const format = fieldsOf(start?.["mediaFormat"]);
    const streamId = idOf(start?.["streamId"] ?? message["streamId"]);
    const callId = idOf(start?.["callId"]);
    const sampleRate = counterOf(format?.["sampleRate"]);
    const name = textOf(format?.["encoding"]);
    if (streamId === undefined || callId === undefined || sampleRate === undefined || name === undefined)
      return undefined;
    const encoding = ENCODINGS[name];
    if (encoding === undefined || !(sampleRate === 8000 || (encoding === "linear16" && sampleRate === 16_000)))
      return { event: "refused", why: `the stream cannot be read; set contentType to ${PLIVO_CONTENT_TYPE}` };
    this.#streamId = streamId;
    this.#playPrefix = `{"event":"playAudio","media":{"contentType":"${name}","sampleRate":${sampleRate},"payload":"`;
    return { event: "start", callId, format: { encoding, sampleRate } };
  }
}

const ENCODINGS: Readonly<Record<string, Encoding>> = { "audio/x-mulaw": "mulaw", "audio/x-l16": "linear16" };

const soundOf = (media: Fields | undefined): StreamEvent | undefined => {
  const base64 = textOf(media?.["payload"]);
  const atMs = placeOf(media?.["timestamp"]);
  if (base64 === undefined || atMs === "none") return undefined;
  if ((media?.["track"] ?? "inbound") !== "inbound") return { event: "other" };
  return { event: "sound", chunk: counterOf(media?.["chunk"]), atMs, payload: Buffer.from(base64, "base64") };
};
