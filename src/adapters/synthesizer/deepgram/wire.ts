import type { AudioFormat } from "../../../model/audio.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { jsonMessage, textIn, type JsonMessage } from "../streaming/json-message.ts";
import type { Said, Wire } from "../streaming/socket-speaker.ts";

/** The vendor takes 20 flushes in 60 seconds on a connection, and each piece is one; two are left for clocks that differ. */
const PER_MINUTE = 18;

/**
 * Deepgram's websocket for speech. Voice and format are in the address, and belong to the connection. A piece is its text and a flush,
 * and is complete when the vendor confirms the flush. There are no word times.
 */
export const deepgramWire = (name: string, socketBase: string, apiKey: string): Wire => ({
  name,
  perMinute: PER_MINUTE,
  target: ({ id, options }, { encoding, sampleRate }) => {
    const { speed } = options;
    const query = new URLSearchParams({
      model: id,
      encoding,
      sample_rate: String(sampleRate),
      ...(speed === undefined || Number(speed) === 1 ? {} : { speed }),
    });
    const url = `${socketBase}/v1/speak?${query.toString()}`;
    return { key: url, url, headers: { authorization: `Token ${apiKey}` } };
  },
  speak: ({ text }) => [JSON.stringify({ type: "Speak", text }), JSON.stringify({ type: "Flush" })],
  cancel: () => [JSON.stringify({ type: "Clear" })],
  read: (data, { cancelled }) =>
    typeof data === "string" ? readMessage(name, jsonMessage(data), cancelled) : { audio: data },
});

/** A flush may still be confirmed while the vendor clears; only the clearing tells that nothing of the piece comes any more. */
const readMessage = (name: string, message: JsonMessage, cancelled: boolean): Said => {
  switch (message["type"]) {
    case "Flushed":
      return cancelled ? {} : { done: true };
    case "Cleared":
      return cancelled ? { done: true } : {};
    case "Error":
      return { error: new ProviderError(name, kindOf(textIn(message, "code") ?? ""), "refused to speak") };
    default:
      return {};
  }
};

const kindOf = (code: string) => {
  if (/RATE|LIMIT|TOO_MANY/iu.test(code)) return "rate-limited";
  return /AUTH|CREDENTIALS/iu.test(code) ? "auth" : "rejected";
};

const RATES: ReadonlySet<number> = new Set([8000, 16_000, 24_000, 32_000, 48_000]);

/** The line's own format, at one of the vendor's rates. */
export const deepgramFormat = (line: AudioFormat): AudioFormat => {
  if (line.encoding !== "linear16" && line.sampleRate === 8000) return line;
  return { encoding: "linear16", sampleRate: RATES.has(line.sampleRate) ? line.sampleRate : 24_000 };
};
