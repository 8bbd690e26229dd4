import fc from "fast-check";
import { expect, test } from "vitest";
import { Pacer } from "../../src/call/pacer.ts";
import { Playout } from "../../src/call/playout.ts";
import { SoundStore } from "../../src/call/sound-store.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

test("sound that is sent into an empty queue plays at once, the rest behind it", () => {
  const playout = new Playout();
  expect(playout.sent(20, 1000)).toBe(1000);
  expect(playout.sent(20, 1001)).toBe(1020);
  expect(playout.playing(1010)).toBe(10);
  expect(playout.playing(1500)).toBe(40);
  expect(playout.sent(20, 2000)).toBe(2000);
  expect(playout.playing(2010)).toBe(50);
});

test("marks correct the delay by half of what they are late, at most a quarter of a second", () => {
  const playout = new Playout();
  playout.sent(1000, 0);
  for (let mark = 0; mark < 30; mark++) playout.acknowledged(500, 600);
  expect(playout.latencyMs).toBeCloseTo(50, 0);
  expect(playout.heard(600)).toBeCloseTo(550, 0);
  for (let mark = 0; mark < 60; mark++) playout.acknowledged(500, 60_000);
  expect(playout.latencyMs).toBeLessThanOrEqual(250);
});

test("any stretch of kept sound is given back byte for byte", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 0, maxLength: 50 })), fc.nat(), fc.nat(), (chunks, a, b) => {
      const store = new SoundStore();
      for (const chunk of chunks) store.add(chunk);
      const all = Uint8Array.from(chunks.flatMap((chunk) => Array.from(chunk)));
      expect(store.end).toBe(all.length);
      const [start, end] = [a % (all.length + 1), b % (all.length + 1)].toSorted((x, y) => x - y);
      expect(Buffer.from(store.slice(start ?? 0, end ?? 0))).toEqual(Buffer.from(all.slice(start, end)));
      store.release(start ?? 0);
      expect(Buffer.from(store.slice(start ?? 0, end ?? 0))).toEqual(Buffer.from(all.slice(start, end)));
    }),
  );
});

test("the pacer keeps an absolute schedule, and has no timer while nobody speaks", async () => {
  const clock = new VirtualClock();
  const pacer = new Pacer(clock);
  expect(clock.pending).toBe(0);
  const times: number[] = [];
  const leave = pacer.add(() => times.push(clock.monotonic()));
  const other = pacer.add(() => undefined);
  await clock.advance(1000);
  expect(times.length).toBe(100);
  expect(times.every((time, index) => time === (index + 1) * 10)).toBe(true);
  leave();
  other();
  expect(clock.pending).toBe(0);
  const again = pacer.add(() => times.push(clock.monotonic()));
  await clock.advance(10);
  expect(times.length).toBe(101);
  again();
});
