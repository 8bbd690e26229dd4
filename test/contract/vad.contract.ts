import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import type { VoiceActivityDetector } from "../../src/ports/vad.ts";
import { HEARING_RATE } from "../../src/ports/vad.ts";
import { watchForLeaks } from "../kit/leaks.ts";
import { hiss, makeSpeaker } from "../kit/spoken.ts";
import { concat, silence } from "../kit/tones.ts";
import { listenTo } from "../kit/vad-listening.ts";

const SENTENCE = "I would like to move my appointment to Thursday.";

/** Everything that every voice activity detector owes its callers. `make` answers one that is ready to listen. */
export const vadContract = (name: string, make: () => Promise<VoiceActivityDetector>, setUpMs = 60_000): void => {
  describe(`${name} as a voice activity detector`, () => {
    let detector: VoiceActivityDetector;
    let speech: Int16Array;
    let checkLeaks: (deadlineMs?: number) => Promise<void>;
    const clock = new SystemClock();
    const quiet = (ms: number) => hiss(ms, 0.001);

    beforeAll(async () => {
      speech = (await makeSpeaker())(SENTENCE);
      checkLeaks = watchForLeaks();
      detector = await make();
    }, setUpMs);

    afterAll(async () => {
      await detector.close();
      await detector.close();
      await checkLeaks();
    });

    test("answers windows in order, each once, with true times, whatever the size of the pieces", async () => {
      for (const piece of [1, 160, 320, 511, 512, 4000]) {
        const { answers } = await listenTo(detector, clock, concat(quiet(320), silence(100, HEARING_RATE)), piece);
        const times = answers.map(({ endMs }) => endMs);
        const window = times[0] ?? 0;
        expect(window).toBeGreaterThan(0);
        expect(times).toEqual(times.map((_, index) => (index + 1) * window));
        expect(times.at(-1)).toBeGreaterThan(420 - window);
        expect(times.at(-1)).toBeLessThanOrEqual(420);
      }
    });

    test("answers probabilities between 0 and 1, high while somebody speaks and low when nobody does", async () => {
      const { answers } = await listenTo(detector, clock, concat(quiet(1500), speech, quiet(1500)));
      expect(answers.every(({ probability }) => probability >= 0 && probability <= 1)).toBe(true);
      const speechEndMs = 1500 + speech.length / 16;
      const before = answers.filter(({ endMs }) => endMs <= 1400);
      const during = answers.filter(({ endMs }) => endMs > 1700 && endMs < speechEndMs - 200);
      const after = answers.filter(({ endMs }) => endMs > speechEndMs + 400);
      expect(before.length).toBeGreaterThan(30);
      expect(after.length).toBeGreaterThan(20);
      expect(before.filter(({ probability }) => probability >= 0.5)).toEqual([]);
      expect(after.filter(({ probability }) => probability >= 0.5)).toEqual([]);
      expect(during.filter(({ probability }) => probability >= 0.5).length).toBeGreaterThan(0.6 * during.length);
    });

    test("finds the onset within 160 ms of the first voiced sound", async () => {
      const { answers } = await listenTo(detector, clock, concat(quiet(1500), speech));
      const voicedFromMs = 1500 + speech.findIndex((sample) => Math.abs(sample) > 1000) / 16;
      const onset = answers.find(({ probability }) => probability >= 0.5)?.endMs ?? Infinity;
      expect(onset).toBeGreaterThan(1500);
      expect(onset - voicedFromMs).toBeLessThan(160);
    });

    test("keeps streams apart: one hears speech while the other hears silence", async () => {
      const [spoken, silent] = await Promise.all([
        listenTo(detector, clock, concat(quiet(500), speech)),
        listenTo(detector, clock, quiet(500 + Math.round(speech.length / 16))),
      ]);
      expect(spoken.answers.some(({ probability }) => probability > 0.8)).toBe(true);
      expect(silent.answers.filter(({ probability }) => probability >= 0.5)).toEqual([]);
    });

    test("copies the sound before push returns", async () => {
      const sound = concat(quiet(500), speech, quiet(500));
      const kept = await listenTo(detector, clock, sound);
      const reused = await listenTo(detector, clock, sound, 320, { reuse: true });
      expect(reused.answers).toEqual(kept.answers);
    });

    test("says nothing more after close, and close may come twice", async () => {
      const heard: number[] = [];
      const listener = {
        probability: (probability: number) => heard.push(probability),
        failed: () => heard.push(-1),
      };
      const closed = detector.open(listener);
      closed.push(speech.subarray(0, 8000));
      closed.close();
      closed.close();
      closed.push(speech.subarray(0, 8000));
      await listenTo(detector, clock, quiet(500));
      expect(heard).toEqual([]);
    });
  });
};
