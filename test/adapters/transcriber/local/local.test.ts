import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import local from "../../../../src/adapters/transcriber/local/local.ts";
import type { ModelFiles } from "../../../../src/ports/model-files.ts";
import type { Transcriber } from "../../../../src/ports/transcriber.ts";
import { transcriberContract } from "../../../contract/transcriber.contract.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { PULL_TIMEOUT_MS, pulledModels } from "../../../kit/pulled-models.ts";
import type { Speak } from "../../../kit/spoken.ts";
import { hiss, makeSpeaker, overTelephone } from "../../../kit/spoken.ts";
import { concat, silence, tone } from "../../../kit/tones.ts";
import { Ear } from "../../../kit/transcriber-listening.ts";
import { totalWordErrorRate } from "../../../kit/word-error-rate.ts";

/** Sentences of the kind that callers say. */
const SENTENCES = [
  "I would like to book an appointment for next Tuesday.",
  "Can you tell me what time you open on Saturday?",
  "My name is Robert Miller and I am calling about my order.",
  "No, thank you, that is everything for today.",
  "I need to cancel my reservation for tomorrow evening.",
  "Could you please repeat the address?",
  "The best number to reach me is five five five, two three four.",
  "Yes, half past three would be perfect.",
];

const clock = new SystemClock();
let modelFiles: ModelFiles;
let transcriber: Transcriber;
let speak: Speak;

beforeAll(async () => {
  modelFiles = await pulledModels("transcriber");
  transcriber = await local.create({}, adapterDeps({ modelFiles }));
  speak = await makeSpeaker();
}, PULL_TIMEOUT_MS);

afterAll(() => transcriber.close());

transcriberContract(
  "local",
  async () => local.create({}, adapterDeps({ modelFiles: await pulledModels("transcriber") })),
  PULL_TIMEOUT_MS,
);

test("at most one word in ten is wrong over 8 kHz µ-law", async () => {
  const pairs: { reference: string; hypothesis: string }[] = [];
  for (const reference of SENTENCES) {
    const ear = new Ear(transcriber, clock);
    ear.hear(hiss(600, 0.001));
    ear.hearSpeech(overTelephone(speak(reference)), hiss(500, 0.001));
    await ear.finalize();
    pairs.push({ reference, hypothesis: ear.texts.join(" ") });
    ear.close();
  }
  expect(totalWordErrorRate(pairs)).toBeLessThanOrEqual(0.1);
});

test("noise, tones and music-like sound become no words, even when a detector takes them for speech", async () => {
  const melody = concat(
    ...[262, 330, 392, 523, 440, 349, 294, 262].map((frequency) => tone(frequency, 250, 16_000, 0.3)),
  );
  const busy = concat(...Array.from({ length: 3 }, () => concat(tone(480, 500, 16_000, 0.3), silence(500, 16_000))));
  for (const sound of [hiss(2000, 0.2), tone(440, 2000, 16_000, 0.3), melody, busy]) {
    const ear = new Ear(transcriber, clock);
    ear.hearSpeech(overTelephone(sound), silence(400, 16_000));
    await ear.finalize();
    expect(ear.said).toEqual([{ type: "flushed" }]);
    ear.close();
  }
});

test("a pause inside a sentence leaves one utterance whose later text replaces the earlier", async () => {
  const ear = new Ear(transcriber, clock);
  ear.hear(hiss(500, 0.001));
  ear.hearSpeech(overTelephone(speak("I would like to book")), hiss(700, 0.001));
  await ear.finalize();
  expect(ear.texts).toHaveLength(1);
  ear.hearSpeech(overTelephone(speak("a table for two.")), hiss(700, 0.001));
  await ear.finalize();
  expect(ear.texts).toHaveLength(1);
  expect(ear.texts[0]?.toLowerCase()).toContain("book a table for two");
  ear.close();
});

test("English is heard and nothing else", () => {
  expect(["en", "en-US", "en-gb"].map((tag) => transcriber.supports(tag))).toEqual([true, true, true]);
  expect(["de-DE", "es", "eng", ""].map((tag) => transcriber.supports(tag))).toEqual([false, false, false, false]);
});

test("where only the smaller model is, that one is used and a warning says so", async () => {
  const warnings: string[] = [];
  const logger = { ...adapterDeps().logger, warn: (message: string) => warnings.push(message) };
  const onlyTiny: ModelFiles = {
    find: async (name) => (name.includes("base") ? undefined : modelFiles.find(name)),
    derive: (name, sources, make) => modelFiles.derive(name, sources, make),
  };
  expect(await local.available({}, adapterDeps({ modelFiles: onlyTiny }))).toBe(true);
  const tiny = await local.create({}, adapterDeps({ modelFiles: onlyTiny, logger }));
  const ear = new Ear(tiny, clock);
  ear.hearSpeech(overTelephone(speak("Please call me back.")), hiss(500, 0.001));
  await ear.finalize();
  expect(ear.texts.join(" ").toLowerCase()).toContain("call me back");
  expect(warnings).toHaveLength(1);
  await tiny.close();
});

test("without its files it says how to get them", async () => {
  expect(await local.available({}, adapterDeps())).toContain("models pull");
});
