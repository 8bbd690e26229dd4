import { expect, test } from "vitest";
import { ArrivalTimeline } from "../../../../src/adapters/carrier/streaming/arrival-timeline.ts";

const placesOf = (arrivals: readonly number[]): number[] => {
  const timeline = new ArrivalTimeline();
  return arrivals.map((now) => timeline.place(now, 20));
};
const steady = (count: number, from: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index * 20);

test("pieces that come evenly follow one another", () => {
  expect(placesOf(steady(5, 1000))).toEqual([0, 20, 40, 60, 80]);
});

test("jitter moves nothing", () => {
  const arrivals = steady(100, 1000).map((at, index) => at + ((index * 37) % 50));
  expect(placesOf(arrivals)).toEqual(steady(100, 0));
});

test("a stall whose sound comes all at once moves nothing", () => {
  const stalled = [...steady(20, 1000), ...Array.from({ length: 30 }, () => 2000), ...steady(20, 2000)];
  expect(placesOf(stalled)).toEqual(steady(70, 0));
});

test("frames that the carrier left out leave a hole of their length", () => {
  const places = placesOf([...steady(20, 1000), ...steady(40, 1000 + 400 + 300)]);
  expect(places.at(-1)).toBe(59 * 20 + 300);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test("a first piece that came late is no hole later", () => {
  expect(placesOf([1200, ...steady(40, 1020)])).toEqual(steady(41, 0));
});
