import fc from "fast-check";
import { expect, test } from "vitest";
import { SILENCE_DBFS, applyGain, levelDbfs } from "../../src/audio/level.ts";
import { silence, tone, toneSnrDb } from "../kit/tones.ts";

test("levels are those of the textbook", () => {
  expect(levelDbfs(tone(1000, 1000, 8000, 1))).toBeCloseTo(-3.01, 1);
  expect(levelDbfs(tone(1000, 1000, 8000, 0.1))).toBeCloseTo(-23.01, 1);
  expect(levelDbfs(silence(20, 8000))).toBe(SILENCE_DBFS);
  expect(levelDbfs(new Int16Array(0))).toBe(SILENCE_DBFS);
});

test("gain changes the level by as many decibels and nothing else while there is room", () => {
  const quiet = tone(440, 500, 8000, 0.05);
  const louder = applyGain(quiet, 20);
  expect(levelDbfs(louder) - levelDbfs(quiet)).toBeCloseTo(20, 1);
  expect(toneSnrDb(louder, 440, 8000)).toBeGreaterThan(50);
  expect(applyGain(quiet, 0)).toBe(quiet);
});

test("no gain wraps around, changes a sign or turns the louder of two samples into the softer", () => {
  fc.assert(
    fc.property(fc.int16Array({ minLength: 1 }), fc.double({ min: -30, max: 30, noNaN: true }), (samples, db) => {
      const sorted = samples.toSorted();
      const louder = applyGain(sorted, db);
      expect(louder).toEqual(louder.toSorted());
      sorted.forEach((sample, index) => {
        expect((louder[index] as number) * sample).toBeGreaterThanOrEqual(0);
      });
    }),
  );
});
