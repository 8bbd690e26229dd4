import { expect, test } from "vitest";
import { logMel, MELS } from "../../src/audio/log-mel.ts";

const RATE = 16_000;

const sine = (hz: number, samples: number): Float32Array =>
  Float32Array.from({ length: samples }, (_, index) => 0.5 * Math.sin((2 * Math.PI * hz * index) / RATE));

/** The band that is loudest in the middle column. */
const loudestBand = (mel: Float32Array): number => {
  const frames = mel.length / MELS;
  const column = Array.from({ length: MELS }, (_, band) => mel[band * frames + Math.floor(frames / 2)] ?? 0);
  return column.indexOf(Math.max(...column));
};

test("one column for each 10 ms, 80 bands", () => {
  expect(logMel(new Float32Array(128_000)).length).toBe(80 * 800);
  expect(logMel(new Float32Array(0)).length).toBe(0);
});

test("silence is the floor everywhere", () => {
  const mel = logMel(new Float32Array(16_000));
  expect(new Set(mel)).toEqual(new Set([-1.5]));
});

test("a tone is loudest in the band that holds it, by Slaney's scale", () => {
  // Bands are 37.24 Hz wide steps of the linear part below 1 kHz: centres at 200/3 · mel, mel in steps of 45.245 / 81.
  for (const hz of [200, 500, 900])
    expect(Math.abs(loudestBand(logMel(sine(hz, 16_000))) + 1 - hz / 37.24)).toBeLessThan(1);
  const bands = [300, 1000, 3000, 7000].map((hz) => loudestBand(logMel(sine(hz, 16_000))));
  expect(bands).toEqual(bands.toSorted((a, b) => a - b));
  expect(new Set(bands).size).toBe(4);
});

test("what lies 8 decades below the loudest is cut off, and values are a quarter of a decade", () => {
  const mel = logMel(sine(440, 16_000));
  const [least, most] = [Math.min(...mel), Math.max(...mel)];
  expect(most - least).toBeCloseTo(2, 5);
  const louder = logMel(sine(440, 16_000).map((sample) => sample * 10));
  expect(Math.max(...louder) - most).toBeCloseTo(0.5, 3);
});

test("the transform is that of the definition", () => {
  // One column in the middle of noise, by the sum that defines it.
  let state = 1;
  const sound = Float32Array.from({ length: 1600 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
  const mel = logMel(sound);
  const frames = 10;
  const frame = 5;
  const energy = (bin: number) => {
    let [re, im] = [0, 0];
    for (let index = 0; index < 400; index++) {
      const value = (sound[frame * 160 - 200 + index] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * index) / 400));
      re += value * Math.cos((2 * Math.PI * bin * index) / 400);
      im += value * Math.sin((2 * Math.PI * bin * index) / 400);
    }
    return re ** 2 + im ** 2;
  };
  // The 40th band of Whisper's 80 filters: the triangle between these frequencies (Slaney's scale).
  const hz = (step: number) => {
    const value = (45.245_640_471_924_965 * step) / 81;
    return value < 15 ? (value * 200) / 3 : 1000 * Math.exp(((value - 15) * Math.log(6.4)) / 27);
  };
  const [low, middle, high] = [hz(40), hz(41), hz(42)];
  let sum = 0;
  for (let bin = 0; bin <= 200; bin++) {
    const at = bin * 40;
    const weight = Math.max(0, Math.min((at - low) / (middle - low), (high - at) / (high - middle)));
    sum += weight * (2 / (high - low)) * energy(bin);
  }
  expect(mel[40 * frames + frame]).toBeCloseTo((Math.log10(sum) + 4) / 4, 3);
});
