import type { AudioFormat } from "../../../model/audio.ts";
import { kindOfStatus, ProviderError } from "../../../ports/provider-error.ts";
import type { WordTiming } from "../../../ports/synthesizer.ts";
import {
  jsonMessage,
  numbersIn,
  objectIn,
  soundIn,
  textIn,
  textsIn,
  type JsonMessage,
} from "../streaming/json-message.ts";
import type { VendorVoice } from "../streaming/piece-speaker.ts";
import type { Said, Utterance, Wire } from "../streaming/socket-speaker.ts";

/** The version of the vendor's API that is spoken here. */
export const CARTESIA_VERSION = "2026-03-01";

export const DEFAULT_MODEL = "sonic-3.5";

/**
 * Cartesia's websocket. Each piece is a context of its own, because a context ends by itself one second after its last sound, which is
 * less than a model may take for its next words. Voice and format go with each request, so any connection serves any call.
 */
export const cartesiaWire = (name: string, socketBase: string, apiKey: string): Wire => ({
  name,
  target: () => ({
    key: name,
    url: `${socketBase}/tts/websocket?cartesia_version=${CARTESIA_VERSION}`,
    headers: cartesiaHeaders(apiKey),
  }),
  speak: (utterance) => [JSON.stringify(requestOf(utterance))],
  cancel: ({ id }) => [JSON.stringify({ context_id: id, cancel: true })],
  read: (data, utterance) => readMessage(name, jsonMessage(data), utterance),
});

export const cartesiaHeaders = (apiKey: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${apiKey}`,
  "cartesia-version": CARTESIA_VERSION,
});

const requestOf = ({ id, text, voice, format }: Utterance) => ({
  model_id: voice.options["model"] ?? DEFAULT_MODEL,
  transcript: text,
  voice: { mode: "id", id: voice.id },
  language: voice.language.split("-")[0],
  context_id: id,
  output_format: { container: "raw", encoding: ENCODINGS[format.encoding], sample_rate: format.sampleRate },
  add_timestamps: true,
  continue: false,
  ...generationConfig(voice),
});

const generationConfig = ({ options }: VendorVoice) => {
  const { speed, volume, emotion } = options;
  const config = {
    ...(speed === undefined ? {} : { speed: Number(speed) }),
    ...(volume === undefined ? {} : { volume: Number(volume) }),
    ...(emotion === undefined || emotion === "" ? {} : { emotion }),
  };
  return Object.keys(config).length === 0 ? {} : { generation_config: config };
};

const readMessage = (name: string, message: JsonMessage, utterance: Utterance): Said => {
  const context = textIn(message, "context_id");
  // What comes late of a piece that was cancelled.
  if (context !== undefined && context !== utterance.id) return {};
  if (message["type"] === "error") {
    const status = typeof message["status_code"] === "number" ? message["status_code"] : 500;
    const kind = kindOfStatus(status) ?? "unavailable";
    return { error: new ProviderError(name, kind, `refused to speak (status ${status})`) };
  }
  const audio = message["type"] === "chunk" ? soundIn(message, "data") : undefined;
  const times = objectIn(message, "word_timestamps");
  return {
    ...(audio === undefined ? {} : { audio }),
    ...(times === undefined ? {} : { words: wordsOf(times) }),
    ...(message["done"] === true ? { done: true } : {}),
  };
};

/** The vendor's times are seconds from the context's beginning. */
const wordsOf = (times: JsonMessage): readonly WordTiming[] => {
  const starts = numbersIn(times, "start");
  const ends = numbersIn(times, "end");
  return textsIn(times, "words").map((text, index) => {
    const startMs = (starts[index] ?? 0) * 1000;
    return { text, startMs, endMs: Math.max(startMs, (ends[index] ?? 0) * 1000) };
  });
};

const ENCODINGS = { mulaw: "pcm_mulaw", alaw: "pcm_alaw", linear16: "pcm_s16le" } as const;

const RATES: ReadonlySet<number> = new Set([8000, 16_000, 22_050, 24_000, 48_000]);

/** The line's own format, at one of the vendor's rates. */
export const cartesiaFormat = (line: AudioFormat): AudioFormat =>
  RATES.has(line.sampleRate) ? line : { encoding: "linear16", sampleRate: 24_000 };
