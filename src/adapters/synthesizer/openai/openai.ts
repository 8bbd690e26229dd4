import type { Voice } from "../../../model/voice.ts";
import type { Descriptor } from "../../../ports/descriptor.ts";
import type { SpeechSynthesizer } from "../../../ports/synthesizer.ts";
import { vendorVoices } from "../streaming/vendor-voices.ts";
import { DEFAULT_MODEL, HttpSpeaker, OPENAI_FORMAT } from "./http-speaker.ts";

const NAME = "openai";

/** The vendor has no list of its voices; these are all that its reference names. The first two are the ones it recommends. */
const VOICES = [
  "marin",
  "cedar",
  "alloy",
  "ash",
  "ballad",
  "coral",
  "echo",
  "fable",
  "nova",
  "onyx",
  "sage",
  "shimmer",
  "verse",
];

/** What the models speak, from the vendor's guide. */
const LANGUAGES = (
  "en af ar hy az be bs bg ca zh hr cs da nl et fi fr gl de el he hi hu is id it ja kn kk ko lv lt mk ms mr mi ne no nb fa pl pt ro ru " +
  "sr sk sl es sw sv tl fil ta th tr uk ur vi cy"
).split(" ");

const OPTIONS: NonNullable<Voice["voiceOptions"]> = [
  {
    id: "model",
    name: "Model",
    valueType: "STRING",
    default: DEFAULT_MODEL,
    choices: [DEFAULT_MODEL, "tts-1", "tts-1-hd"],
  },
  { id: "speed", name: "Speed", valueType: "FLOAT", default: "1", minimum: 0.25, maximum: 4 },
  { id: "instructions", name: "How to speak", valueType: "STRING", default: "" },
];

/** OpenAI's voices, by `OPENAI_API_KEY`. */
export default vendorVoices({
  name: NAME,
  prefix: "OPENAI",
  // The vendor's address for everything, as its language models use it too.
  address: "https://api.openai.com/v1",
  asked: ({ apiKey, baseUrl }) => ({ url: `${baseUrl}/models`, headers: { authorization: `Bearer ${apiKey}` } }),
  speaker: ({ apiKey, baseUrl }, { clock }) => new HttpSpeaker(NAME, baseUrl, apiKey, clock),
  otherwise: () => VOICES.map(catalogued),
  formatFor: () => OPENAI_FORMAT,
}) satisfies Descriptor<SpeechSynthesizer>;

const catalogued = (id: string): Voice => ({
  id: `${NAME}-${id}`,
  name: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
  voiceType: NAME,
  voiceTier: "PREMIUM",
  description: "",
  languages: LANGUAGES,
  voiceOptions: OPTIONS,
});
