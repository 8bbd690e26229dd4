import type { Voice } from "../../../model/voice.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { SpeechSynthesizer } from "../../../ports/synthesizer.ts";
import { jsonMessage, objectsIn, textIn, type JsonMessage } from "../streaming/json-message.ts";
import { SocketSpeaker } from "../streaming/socket-speaker.ts";
import { socketUrl } from "../streaming/vendor-env.ts";
import { getJson } from "../streaming/vendor-http.ts";
import { vendorVoices, type VoiceAccess } from "../streaming/vendor-voices.ts";
import { cartesiaFormat, cartesiaHeaders, cartesiaWire, DEFAULT_MODEL } from "./wire.ts";

const NAME = "cartesia";

/** The vendor gives at most a hundred voices at a time. */
const PAGE = 100;

const MOST_PAGES = 20;

const OPTIONS: NonNullable<Voice["voiceOptions"]> = [
  {
    id: "model",
    name: "Model",
    valueType: "STRING",
    default: DEFAULT_MODEL,
    choices: [DEFAULT_MODEL, "sonic-3", "sonic-latest", "sonic-turbo"],
  },
  { id: "speed", name: "Speed", valueType: "FLOAT", default: "1", minimum: 0.6, maximum: 1.5 },
  { id: "volume", name: "Volume", valueType: "FLOAT", default: "1", minimum: 0.5, maximum: 2 },
  { id: "emotion", name: "Emotion", valueType: "STRING", default: "" },
];

/** Cartesia's voices, those of the account among them, by `CARTESIA_API_KEY`. */
export default vendorVoices({
  name: NAME,
  prefix: "CARTESIA",
  address: "https://api.cartesia.ai",
  asked: ({ apiKey, baseUrl }) => ({ url: `${baseUrl}/voices?limit=1`, headers: cartesiaHeaders(apiKey) }),
  speaker: ({ apiKey, baseUrl }, deps) => new SocketSpeaker(cartesiaWire(NAME, socketUrl(baseUrl), apiKey), deps),
  list: (access, signal) => fetchVoices(access, signal),
  formatFor: cartesiaFormat,
}) satisfies Descriptor<SpeechSynthesizer>;

const fetchVoices = async ({ baseUrl, apiKey }: VoiceAccess, signal: AbortSignal): Promise<readonly Voice[]> => {
  const voices: Voice[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({
      limit: String(PAGE),
      ...(after === undefined ? {} : { starting_after: after }),
    });
    const url = `${baseUrl}/voices?${query.toString()}`;
    const answer = jsonMessage(JSON.stringify(await getJson(NAME, url, cartesiaHeaders(apiKey), signal)));
    const found = objectsIn(answer, "data");
    voices.push(...found.flatMap((voice) => catalogued(voice)));
    after = textIn(found.at(-1) ?? {}, "id");
    if (answer["has_more"] !== true || after === undefined) break;
  }
  return voices;
};

const catalogued = (voice: JsonMessage): readonly Voice[] => {
  const id = textIn(voice, "id");
  if (id === undefined) return [];
  const language = textIn(voice, "language");
  return [
    {
      id: `${NAME}-${id}`,
      name: textIn(voice, "name") ?? id,
      voiceType: NAME,
      voiceTier: "PREMIUM",
      description: textIn(voice, "description") ?? "",
      ...(language === undefined ? {} : { languages: [language] }),
      voiceOptions: OPTIONS,
    },
  ];
};
