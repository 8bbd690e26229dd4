import { FRAME_MS, bytesOf, millisecondsOf, type AudioFormat } from "../../../model/audio.ts";
import type { Dialect, StreamEvent } from "../streaming/dialect.ts";
import { FullFrames } from "../streaming/full-frames.ts";
import { digitOf, fieldsOf, idOf, parseFields, textOf, type Fields } from "../streaming/message-fields.ts";

/** What a stream is asked for: 16-bit samples, little-endian, at 16 kHz. */
export const VONAGE_CONTENT_TYPE = "audio/l16;rate=16000";
export const VONAGE_FORMAT = { encoding: "linear16", sampleRate: 16_000 } as const satisfies AudioFormat;

/** The header of the stream that names the call, which Vonage itself does not name here. */
export const CALL_ID_HEADER = "callId";

/**
 * The websocket endpoint of Vonage: text for events, and sound as binary messages of exactly 20 ms both ways. Sound carries neither
 * time nor number, and no message says that the call is over.
 */
export class VonageDialect implements Dialect {
  readonly onClose = "hung-up";
  #format: AudioFormat = VONAGE_FORMAT;
  #frames = framesOf(this.#format);

  format(incoming: AudioFormat): AudioFormat {
    return incoming;
  }

  read(data: string | Uint8Array): StreamEvent | undefined {
    if (typeof data !== "string") return this.#sound(data);
    const message = parseFields(data);
    switch (message?.["event"]) {
      case "websocket:connected":
        return this.#start(message);
      case "websocket:dtmf": {
        const digit = digitOf(message["digit"]);
        return digit === undefined ? undefined : { event: "digit", digit };
      }
      case "websocket:notify": {
        const name = textOf(fieldsOf(message["payload"])?.["mark"]);
        return name === undefined ? undefined : { event: "mark", name };
      }
      default:
        return typeof message?.["event"] === "string" ? { event: "other" } : undefined;
    }
  }

  sound(payload: Uint8Array): readonly Uint8Array[] {
    return this.#frames.cut(payload);
  }

  mark(name: string): readonly (string | Uint8Array)[] {
    return [...this.#frames.rest(), `{"action":"notify","payload":{"mark":"${name}"}}`];
  }

  clear(): string {
    this.#frames.drop();
    return '{"action":"clear"}';
  }

  #start(message: Fields): StreamEvent {
    const rate = /^audio\/l16; ?rate=(8000|16000|24000)$/i.exec(textOf(message["content-type"]) ?? "")?.[1];
    if (rate === undefined)
      return { event: "refused", why: `the stream is not ${VONAGE_CONTENT_TYPE}; set content-type to that` };
    this.#format = { encoding: "linear16", sampleRate: Number(rate) };
    this.#frames = framesOf(this.#format);
    return { event: "start", callId: idOf(message[CALL_ID_HEADER]), format: this.#format };
  }

  #sound(payload: Uint8Array): StreamEvent | undefined {
    const whole = payload.length % 2 === 0 && millisecondsOf(this.#format, payload.length) <= LONGEST_MS;
    return whole ? { event: "sound", chunk: undefined, atMs: undefined, payload } : undefined;
  }
}

/** Messages have 20 ms; a few at once may come of a gateway that joins them. */
const LONGEST_MS = 200;

const framesOf = (format: AudioFormat): FullFrames => new FullFrames(bytesOf(format, FRAME_MS), 0);
