import { decodeMulaw, encodeMulaw } from "../../../audio/g711.ts";
import type { PhoneDialect, PhoneMessage } from "../simulation/phone-dialect.ts";
import { fieldsOf, parseFields, textOf } from "../streaming/message-fields.ts";

/** Plivo's side of a stream of mu-law at 8 kHz. */
export class PlivoPhone implements PhoneDialect {
  readonly #parts: Readonly<{ streamId: string; callId: string; accountId: string }>;
  #sequence = 0;

  constructor(parts: Readonly<{ streamId: string; callId: string; accountId: string }>) {
    this.#parts = parts;
  }

  opening(): readonly string[] {
    const mediaFormat = { encoding: "audio/x-mulaw", sampleRate: 8000 };
    return [
      this.#message("start", { start: { ...this.#parts, tracks: ["inbound"], mediaFormat }, extra_headers: "{}" }),
    ];
  }

  sound(samples: Int16Array, frame: number, atMs: number): string {
    const payload = Buffer.from(encodeMulaw(samples)).toString("base64");
    const media = { track: "inbound", timestamp: String(Math.round(atMs)), chunk: frame + 1, payload };
    return this.#message("media", { streamId: this.#parts.streamId, media, extra_headers: "{}" });
  }

  digit(digit: string): string {
    return this.#message("dtmf", { streamId: this.#parts.streamId, dtmf: { track: "inbound", digit } });
  }

  played(name: string): string {
    return this.#message("playedStream", { streamId: this.#parts.streamId, name });
  }

  /** What was cleared has not been played, and no checkpoint says that it was. */
  cleared(): readonly string[] {
    return [this.#message("clearedAudio", { streamId: this.#parts.streamId })];
  }

  closing(): readonly string[] {
    return [];
  }

  read(data: string | Uint8Array): PhoneMessage | undefined {
    const message = typeof data === "string" ? parseFields(data) : undefined;
    const ours = message?.["streamId"] === this.#parts.streamId;
    const name = textOf(message?.["name"]);
    if (message?.["event"] === "clearAudio" && ours) return { message: "clear" };
    if (message?.["event"] === "checkpoint" && ours && name !== undefined) return { message: "mark", name };
    const media = fieldsOf(message?.["media"]);
    const payload = textOf(media?.["payload"]);
    const understood = media?.["contentType"] === "audio/x-mulaw" && Number(media["sampleRate"]) === 8000;
    if (message?.["event"] !== "playAudio" || !understood || payload === undefined) return undefined;
    return { message: "sound", samples: decodeMulaw(Buffer.from(payload, "base64")) };
  }

  close(): void {
    // It holds nothing.
  }

  #message(event: string, rest: Readonly<Record<string, unknown>>): string {
    this.#sequence += 1;
    return JSON.stringify({ sequenceNumber: this.#sequence, event, ...rest });
  }
}
