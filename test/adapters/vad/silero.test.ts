import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { SileroDetector } from "../../../src/adapters/vad/silero/detector.ts";
import silero from "../../../src/adapters/vad/silero/silero.ts";
import { withDeadline } from "../../../src/ports/clock.ts";
import type { ModelFiles } from "../../../src/ports/model-files.ts";
import { vadContract } from "../../contract/vad.contract.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";
import { PULL_TIMEOUT_MS, pulledModels } from "../../kit/pulled-models.ts";
import type { Speak } from "../../kit/spoken.ts";
import { hiss, makeSpeaker, overTelephone } from "../../kit/spoken.ts";
import { concat, silence, tone } from "../../kit/tones.ts";
import { listenTo } from "../../kit/vad-listening.ts";

const clock = new SystemClock();
let modelFiles: ModelFiles;
let modelPath: string;
let speak: Speak;
let detector: SileroDetector;

beforeAll(async () => {
  modelFiles = await pulledModels("vad");
  modelPath = (await modelFiles.find("silero-v6.onnx")) ?? "";
  speak = await makeSpeaker();
  detector = new SileroDetector(modelPath, clock);
  await detector.start();
}, PULL_TIMEOUT_MS);

afterAll(() => detector.close());

vadContract(
  "silero",
  async () => silero.create({}, adapterDeps({ clock, modelFiles: await pulledModels("vad") })),
  PULL_TIMEOUT_MS,
);

const voiced = async (sound: Int16Array): Promise<number> => {
  const { answers } = await listenTo(detector, clock, sound);
  return answers.filter(({ probability }) => probability >= 0.5).length;
};

test("telephone speech at 10 dB of noise is found, in every voice", async () => {
  for (const voice of ["rms", "kal16", "slt"] as const) {
    const speech = speak("Please call me back tomorrow at noon.", voice);
    const level = Math.sqrt(speech.reduce((sum, sample) => sum + sample * sample, 0) / speech.length) / 32_767;
    const noise = hiss(1000 + Math.round(speech.length / 16) + 1000, level * 10 ** (-10 / 20) * Math.sqrt(3));
    const sound = noise.map((sample, index) => sample + (speech[index - 16_000] ?? 0));
    const { answers } = await listenTo(detector, clock, overTelephone(sound));
    const onset = answers.find(({ probability }) => probability >= 0.5)?.endMs ?? Infinity;
    expect(onset).toBeGreaterThan(1000);
    const voicedFromMs = 1000 + speech.findIndex((sample) => Math.abs(sample) > 1000) / 16;
    expect(onset - voicedFromMs).toBeLessThan(250);
    expect(answers.filter(({ probability }) => probability >= 0.5).length).toBeGreaterThan(20);
  }
});

test("silence, hiss, hum, tones and clicks are not speech", async () => {
  const clicks = silence(4000, 16_000).map((_, index) =>
    index % 11_000 < 60 ? 20_000 * (index % 2 === 0 ? 1 : -1) : 0,
  );
  const busy = concat(...Array.from({ length: 4 }, () => concat(tone(480, 500, 16_000, 0.3), silence(500, 16_000))));
  expect(await voiced(silence(4000, 16_000))).toBe(0);
  expect(await voiced(hiss(4000, 0.01))).toBe(0);
  expect(await voiced(overTelephone(hiss(4000, 0.1)))).toBe(0);
  expect(await voiced(tone(50, 4000, 16_000, 0.2))).toBe(0);
  expect(await voiced(overTelephone(busy))).toBe(0);
  expect(await voiced(clicks)).toBe(0);
});

test("many streams at once are answered as one alone would be", async () => {
  const sound = concat(hiss(300, 0.001), speak("One, two, three."), hiss(300, 0.001));
  const alone = await listenTo(detector, clock, sound);
  const together = await Promise.all(
    Array.from({ length: 12 }, (_, index) => listenTo(detector, clock, sound, 200 + 40 * index)),
  );
  for (const { answers } of together) {
    expect(answers).toHaveLength(alone.answers.length);
    // A batch adds up in another order than a single window does.
    for (const [index, { probability }] of answers.entries())
      expect(probability).toBeCloseTo(alone.answers[index]?.probability ?? -1, 3);
  }
});

/** Every window is answered before the next one is there, as on a line. */
const inRealTime = async (sound: Int16Array) => {
  const answers: { probability: number; endMs: number }[] = [];
  let answered = Promise.withResolvers<void>();
  const stream = detector.open({
    probability: (probability, endMs) => {
      answers.push({ probability, endMs });
      answered.resolve();
    },
    failed: (error) => answered.reject(error),
  });
  for (let at = 0; at + 512 <= sound.length; at += 512) {
    answered = Promise.withResolvers<void>();
    stream.push(sound.subarray(at, at + 512));
    await withDeadline(clock, 10_000, "an answer", answered.promise);
  }
  stream.close();
  return answers;
};

test("speech after a long stillness is found as soon as after faint noise, in which every window is looked at", async () => {
  for (const voice of ["rms", "slt"] as const) {
    const speech = speak("Please call me back tomorrow at noon.", voice);
    const still = concat(silence(4000, 16_000), speech, silence(3008, 16_000), speech);
    const noise = hiss(Math.ceil(still.length / 16), 0.0012);
    const noisy = still.map((sample, index) => sample + (noise[index] as number));
    const after = await inRealTime(still);
    const among = await inRealTime(noisy);
    const onsets = (answers: typeof after) =>
      answers.filter(
        ({ probability }, at) =>
          probability >= 0.5 && answers.slice(Math.max(0, at - 20), at).every((before) => before.probability < 0.5),
      );
    expect(after.map(({ endMs }) => endMs)).toEqual(among.map(({ endMs }) => endMs));
    expect(onsets(after)).toHaveLength(onsets(among).length);
    for (const [index, { endMs }] of onsets(after).entries())
      expect(endMs - (onsets(among)[index]?.endMs ?? 0)).toBeLessThanOrEqual(32);
    expect(after.filter(({ probability }) => probability === 0).length).toBeGreaterThan(150);
  }
});

test("a stream that is more than a second behind fails once, and the others go on", async () => {
  const failures: Error[] = [];
  const flooded = detector.open({ probability: () => undefined, failed: (error) => failures.push(error) });
  for (let second = 0; second < 6; second++) flooded.push(hiss(1000, 0.01));
  expect(failures).toHaveLength(1);
  expect(failures[0]?.message).toContain("behind");
  const { answers } = await listenTo(detector, clock, hiss(500, 0.01));
  expect(answers.length).toBe(15);
});

test("when the worker dies every stream fails once, and the next stream has a new worker", async () => {
  const broken = new SileroDetector("/nonexistent/silero-v6.onnx", clock);
  const failures: Error[] = [];
  const failed = [0, 1].map(
    () =>
      new Promise<void>((resolve) => {
        broken.open({
          probability: () => undefined,
          failed: (error) => {
            failures.push(error);
            resolve();
          },
        });
      }),
  );
  await Promise.all(failed);
  expect(failures).toHaveLength(2);
  await expect(listenTo(broken, clock, hiss(500, 0.01))).rejects.toThrow("worker");
  await expect(broken.start()).rejects.toThrow("worker");
  await broken.close();
});

test("without its file it says how to get it", async () => {
  expect(await silero.available({}, adapterDeps({ clock }))).toContain("models pull");
});
