import fc from "fast-check";
import { expect, test } from "vitest";
import { Resampler } from "../../src/audio/resampler.ts";
import { amplitudeAt, concat, envelope, silence, tone, toneSnrDb } from "../kit/tones.ts";

const PAIRS = [
  [8000, 16_000],
  [16_000, 8000],
  [22_050, 8000],
  [24_000, 8000],
  [24_000, 16_000],
  [48_000, 16_000],
  [8000, 48_000],
] as const;

const through = (from: number, to: number, samples: Int16Array): Int16Array => {
  const resampler = new Resampler(from, to);
  const frame = from / 50;
  const pieces: Int16Array[] = [];
  for (let at = 0; at < samples.length; at += frame) pieces.push(resampler.process(samples.subarray(at, at + frame)));
  resampler.close();
  return concat(...pieces);
};

test.each(PAIRS)("a tone goes from %i to %i Hz without audible noise", (from, to) => {
  const out = through(from, to, tone(1000, 1000, from));
  expect(toneSnrDb(out.subarray(to / 10), 1000, to)).toBeGreaterThan(80);
});

test.each([
  [16_000, 8000, 5500],
  [48_000, 16_000, 11_000],
  [24_000, 8000, 7100],
])("from %i to %i Hz a tone of %i Hz leaves no alias", (from, to, frequency) => {
  const out = through(from, to, tone(frequency, 500, from));
  const alias = Math.abs(frequency - to * Math.round(frequency / to));
  expect(amplitudeAt(out.subarray(to / 10), alias, to)).toBeLessThan(0.5 * 10 ** (-80 / 20));
});

test.each(PAIRS)("a click comes out of %i to %i Hz after the delay that the resampler states", (from, to) => {
  const resampler = new Resampler(from, to);
  const click = silence(100, from);
  click[from / 25] = 20_000;
  const out = through(from, to, click);
  const loudest = out.reduce((best, sample, index) => (sample > (out[best] as number) ? index : best), 0);
  expect((loudest / to) * 1000 - 40).toBeCloseTo(resampler.delayMs, 0);
  resampler.close();
});

test.each(PAIRS)("every frame of 20 ms at %i Hz gives a frame of 20 ms at %i Hz", (from, to) => {
  const resampler = new Resampler(from, to);
  for (let frame = 0; frame < 20; frame++) expect(resampler.process(silence(20, from))).toHaveLength(to / 50);
  resampler.close();
});

test.each([
  [8000, 22_050],
  [8000, 16_000],
  [16_000, 8000],
])("how a stream is cut into pieces does not change what comes out of %i to %i Hz", (from, to) => {
  const samples = tone(440, 300, from);
  const whole = new Resampler(from, to);
  const expected = whole.process(samples);
  whole.close();
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 20 }), (cuts) => {
      const resampler = new Resampler(from, to);
      const pieces: Int16Array[] = [];
      let at = 0;
      for (const cut of cuts) {
        pieces.push(resampler.process(samples.subarray(at, at + cut)));
        at += cut;
      }
      pieces.push(resampler.process(samples.subarray(at)));
      resampler.close();
      expect(concat(...pieces)).toEqual(expected);
    }),
  );
});

test("flush brings out the end of the sound", () => {
  const resampler = new Resampler(8000, 22_050);
  const body = resampler.process(tone(440, 100, 8000));
  const all = concat(body, resampler.flush());
  resampler.close();
  expect(all.length).toBe(2205 + 111);
  expect(envelope(all.subarray(110), 22_050, 5).every((level) => level > 0.2)).toBe(true);
});

test("where one rate is twice the other, flush brings out the little that is missing", () => {
  const up = new Resampler(8000, 16_000);
  expect(concat(up.process(tone(440, 100, 8000)), up.flush())).toHaveLength(1600 + 4);
  const down = new Resampler(16_000, 8000);
  expect(concat(down.process(tone(440, 100, 16_000)), down.flush())).toHaveLength(800 + 2);
});

test("between 8 and 16 kHz a word that has ended leaves nothing in the frame behind it", () => {
  for (const frequency of [150, 300, 1000, 2500]) {
    const resampler = new Resampler(8000, 16_000);
    resampler.process(tone(frequency, 100, 8000));
    const behind = resampler.process(silence(20, 8000));
    // A fortieth of the word's own mean amplitude; a filter of 5 ms leaves a quarter.
    expect(behind.reduce((sum, sample) => sum + Math.abs(sample), 0) / behind.length).toBeLessThan(400);
  }
});

test("equal rates pass samples through untouched", () => {
  const resampler = new Resampler(16_000, 16_000);
  const samples = tone(440, 20, 16_000);
  expect(resampler.process(samples)).toBe(samples);
  expect(resampler.delayMs).toBe(0);
  expect(resampler.flush()).toHaveLength(0);
});

test("memory is given back by close, however many streams there were", () => {
  const frame = silence(20, 8000);
  for (let stream = 0; stream < 20_000; stream++) {
    const resampler = new Resampler(8000, 24_000);
    resampler.process(frame);
    resampler.close();
  }
  const last = new Resampler(8000, 24_000);
  last.close();
  last.close();
  expect(() => last.process(frame)).toThrow("closed");
});

test("rates that no sound has are refused", () => {
  expect(() => new Resampler(0, 8000)).toThrow(RangeError);
  expect(() => new Resampler(8000, 22_050.5)).toThrow(RangeError);
});
