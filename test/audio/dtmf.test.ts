import { expect, test } from "vitest";
import { KeyDetector } from "../../src/audio/dtmf-detector.ts";
import { KEY_FREQUENCIES, keySound } from "../../src/audio/dtmf.ts";
import { decodeMulaw, encodeMulaw } from "../../src/audio/g711.ts";
import { amplitudeAt, concat, silence, tone } from "../kit/tones.ts";
import { SeededRandom } from "../kit/seeded-random.ts";

const KEYS = "0123456789*#";

/** What the other end of a telephone line hears, µ-law and frames of 20 ms that begin `offset` samples early. */
const heard = (samples: Int16Array, offset = 0): string => {
  const line = decodeMulaw(encodeMulaw(concat(new Int16Array(offset), samples, silence(40, 8000))));
  const detector = new KeyDetector(8000);
  let keys = "";
  for (let at = 0; at + 160 <= line.length; at += 160) keys += detector.next(line.subarray(at, at + 160)) ?? "";
  return keys;
};

test.each(Array.from(KEYS))("the key %s is its two tones and no other, 100 ms long, 80 ms apart", (key) => {
  for (const rate of [8000, 16_000, 24_000]) {
    const sound = keySound(key, rate);
    expect(sound.length).toBe(rate * 0.18);
    const tones = sound.subarray(0, rate * 0.1);
    const present = [697, 770, 852, 941, 1209, 1336, 1477, 1633].filter(
      (frequency) => amplitudeAt(tones, frequency, rate) > 0.15,
    );
    expect(present).toEqual(KEY_FREQUENCIES.get(key));
    for (const frequency of present) expect(amplitudeAt(tones, frequency, rate)).toBeCloseTo(0.316, 1);
    expect(tones.every((sample) => Math.abs(sample) <= 32_767 * 0.64)).toBe(true);
    expect(sound.subarray(rate * 0.1).every((sample) => sample === 0)).toBe(true);
  }
});

test("all keys are heard in their order wherever the frames begin, and a key that is pressed twice is heard twice", () => {
  const sound = concat(...Array.from(`${KEYS}11`, (key) => keySound(key, 8000)));
  for (let offset = 0; offset < 160; offset += 16) expect(heard(sound, offset)).toBe(`${KEYS}11`);
});

test("a comma is two seconds of silence", () => {
  expect(keySound(",", 8000)).toEqual(new Int16Array(16_000));
});

test("keys are heard through noise 15 dB below them, and not in noise, in one tone or in two that are no key", () => {
  const random = new SeededRandom(7);
  const noise = (length: number, amplitude: number) =>
    Int16Array.from({ length }, () => Math.round((random.fraction() * 2 - 1) * 32_767 * amplitude));
  const sum = (a: Int16Array, b: Int16Array) => a.map((sample, index) => sample + (b[index] ?? 0));
  const sound = concat(...Array.from("159", (key) => keySound(key, 8000)));
  expect(heard(sum(sound, noise(sound.length, 0.07)))).toBe("159");
  expect(heard(noise(80_000, 0.5))).toBe("");
  expect(heard(tone(697, 500, 8000))).toBe("");
  expect(heard(sum(tone(697, 500, 8000, 0.3), tone(770, 500, 8000, 0.3)))).toBe("");
  expect(heard(sum(tone(500, 500, 8000, 0.3), tone(1000, 500, 8000, 0.3)))).toBe("");
});
