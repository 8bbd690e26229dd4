import type { Voice } from "../../../model/voice.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { SpeechSynthesizer } from "../../../ports/synthesizer.ts";
import { jsonMessage, objectIn, objectsIn, textIn, type JsonMessage } from "../streaming/json-message.ts";
import { SocketSpeaker } from "../streaming/socket-speaker.ts";
import { socketUrl } from "../streaming/vendor-env.ts";
import { getJson } from "../streaming/vendor-http.ts";
import { vendorVoices, type VoiceAccess } from "../streaming/vendor-voices.ts";
import { DEFAULT_MODEL, elevenLabsFormat, elevenLabsWire } from "./wire.ts";

const NAME = "elevenlabs";

/** The vendor gives at most a hundred voices at a time. */
const PAGE = 100;

const MOST_PAGES = 20;

const OPTIONS: NonNullable<Voice["voiceOptions"]> = [
  {
    id: "model",
    name: "Model",
    valueType: "STRING",
    default: DEFAULT_MODEL,
    choices: [DEFAULT_MODEL, "eleven_flash_v2", "eleven_turbo_v2_5", "eleven_turbo_v2", "eleven_multilingual_v2"],
  },
  { id: "stability", name: "Stability", valueType: "FLOAT", default: "0.5", minimum: 0, maximum: 1 },
  { id: "similarity_boost", name: "Similarity", valueType: "FLOAT", default: "0.75", minimum: 0, maximum: 1 },
  { id: "style", name: "Style", valueType: "FLOAT", default: "0", minimum: 0, maximum: 1 },
  { id: "speed", name: "Speed", valueType: "FLOAT", default: "1", minimum: 0.7, maximum: 1.2 },
];

/** What the default model speaks, from the vendor's list of its models. */
const LANGUAGES =
  "en ja zh de hi fr ko pt it es id nl tr fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru hu no nb vi".split(" ");

/** ElevenLabs' voices, those of the account among them, by `ELEVENLABS_API_KEY`. */
export default vendorVoices({
  name: NAME,
  prefix: "ELEVENLABS",
  address: "https://api.elevenlabs.io",
  asked: ({ apiKey, baseUrl }) => ({ url: `${baseUrl}/v2/voices?page_size=1`, headers: { "xi-api-key": apiKey } }),
  speaker: ({ apiKey, baseUrl }, deps) => new SocketSpeaker(elevenLabsWire(NAME, socketUrl(baseUrl), apiKey), deps),
  list: (access, signal) => fetchVoices(access, signal),
  formatFor: elevenLabsFormat,
}) satisfies Descriptor<SpeechSynthesizer>;

const fetchVoices = async ({ baseUrl, apiKey }: VoiceAccess, signal: AbortSignal): Promise<readonly Voice[]> => {
  const voices: Voice[] = [];
  let token: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({
      page_size: String(PAGE),
      ...(token === undefined ? {} : { next_page_token: token }),
    });
    const url = `${baseUrl}/v2/voices?${query.toString()}`;
    const answer = jsonMessage(JSON.stringify(await getJson(NAME, url, { "xi-api-key": apiKey }, signal)));
    voices.push(...objectsIn(answer, "voices").flatMap((voice) => catalogued(voice)));
    token = textIn(answer, "next_page_token");
    if (answer["has_more"] !== true || token === undefined) break;
  }
  return voices;
};

/** Any voice speaks all languages of its model. */
const catalogued = (voice: JsonMessage): readonly Voice[] => {
  const id = textIn(voice, "voice_id");
  if (id === undefined) return [];
  const labels = objectIn(voice, "labels") ?? {};
  const described = ["accent", "gender", "age"].flatMap((label) => textIn(labels, label) ?? []).join(", ");
  return [
    {
      id: `${NAME}-${id}`,
      name: textIn(voice, "name") ?? id,
      voiceType: NAME,
      voiceTier: "PREMIUM",
      description: textIn(voice, "description") ?? described,
      languages: LANGUAGES,
      voiceOptions: OPTIONS,
    },
  ];
};
