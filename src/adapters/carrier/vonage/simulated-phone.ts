import { decodeLinear16, encodeLinear16 } from "../../../audio/linear16.ts";
import { Resampler } from "../../../audio/resampler.ts";
import type { PhoneDialect, PhoneMessage } from "../simulation/phone-dialect.ts";
import { fieldsOf, parseFields, textOf, type Fields } from "../streaming/message-fields.ts";

/** Vonage's side of a websocket endpoint, at 16 kHz. */
export class VonagePhone implements PhoneDialect {
  readonly #headers: Fields;
  readonly #contentType: string;
  /** Telephones have 8 kHz. */
  readonly #up = new Resampler(8000, 16_000);
  readonly #down = new Resampler(16_000, 8000);

  constructor(parts: Readonly<{ headers: Fields; contentType: string }>) {
    this.#headers = parts.headers;
    this.#contentType = parts.contentType;
  }

  opening(): readonly string[] {
    return [JSON.stringify({ event: "websocket:connected", "content-type": this.#contentType, ...this.#headers })];
  }

  sound(samples: Int16Array): Uint8Array {
    return Uint8Array.from(encodeLinear16(this.#up.process(samples)));
  }

  digit(digit: string): string {
    return JSON.stringify({ event: "websocket:dtmf", digit, duration: 100 });
  }

  /** Marks are payloads here, which come back as they were. */
  played(payload: string): string {
    return `{"event":"websocket:notify","payload":${payload}}`;
  }

  cleared(): readonly string[] {
    return [JSON.stringify({ event: "websocket:cleared" })];
  }

  closing(): readonly string[] {
    return [];
  }

  read(data: string | Uint8Array): PhoneMessage | undefined {
    if (typeof data !== "string")
      return data.length === FRAME_BYTES
        ? { message: "sound", samples: Int16Array.from(this.#down.process(decodeLinear16(data))) }
        : undefined;
    const message = parseFields(data);
    const payload = fieldsOf(message?.["payload"]);
    if (textOf(message?.["action"]) === "clear") return { message: "clear" };
    return message?.["action"] === "notify" && payload !== undefined
      ? { message: "mark", name: JSON.stringify(payload) }
      : undefined;
  }

  close(): void {
    this.#up.close();
    this.#down.close();
  }
}

/** 20 ms. */
const FRAME_BYTES = 640;
