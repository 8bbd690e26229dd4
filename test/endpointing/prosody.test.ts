import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { prosodyOf } from "../../src/endpointing/prosody.ts";
import { hiss, makeSpeaker, overTelephone, type Speak } from "../kit/spoken.ts";
import { concat, silence } from "../kit/tones.ts";

const RATE = 16_000;

/** A voice of pulses whose pitch glides from one frequency to another; louder or softer at its end. */
const glide = (fromHz: number, toHz: number, ms: number, endGain = 1): Int16Array => {
  const count = (ms * RATE) / 1000;
  let phase = 0;
  return Int16Array.from({ length: count }, (_, index) => {
    const share = index / count;
    phase += (fromHz + (toHz - fromHz) * share) / RATE;
    const wave = [1, 2, 3, 4].reduce((sum, harmonic) => sum + Math.sin(2 * Math.PI * harmonic * phase) / harmonic, 0);
    return Math.round(6000 * wave * (1 + (endGain - 1) * share));
  });
};

let speak: Speak;
beforeAll(async () => {
  speak = await makeSpeaker();
});

test.for([8000, 16_000, 24_000, 48_000])(
  "a fall is told from a rise and a level end, at %i samples a second",
  (rate) => {
    const at = (sound: Int16Array) =>
      Int16Array.from(
        { length: Math.floor((sound.length * rate) / RATE) },
        (_, index) => sound[Math.floor((index * RATE) / rate)] ?? 0,
      );
    const level = prosodyOf(at(glide(140, 140, 1200)), rate);
    const fall = prosodyOf(at(concat(glide(140, 140, 900), glide(140, 95, 300))), rate);
    const rise = prosodyOf(at(concat(glide(140, 140, 900), glide(140, 210, 300))), rate);
    expect(Math.abs(level.endPitch ?? Number.NaN)).toBeLessThan(0.5);
    expect(Math.abs(level.pitchSlope ?? Number.NaN)).toBeLessThan(2);
    expect(fall.endPitch).toBeLessThan(-3);
    expect(fall.pitchSlope).toBeLessThan(-10);
    expect(rise.endPitch).toBeGreaterThan(3);
    expect(rise.pitchSlope).toBeGreaterThan(10);
  },
);

test("a voice that fades is told from one that does not", () => {
  const fading = prosodyOf(glide(140, 140, 1200, 0.2), RATE);
  const steady = prosodyOf(glide(140, 140, 1200), RATE);
  expect(fading.endEnergyDb).toBeLessThan((steady.endEnergyDb ?? 0) - 4);
});

test("a drawn-out last syllable is longer than those before it", () => {
  const short = () => concat(glide(140, 140, 150), silence(80, RATE));
  const drawn = prosodyOf(concat(short(), short(), short(), glide(140, 140, 450)), RATE);
  const even = prosodyOf(concat(short(), short(), short(), glide(140, 140, 150)), RATE);
  expect(drawn.lengthening).toBeGreaterThan(2);
  expect(even.lengthening).toBeLessThan(1.5);
});

test("nothing is claimed of silence, hiss and sounds too short to have a melody", () => {
  for (const sound of [new Int16Array(0), silence(1500, RATE), hiss(1500, 0.2), glide(140, 140, 60)])
    expect(prosodyOf(sound, RATE)).toEqual({});
});

test("real speech over the telephone has a melody", () => {
  for (const voice of ["rms", "slt"] as const) {
    const sound = overTelephone(speak("I would like to book a table for four people.", voice));
    const { endPitch, pitchSlope, endEnergyDb, lengthening } = prosodyOf(sound.subarray(-24_000), RATE);
    for (const value of [endPitch, pitchSlope, endEnergyDb, lengthening]) expect(Number.isFinite(value)).toBe(true);
  }
});

test("whatever the samples, figures are finite or absent", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 6000 }), (samples) => {
      for (const value of Object.values(prosodyOf(Int16Array.from(samples), RATE)))
        expect(Number.isFinite(value)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
