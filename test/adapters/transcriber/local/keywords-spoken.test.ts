import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../../src/adapters/clock/system.ts";
import local from "../../../../src/adapters/transcriber/local/local.ts";
import type { Transcriber } from "../../../../src/ports/transcriber.ts";
import { adapterDeps } from "../../../kit/adapter-deps.ts";
import { PULL_TIMEOUT_MS, pulledModels } from "../../../kit/pulled-models.ts";
import { hiss, makeSpeaker, overTelephone, type Speak } from "../../../kit/spoken.ts";
import { Ear } from "../../../kit/transcriber-listening.ts";
import { KEYWORDS, PLAIN_SENTENCES } from "./plain-sentences.ts";

const clock = new SystemClock();
let transcriber: Transcriber;
let speak: Speak;

beforeAll(async () => {
  transcriber = await local.create({}, adapterDeps({ modelFiles: await pulledModels("transcriber") }));
  speak = await makeSpeaker();
}, PULL_TIMEOUT_MS);

afterAll(() => transcriber.close());

const heard = async (sound: Int16Array, keywords: readonly string[]): Promise<string> => {
  const ear = new Ear(transcriber, clock, undefined, keywords);
  ear.hear(hiss(400, 0.001));
  ear.hearSpeech(sound, hiss(500, 0.001));
  await ear.finalize();
  ear.close();
  return ear.texts.join(" ");
};

const holds = (text: string, keyword: string): boolean =>
  ` ${text.toLowerCase().replaceAll(/[^a-z ]/gu, "")} `.includes(` ${keyword.toLowerCase()} `);

test("far more keywords are heard over 8 kHz µ-law, and none in place of another", async () => {
  let before = 0;
  let after = 0;
  const wrong: string[] = [];
  for (const [index, keyword] of KEYWORDS.entries()) {
    const sound = overTelephone(speak(`I am calling about ${keyword} today.`, index % 2 === 0 ? "rms" : "slt"));
    const plain = await heard(sound, []);
    const text = await heard(sound, KEYWORDS);
    before += Number(holds(plain, keyword));
    after += Number(holds(text, keyword));
    wrong.push(...KEYWORDS.filter((other) => other !== keyword && holds(text, other)));
  }
  expect(after, `of ${KEYWORDS.length}; ${before} without hints`).toBeGreaterThanOrEqual(before + 8);
  expect(wrong).toEqual([]);
}, 240_000);

test("what is heard of sentences without keywords is the same with them", async () => {
  for (const sentence of PLAIN_SENTENCES.filter((_, index) => index % 8 === 0)) {
    const sound = overTelephone(speak(sentence));
    expect(await heard(sound, KEYWORDS)).toBe(await heard(sound, []));
  }
}, 240_000);
