import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import flite from "../../../src/adapters/synthesizer/flite/flite.ts";
import kokoro from "../../../src/adapters/synthesizer/kokoro/kokoro.ts";
import local from "../../../src/adapters/transcriber/local/local.ts";
import { Converter } from "../../../src/audio/convert.ts";
import { decodeLinear16 } from "../../../src/audio/linear16.ts";
import type { AudioFormat } from "../../../src/model/audio.ts";
import type { ModelFiles } from "../../../src/ports/model-files.ts";
import type { SpeechSynthesizer } from "../../../src/ports/synthesizer.ts";
import type { Transcriber } from "../../../src/ports/transcriber.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";
import { pulledModels, PULL_TIMEOUT_MS } from "../../kit/pulled-models.ts";
import { concat } from "../../kit/tones.ts";
import { Ear } from "../../kit/transcriber-listening.ts";
import { totalWordErrorRate } from "../../kit/word-error-rate.ts";

const SENTENCES = [
  "Thank you for calling the dental office, how can I help you today?",
  "Your appointment is on Friday the third at half past two.",
  "I am sorry, we do not have anything open on Monday morning.",
  "Could you please tell me your full name and your date of birth?",
  "We are located right across from the library.",
  "Just to confirm, you want to cancel the booking for four people.",
  "You will receive a text message with the details.",
  "The doctor will see you between nine and eleven in the morning.",
  "Your order has shipped, and it should arrive within three business days.",
  "Let me check the schedule, one moment please.",
];

const TELEPHONE: AudioFormat = { encoding: "mulaw", sampleRate: 8000 };
const HEARING: AudioFormat = { encoding: "linear16", sampleRate: 16_000 };

let modelFiles: ModelFiles;
let transcriber: Transcriber;
beforeAll(async () => {
  modelFiles = await pulledModels("synthesizer", "transcriber");
  transcriber = await local.create({}, adapterDeps({ modelFiles }));
}, PULL_TIMEOUT_MS);
afterAll(() => transcriber.close());

test("flite is understood over the telephone: at most 10 % of its words are misheard", async () => {
  const synthesizer = await flite.create({}, adapterDeps());
  expect(await misheard(synthesizer, "flite-rms")).toBeLessThanOrEqual(0.1);
  await synthesizer.close();
}, 120_000);

test("Kokoro is understood over the telephone: at most 5 % of its words are misheard", async () => {
  const synthesizer = await kokoro.create({}, adapterDeps({ modelFiles }));
  expect(await misheard(synthesizer, "kokoro-af_heart")).toBeLessThanOrEqual(0.05);
  await synthesizer.close();
}, 180_000);

const misheard = async (synthesizer: SpeechSynthesizer, voiceId: string): Promise<number> => {
  const pairs: { reference: string; hypothesis: string }[] = [];
  for (const reference of SENTENCES)
    pairs.push({ reference, hypothesis: await heard(await spoken(synthesizer, voiceId, reference)) });
  return totalWordErrorRate(pairs);
};

/** One sentence as it sounds at the far end of a telephone line, at 16 kHz. */
const spoken = async (synthesizer: SpeechSynthesizer, voiceId: string, text: string): Promise<Int16Array> => {
  const voice = { voiceId, language: "en-US", options: {} };
  const pieces = (async function* () {
    yield await Promise.resolve(text);
  })();
  const converter = new Converter(TELEPHONE, HEARING);
  const parts: Int16Array[] = [];
  for await (const { audio } of synthesizer.synthesize(pieces, voice, TELEPHONE, new AbortController().signal))
    parts.push(decodeLinear16(converter.convert(audio)).slice());
  converter.close();
  return concat(...parts);
};

const heard = async (sound: Int16Array): Promise<string> => {
  const ear = new Ear(transcriber, new SystemClock());
  ear.hearSpeech(sound, new Int16Array(HEARING.sampleRate / 2));
  await ear.finalize();
  const text = ear.texts.join(" ");
  ear.close();
  return text;
};
