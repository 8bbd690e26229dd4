import { decodeMulaw, encodeMulaw } from "../../../audio/g711.ts";
import type { PhoneDialect, PhoneMessage } from "../simulation/phone-dialect.ts";
import { fieldsOf, parseFields, textOf } from "../streaming/message-fields.ts";

/** Telnyx's side of a bidirectional stream, PCMU both ways. */
export class TelnyxPhone implements PhoneDialect {
  readonly #streamId: string;
  readonly #start: Readonly<Record<string, unknown>>;
  #sequence = 0;

  constructor(parts: Readonly<{ streamId: string; callId: string; from: string; to: string; clientState: string }>) {
    this.#streamId = parts.streamId;
    this.#start = {
      user_id: "simulated",
      call_control_id: parts.callId,
      call_session_id: `session-${parts.callId}`,
      from: parts.from,
      to: parts.to,
      client_state: parts.clientState,
      custom_parameters: {},
      media_format: { encoding: "PCMU", sample_rate: 8000, channels: 1 },
    };
  }

  opening(): readonly string[] {
    return [JSON.stringify({ event: "connected", version: "1.0.0" }), this.#message("start", { start: this.#start })];
  }

  sound(samples: Int16Array, frame: number): string {
    const payload = Buffer.from(encodeMulaw(samples)).toString("base64");
    return this.#message("media", {
      media: { track: "inbound", chunk: String(frame + 1), timestamp: String(frame * 20), payload },
    });
  }

  digit(digit: string): string {
    return this.#message("dtmf", { dtmf: { digit } });
  }

  played(name: string): string {
    return this.#message("mark", { mark: { name } });
  }

  cleared(marks: readonly string[]): readonly string[] {
    return marks.map((name) => this.played(name));
  }

  closing(): readonly string[] {
    return [this.#message("stop", { stop: { user_id: "simulated", call_control_id: this.#start["call_control_id"] } })];
  }

  read(data: string | Uint8Array): PhoneMessage | undefined {
    const message = typeof data === "string" ? parseFields(data) : undefined;
    const payload = textOf(fieldsOf(message?.["media"])?.["payload"]);
    const name = textOf(fieldsOf(message?.["mark"])?.["name"]);
    if (message?.["event"] === "clear") return { message: "clear" };
    if (message?.["event"] === "mark" && name !== undefined) return { message: "mark", name };
    if (message?.["event"] !== "media" || payload === undefined) return undefined;
    const sound = Buffer.from(payload, "base64");
    // From 20 ms to 30 s.
    return sound.length >= 160 && sound.length <= 240_000
      ? { message: "sound", samples: decodeMulaw(sound) }
      : undefined;
  }

  close(): void {
    // It holds nothing.
  }

  #message(event: string, rest: Readonly<Record<string, unknown>>): string {
    this.#sequence += 1;
    return JSON.stringify({ event, sequence_number: String(this.#sequence), stream_id: this.#streamId, ...rest });
  }
}
