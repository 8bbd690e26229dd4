import { decodeMulaw, encodeMulaw } from "../../../audio/g711.ts";
import { FRAME_MS } from "../../../model/audio.ts";
import type { PhoneDialect, PhoneMessage } from "../simulation/phone-dialect.ts";
import { fieldsOf, parseFields, textOf } from "../streaming/message-fields.ts";

export type TwilioPhoneParts = Readonly<{ accountSid: string; callSid: string; streamSid: string }>;

/** Who writes: SignalWire leaves out of its messages what it has said before, and tells how long keys were held. */
export type Writer = "twilio" | "signalwire";

/** The carrier's side of a media stream as Twilio and SignalWire write it, mu-law at 8 kHz. */
export class TwilioPhone implements PhoneDialect {
  readonly #parts: TwilioPhoneParts;
  readonly #writer: Writer;
  readonly #mediaEnd: string;
  #sequence = 0;

  constructor(parts: TwilioPhoneParts, writer: Writer = "twilio") {
    this.#parts = parts;
    this.#writer = writer;
    this.#mediaEnd = writer === "twilio" ? `"},"streamSid":"${parts.streamSid}"}` : '"}}';
  }

  opening(): readonly string[] {
    const version = this.#writer === "twilio" ? "1.0.0" : "0.2.0";
    const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 };
    return [
      JSON.stringify({ event: "connected", protocol: "Call", version }),
      this.#message("start", { start: { ...this.#parts, tracks: ["inbound"], mediaFormat, customParameters: {} } }),
    ];
  }

  sound(samples: Int16Array, frame: number): string {
    this.#sequence += 1;
    const payload = Buffer.from(encodeMulaw(samples)).toString("base64");
    return `{"event":"media","sequenceNumber":"${this.#sequence}","media":{"track":"inbound","chunk":"${frame + 1}","timestamp":"${frame * FRAME_MS}","payload":"${payload}${this.#mediaEnd}`;
  }

  digit(digit: string): string {
    const duration = this.#writer === "twilio" ? {} : { duration: 100 };
    return this.#message("dtmf", { dtmf: { track: "inbound_track", digit, ...duration } });
  }

  played(name: string): string {
    return this.#message("mark", { mark: { name } });
  }

  /** What was cleared comes back as if it had been played. */
  cleared(marks: readonly string[]): readonly string[] {
    return marks.map((name) => this.played(name));
  }

  closing(): readonly string[] {
    const { accountSid, callSid } = this.#parts;
    return [
      this.#writer === "twilio"
        ? this.#message("stop", { stop: { accountSid, callSid } })
        : JSON.stringify({ event: "stop", sequenceNumber: String(this.#sequence + 1) }),
    ];
  }

  read(data: string | Uint8Array): PhoneMessage | undefined {
    const message = typeof data === "string" ? parseFields(data) : undefined;
    if (message?.["streamSid"] !== this.#parts.streamSid) return undefined;
    const payload = textOf(fieldsOf(message["media"])?.["payload"]);
    const name = textOf(fieldsOf(message["mark"])?.["name"]);
    switch (message["event"]) {
      case "media":
        return payload === undefined
          ? undefined
          : { message: "sound", samples: decodeMulaw(Buffer.from(payload, "base64")) };
      case "mark":
        return name === undefined ? undefined : { message: "mark", name };
      case "clear":
        return { message: "clear" };
      default:
        return undefined;
    }
  }

  close(): void {
    // It holds nothing.
  }

  #message(event: string, rest: Readonly<Record<string, unknown>>): string {
    this.#sequence += 1;
    return JSON.stringify({
      event,
      sequenceNumber: String(this.#sequence),
      ...rest,
      streamSid: this.#parts.streamSid,
    });
  }
}
