import fc from "fast-check";
import { expect, test } from "vitest";
import { Background, BACKGROUND_DBFS } from "../../src/audio/background.ts";
import { levelDbfs } from "../../src/audio/level.ts";
import { amplitudeAt, silence, tone } from "../kit/tones.ts";

const RATE = 8000;

test.each([
  ["a loud sound", 0.9, 0, BACKGROUND_DBFS],
  ["a soft one", 0.01, 0, BACKGROUND_DBFS],
  ["one that is wanted louder", 0.2, 12, BACKGROUND_DBFS + 12],
])("%s lies where its volume says", (_, amplitude, volumeDb, level) => {
  const background = new Background(tone(300, 1000, RATE, amplitude), volumeDb);
  expect(levelDbfs(background.take(RATE))).toBeCloseTo(level, 0);
});

test("the loop goes on where it was, and round", () => {
  const background = new Background(tone(400, 100, RATE, 0.5), 20);
  const pieces = [1, 7, 160, 800, 33].flatMap((length) => [...background.take(length)]);
  const whole = [...new Background(tone(400, 100, RATE, 0.5), 20).take(1001)];
  expect(pieces).toEqual(whole);
  expect(whole.slice(800)).toEqual(whole.slice(0, 201));
});

test("the voice stays what it was, with the background below it", () => {
  const mixed = new Background(tone(300, 1000, RATE), 0).mix(tone(1000, 1000, RATE, 0.4));
  expect(amplitudeAt(mixed, 1000, RATE)).toBeCloseTo(0.4, 2);
  expect(levelDbfs(mixed)).toBeGreaterThan(BACKGROUND_DBFS + 20);
  expect(amplitudeAt(mixed, 300, RATE)).toBeGreaterThan(0.004);
});

test("no sum passes full scale, and none wraps round", () => {
  fc.assert(
    fc.property(
      fc.int16Array({ minLength: 1, maxLength: 300 }),
      fc.int16Array({ minLength: 1, maxLength: 300 }),
      fc.integer({ min: -30, max: 30 }),
      (loop, samples, volumeDb) => {
        const mixed = new Background(loop, volumeDb).mix(samples);
        const alone = new Background(loop, volumeDb).take(samples.length);
        samples.forEach((sample, at) => {
          if (Math.sign(sample) === Math.sign(alone[at] as number) && Math.abs(sample) > 100)
            expect(Math.sign(mixed[at] as number)).toBe(Math.sign(sample));
        });
      },
    ),
  );
});

test("a sound without sound changes nothing", () => {
  const voice = tone(1000, 20, RATE);
  expect(new Background(new Int16Array(0), 0).mix(voice)).toBe(voice);
  expect(new Background(silence(100, RATE), 0).mix(voice)).toBe(voice);
});
