import { toWireFormat } from "../grpc/formats.ts";
import type { DescribeResponse } from "../grpc/generated/callengine/models/v1/DescribeResponse.ts";
import { toWireOptions } from "../grpc/options.ts";
import { sameFormat, type AudioFormat } from "../model/audio.ts";
import type { SpeechSynthesizer } from "../ports/synthesizer.ts";
import { VOICE_PREFIX, type ServedEngines } from "./engines.ts";

/** What the engines can do, in the words of the protocol. */
export const describeEngines = ({
  transcriber,
  synthesizers,
  turnDetector,
  models,
}: ServedEngines): DescribeResponse => {
  const names = [transcriber, ...synthesizers, turnDetector, ...models].flatMap((engine) => engine?.name ?? []);
  const offered = models.flatMap((model) => model.models);
  return {
    name: names.join(", "),
    ...(transcriber === undefined
      ? {}
      : {
          transcriber: {
            languages: LANGUAGES.filter((tag) => transcriber.supports(tag)),
            finalMs: transcriber.finalMs ?? 0,
          },
        }),
    ...(synthesizers.length === 0 ? {} : { synthesizer: describeVoices(synthesizers) }),
    ...(turnDetector === undefined ? {} : { turnDetector: { windowMs: turnDetector.windowMs } }),
    ...(offered.length === 0
      ? {}
      : {
          generator: {
            models: offered.map(({ id, name, modelOptions }) => ({ id, name, options: toWireOptions(modelOptions) })),
          },
        }),
  };
};

const describeVoices = (synthesizers: readonly SpeechSynthesizer[]) => ({
  languages: LANGUAGES.filter((tag) => synthesizers.some((one) => one.supports(tag))),
  voices: synthesizers.flatMap(({ voices }) =>
    voices.map(({ id, name, description, voiceOptions }) => ({
      id: `${VOICE_PREFIX}${id}`,
      name,
      description,
      options: toWireOptions(voiceOptions),
    })),
  ),
  formats: FORMATS.filter((format) => synthesizers.every((one) => sameFormat(one.formatFor(format), format))).map(
    toWireFormat,
  ),
  firstAudioDeadlineMs: Math.max(...synthesizers.map((one) => one.firstAudioDeadlineMs)),
});

/** The languages that providers commonly speak; engines tell of one at a time whether they know it. */
const LANGUAGES = "en de fr es it pt nl pl ru uk tr ar hi ja ko zh sv da nb fi cs el he hu id ms ro th vi".split(" ");

const FORMATS: readonly AudioFormat[] = [
  { encoding: "linear16", sampleRate: 16_000 },
  { encoding: "mulaw", sampleRate: 8000 },
  { encoding: "alaw", sampleRate: 8000 },
  { encoding: "linear16", sampleRate: 8000 },
  { encoding: "linear16", sampleRate: 24_000 },
  { encoding: "linear16", sampleRate: 48_000 },
];
