import { expect, test } from "vitest";
import { Resampler } from "../../src/audio/resampler.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { amplitudeAt, concat, tone, toneSnrDb } from "../kit/tones.ts";

const RATES = [8000, 16_000, 24_000, 48_000];
const PAIRS = RATES.flatMap((from) => RATES.filter((to) => to !== from).map((to) => [from, to] as const));

const AMPLITUDE = 0.7;

/** A tone after the resampler has settled, 0.2 s of it. */
const resampled = (from: number, to: number, frequency: number): Int16Array => {
  const resampler = new Resampler(from, to);
  const out = resampler.process(tone(frequency, 300, from, AMPLITUDE)).slice(to / 10, (to * 3) / 10);
  resampler.close();
  return out;
};

const decibels = (ratio: number): number => 20 * Math.log10(ratio);

/** Frequencies from a share of the lower Nyquist frequency to another, on multiples of 10 Hz. */
const between = (from: number, to: number, nyquist: number): number[] =>
  Array.from({ length: 9 }, (_, step) => Math.round(((from + ((to - from) * step) / 8) * nyquist) / 10) * 10);

test.each(PAIRS)(
  "from %i to %i Hz what is below 0.85 of the lower Nyquist frequency keeps its level within 0.1 dB",
  (from, to) => {
    for (const frequency of between(0.02, 0.85, Math.min(from, to) / 2))
      expect(Math.abs(decibels(amplitudeAt(resampled(from, to, frequency), frequency, to) / AMPLITUDE))).toBeLessThan(
        0.1,
      );
  },
);

test.each(PAIRS.filter(([from, to]) => from > to))(
  "from %i to %i Hz nothing above 1.15 of the lower Nyquist frequency comes back as something else",
  (from, to) => {
    for (const frequency of between(1.15, (from / to) * 0.98, to / 2)) {
      const power = resampled(from, to, frequency).reduce((sum, sample) => sum + (sample / 32_767) ** 2, 0) / (to / 5);
      expect(decibels(Math.sqrt(2 * power) / AMPLITUDE)).toBeLessThan(-70);
    }
  },
);

test.each(PAIRS.filter(([from, to]) => from < to))(
  "from %i to %i Hz no image of a tone stands above it",
  (from, to) => {
    for (const frequency of between(0.05, 0.85, from / 2)) {
      const out = resampled(from, to, frequency);
      for (let multiple = from; multiple - frequency < to / 2; multiple += from)
        for (const image of [multiple - frequency, multiple + frequency])
          if (image < to / 2) expect(decibels(amplitudeAt(out, image, to) / AMPLITUDE)).toBeLessThan(-70);
    }
  },
);

test.each(PAIRS)("from %i to %i Hz sound is late by at most 6 ms", (from, to) => {
  const resampler = new Resampler(from, to);
  expect(resampler.delayMs).toBeLessThanOrEqual(6);
  resampler.close();
});

test.each(PAIRS)("from %i to %i Hz a tone has no click wherever its stream is cut", (from, to) => {
  const resampler = new Resampler(from, to);
  const random = new SeededRandom(from + to);
  const whole = tone(440, 1000, from, AMPLITUDE);
  const pieces: Int16Array[] = [];
  for (let at = 0; at < whole.length;) {
    const length = 1 + Math.floor(random.fraction() * 2 * (from / 50));
    pieces.push(resampler.process(whole.subarray(at, at + length)).slice());
    at += length;
  }
  resampler.close();
  const out = concat(...pieces);
  const window = to / 50;
  for (let at = to / 50; at + window <= out.length; at += window)
    expect(toneSnrDb(out.subarray(at, at + window), 440, to)).toBeGreaterThan(70);
});
