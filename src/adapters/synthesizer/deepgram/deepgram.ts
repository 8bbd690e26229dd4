import type { Voice } from "../../../model/voice.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { SpeechSynthesizer } from "../../../ports/synthesizer.ts";
import { jsonMessage, objectIn, objectsIn, textIn, textsIn, type JsonMessage } from "../streaming/json-message.ts";
import { SocketSpeaker } from "../streaming/socket-speaker.ts";
import { socketUrl } from "../streaming/vendor-env.ts";
import { getJson } from "../streaming/vendor-http.ts";
import { vendorVoices, type VoiceAccess } from "../streaming/vendor-voices.ts";
import { deepgramFormat, deepgramWire } from "./wire.ts";

const NAME = "deepgram";

const OPTIONS: NonNullable<Voice["voiceOptions"]> = [
  { id: "speed", name: "Speed", valueType: "FLOAT", default: "1", minimum: 0.7, maximum: 1.5 },
];

/** Voices that have been there for years, for the time in which the vendor's list cannot be had. */
const KNOWN = ["thalia", "andromeda", "helena", "apollo", "arcas", "aries"];

/** Deepgram's Aura voices, by `DEEPGRAM_API_KEY`. */
export default vendorVoices({
  name: NAME,
  prefix: "DEEPGRAM",
  address: "https://api.deepgram.com",
  // Its list of models is open to everybody; what a key may do is not.
  asked: ({ apiKey, baseUrl }) => ({ url: `${rootOf(baseUrl)}/v1/auth/token`, headers: headersOf(apiKey) }),
  speaker: ({ apiKey, baseUrl }, deps) =>
    new SocketSpeaker(deepgramWire(NAME, socketUrl(rootOf(baseUrl)), apiKey), deps),
  otherwise: () => KNOWN.map((voice) => catalogued(`aura-2-${voice}-en`, voice, "", ["en"])),
  list: (access, signal) => fetchVoices(access, signal),
  formatFor: deepgramFormat,
}) satisfies Descriptor<SpeechSynthesizer>;

/** The variable may have the version's path, which the addresses here begin with. */
const rootOf = (baseUrl: string): string => baseUrl.replace(/\/v1$/u, "");

const headersOf = (apiKey: string): Readonly<Record<string, string>> => ({ authorization: `Token ${apiKey}` });

/** The vendor lists its voices as models, each for one language; those of its newest family that this websocket has come first. */
const fetchVoices = async ({ baseUrl, apiKey }: VoiceAccess, signal: AbortSignal): Promise<readonly Voice[]> => {
  const url = `${rootOf(baseUrl)}/v1/models`;
  const answer = jsonMessage(JSON.stringify(await getJson(NAME, url, headersOf(apiKey), signal)));
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
