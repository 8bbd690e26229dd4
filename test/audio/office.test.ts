import { expect, test } from "vitest";
import { levelDbfs } from "../../src/audio/level.ts";
import { makeOffice, OFFICE_SECONDS } from "../../src/audio/office.ts";
import { amplitudeAt } from "../kit/tones.ts";

const RATE = 8000;

const made = (rate = RATE, seed?: number): Int16Array => {
  const work = makeOffice(rate, seed);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
};

const office = made();

const powerBetween = (from: number, to: number): number => {
  let power = 0;
  for (let frequency = from; frequency < to; frequency += 20)
    power += amplitudeAt(office.subarray(0, 4 * RATE), frequency, RATE) ** 2;
  return power;
};

test("an office goes on evenly for as long as the loop, whatever the rate", () => {
  expect(office).toHaveLength(OFFICE_SECONDS * RATE);
  expect(made(24_000)).toHaveLength(OFFICE_SECONDS * 24_000);
  const seconds = Array.from({ length: OFFICE_SECONDS }, (_, at) =>
    levelDbfs(office.subarray(at * RATE, (at + 1) * RATE)),
  );
  expect(Math.max(...seconds) - Math.min(...seconds)).toBeLessThan(12);
  expect(Math.max(...seconds)).toBeLessThan(-15);
});

test("it is a murmur: hardly anything of it lies where consonants do", () => {
  expect(10 * Math.log10(powerBetween(100, 1000) / powerBetween(2000, 3900))).toBeGreaterThan(15);
});

test("the end of the loop passes into its beginning without a click", () => {
  const steps = office.map((sample, at) => Math.abs(sample - (office[at - 1] ?? sample)));
  const usual = steps.reduce((most, step) => Math.max(most, step), 0);
  expect(Math.abs((office[0] as number) - (office.at(-1) as number))).toBeLessThan(usual);
  const seam = new Int16Array([...office.subarray(-400), ...office.subarray(0, 400)]);
  expect(Math.abs(levelDbfs(seam) - levelDbfs(office))).toBeLessThan(12);
});

test("the same seed makes the same office, and another one another", () => {
  expect(made(RATE)).toEqual(office);
  expect(made(RATE, 11)).not.toEqual(office);
});
