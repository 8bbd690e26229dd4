import { afterAll, beforeAll, describe } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import cartesia from "../../../src/adapters/synthesizer/cartesia/cartesia.ts";
import deepgram from "../../../src/adapters/synthesizer/deepgram/deepgram.ts";
import elevenlabs from "../../../src/adapters/synthesizer/elevenlabs/elevenlabs.ts";
import openai from "../../../src/adapters/synthesizer/openai/openai.ts";
import { synthesizerContract } from "../../contract/synthesizer.contract.ts";
import { vendorSynthesizerContract, type VendorUnderTest } from "../../contract/vendor-synthesizer.contract.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";
import {
  answerSpeech,
  cartesia as cartesiaWire,
  deepgram as deepgramWire,
  elevenLabs,
  openAi,
} from "../../kit/speech-servers/dialects.ts";
import { KEY, SpeechServer } from "../../kit/speech-servers/speech-server.ts";

const VENDORS: readonly (VendorUnderTest & Readonly<{ wordTimes: boolean }>)[] = [
  {
    descriptor: elevenlabs,
    dialect: elevenLabs,
    prefix: "ELEVENLABS",
    voiceId: "elevenlabs-voice0",
    telephone: true,
    wordTimes: true,
  },
  {
    descriptor: cartesia,
    dialect: cartesiaWire,
    prefix: "CARTESIA",
    voiceId: "cartesia-voice0",
    telephone: true,
    wordTimes: true,
  },
  {
    descriptor: deepgram,
    dialect: deepgramWire,
    prefix: "DEEPGRAM",
    voiceId: "deepgram-aura-2-thalia-en",
    telephone: true,
    wordTimes: false,
  },
  {
    descriptor: openai,
    dialect: openAi,
    prefix: "OPENAI",
    path: "/v1",
    voiceId: "openai-marin",
    telephone: false,
    http: true,
    wordTimes: false,
  },
];

for (const vendor of VENDORS) {
  const { descriptor, dialect, prefix, path = "", wordTimes } = vendor;
  describe(`${descriptor.name} against its server`, () => {
    let server: SpeechServer;
    beforeAll(async () => {
      server = await SpeechServer.start(dialect, dialect === openAi ? answerSpeech : undefined);
    });
    afterAll(() => server.close());
    synthesizerContract(descriptor.name, {
      make: () => {
        const env = { [`${prefix}_API_KEY`]: KEY, [`${prefix}_BASE_URL`]: `${server.url}${path}` };
        return descriptor.create(env, adapterDeps({ clock: new SystemClock() }));
      },
      threads: 0,
      wordTimes,
    });
  });
  vendorSynthesizerContract(vendor);
}
