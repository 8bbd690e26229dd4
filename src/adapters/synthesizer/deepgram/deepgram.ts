import type { Voice } from "../../../model/voice.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { SpeechSynthesizer } from "../../../ports/synthesizer.ts";
import { jsonMessage, objectIn, objectsIn, textIn, textsIn, type JsonMessage } from "../streaming/json-message.ts";
import { SocketSpeaker } from "../streaming/socket-speaker.ts";
import { socketUrl, vendorVariables } from "../streaming/vendor-env.ts";
import { getJson } from "../streaming/vendor-http.ts";
import { VendorSynthesizer } from "../streaming/vendor-synthesizer.ts";
import { VoiceList } from "../streaming/voice-list.ts";
import { deepgramFormat, deepgramWire } from "./wire.ts";

const NAME = "deepgram";

const VARIABLES = vendorVariables("DEEPGRAM", "https://api.deepgram.com");

const OPTIONS: NonNullable<Voice["voiceOptions"]> = [
  { id: "speed", name: "Speed", valueType: "FLOAT", default: "1", minimum: 0.7, maximum: 1.5 },
];

/** Voices that have been there for years, for the time in which the vendor's list cannot be had. */
const KNOWN = ["thalia", "andromeda", "helena", "apollo", "arcas", "aries"];

/** Deepgram's Aura voices, by `DEEPGRAM_API_KEY`. */
export default {
  name: NAME,
  env: VARIABLES.schema,
  available: (env) => Promise.resolve(VARIABLES.check(env)),
  check: async (env, _deps, signal) => {
    const { apiKey, baseUrl } = VARIABLES.read(env);
    // Its list of models is open to everybody; what a key may do is not.
    const url = `${baseUrl.replace(/\/v1$/u, "")}/v1/auth/token`;
    await getJson(NAME, url, { authorization: `Token ${apiKey}` }, signal);
  },
  create: async (env, deps): Promise<SpeechSynthesizer> => {
    const { apiKey, baseUrl: given } = VARIABLES.read(env);
    const baseUrl = given.replace(/\/v1$/u, "");
    const fetch = (signal: AbortSignal) => fetchVoices(baseUrl, apiKey, signal);
    const otherwise = KNOWN.map((voice) => catalogued(`aura-2-${voice}-en`, voice, "", ["en"]));
    return new VendorSynthesizer({
      name: NAME,
      speaker: new SocketSpeaker(deepgramWire(NAME, socketUrl(baseUrl), apiKey), deps),
      voices: await VoiceList.open({ name: NAME, otherwise, fetch }, deps),
      formatFor: deepgramFormat,
    });
  },
} satisfies Descriptor<SpeechSynthesizer>;

/** The vendor lists its voices as models, each for one language; those of its newest family that this websocket has come first. */
const fetchVoices = async (baseUrl: string, apiKey: string, signal: AbortSignal): Promise<readonly Voice[]> => {
  const url = `${baseUrl}/v1/models`;
  const answer = jsonMessage(JSON.stringify(await getJson(NAME, url, { authorization: `Token ${apiKey}` }, signal)));
  const voices = objectsIn(answer, "tts").flatMap((model) => voiceOf(model));
  const rank = ({ id }: Voice) => Number(!id.startsWith(`${NAME}-aura-2-`));
  return voices.toSorted((a, b) => rank(a) - rank(b));
};

const voiceOf = (model: JsonMessage): readonly Voice[] => {
  const id = textIn(model, "canonical_name");
  if (id === undefined || !id.startsWith("aura-")) return [];
  const metadata = objectIn(model, "metadata") ?? {};
  const described = [textIn(metadata, "accent"), ...textsIn(metadata, "tags")].filter((one) => one !== undefined);
  const name = textIn(metadata, "display_name") ?? textIn(model, "name") ?? id;
  return [catalogued(id, name, described.join(", "), textsIn(model, "languages"))];
};

const catalogued = (id: string, name: string, description: string, languages: readonly string[]): Voice => ({
  id: `${NAME}-${id}`,
  name: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
  voiceType: NAME,
  voiceTier: "PREMIUM",
  description,
  languages: [...languages],
  voiceOptions: OPTIONS,
});
