import type { AudioFormat } from "../../../model/audio.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
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

/** The quickest model; it speaks 32 languages. */
export const DEFAULT_MODEL = "eleven_flash_v2_5";

/** Longest silence between two messages that the vendor can be asked to allow, in seconds; idle connections go earlier. */
const INACTIVITY_SECONDS = 180;

/**
 * ElevenLabs' websocket for several contexts. Each piece is a context of its own, closed as soon as its text was sent, so that the vendor
 * speaks all of it at once and says when it is complete. The voice and the format are in the address, and belong to the connection.
 */
export const elevenLabsWire = (name: string, socketBase: string, apiKey: string): Wire => ({
  name,
  target: (voice, format) => {
    const query = new URLSearchParams({
      model_id: voice.options["model"] ?? DEFAULT_MODEL,
      output_format: outputFormat(format),
      auto_mode: "true",
      inactivity_timeout: String(INACTIVITY_SECONDS),
      sync_alignment: "true",
      ...languageOf(voice),
    });
    const url = `${socketBase}/v1/text-to-speech/${encodeURIComponent(voice.id)}/multi-stream-input?${query.toString()}`;
    return { key: url, url, headers: { "xi-api-key": apiKey } };
  },
  speak: ({ id, text, voice }) => [
    JSON.stringify({ text: " ", context_id: id, voice_settings: voiceSettings(voice.options) }),
    // The vendor wants every text to end with a space.
    JSON.stringify({ text: `${text.trim()} `, context_id: id, flush: true }),
    JSON.stringify({ context_id: id, close_context: true }),
  ],
  read: (data, utterance) => readMessage(name, jsonMessage(data), utterance),
});

const readMessage = (name: string, message: JsonMessage, utterance: Utterance): Said => {
  const error = textIn(message, "error");
  if (error !== undefined) return { error: new ProviderError(name, kindOf(error), "refused to speak") };
  const context = textIn(message, "contextId") ?? textIn(message, "context_id");
  if (context !== undefined && context !== utterance.id) return {};
  const audio = soundIn(message, "audio");
  const alignment = objectIn(message, "alignment") ?? objectIn(message, "normalizedAlignment");
  return {
    ...(audio === undefined ? {} : { audio }),
    ...(alignment === undefined ? {} : { words: wordsOf(alignment, utterance.soundMs) }),
    ...(message["isFinal"] === true || message["is_final"] === true ? { done: true } : {}),
  };
};

/** Characters with their times, which count from the beginning of their own message → words. Of a word that goes on in the next message, the first part is timed. */
const wordsOf = (alignment: JsonMessage, fromMs: number): readonly WordTiming[] => {
  const chars = textsIn(alignment, "chars");
  const starts = numbersIn(alignment, "charStartTimesMs");
  const lasting = [...numbersIn(alignment, "charDurationsMs"), ...numbersIn(alignment, "charsDurationsMs")];
  const words: { text: string; startMs: number; endMs: number }[] = [];
  let open = false;
  for (const [index, char] of chars.entries()) {
    const startMs = fromMs + (starts[index] ?? 0);
    const endMs = startMs + (lasting[index] ?? 0);
    const word = words.at(-1);
    if (/^\s*$/u.test(char)) open = false;
    else if (open && word !== undefined) {
      word.text += char;
      word.endMs = endMs;
    } else {
      words.push({ text: char, startMs, endMs });
      open = true;
    }
  }
  return words;
};

/** Telephone sound as it is, and otherwise the rates that the vendor knows. */
export const elevenLabsFormat = (line: AudioFormat): AudioFormat => {
  if (line.encoding !== "linear16" && line.sampleRate === 8000) return line;
  const sampleRate = [8000, 16_000, 22_050, 24_000, 48_000].includes(line.sampleRate) ? line.sampleRate : 24_000;
  return { encoding: "linear16", sampleRate };
};

const outputFormat = ({ encoding, sampleRate }: AudioFormat): string =>
  ({ mulaw: "ulaw_8000", alaw: "alaw_8000", linear16: `pcm_${sampleRate}` })[encoding];

/** Models that speak one language refuse to be told which. */
const languageOf = ({ options, language }: VendorVoice): Readonly<Record<string, string>> =>
  (options["model"] ?? DEFAULT_MODEL).endsWith("_v2_5") ? { language_code: language.split("-")[0] ?? language } : {};

const SETTINGS = ["stability", "similarity_boost", "style", "speed"];

const voiceSettings = (options: Readonly<Record<string, string>>): Readonly<Record<string, number>> =>
  Object.fromEntries(SETTINGS.flatMap((id) => (options[id] === undefined ? [] : [[id, Number(options[id])]])));

/** The vendor names its errors. */
const kindOf = (error: string) => {
  if (/quota|limit|max_active|busy/u.test(error)) return "rate-limited";
  if (/auth|api_key|permission/u.test(error)) return "auth";
  return /timeout/u.test(error) ? "timeout" : "rejected";
};
