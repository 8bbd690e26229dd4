import fc from "fast-check";
import { expect, test } from "vitest";
import { backoff } from "../../src/kit/backoff.ts";
import { SeededRandom } from "../kit/seeded-random.ts";

const always = (fraction: number) => Object.assign(new SeededRandom(), { fraction: () => fraction });

test("waits double, up to the longest", () => {
  const waits = Array.from({ length: 8 }, (_, attempt) => backoff(always(1), attempt, 100, 5000));
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  expect(backoff(always(0.5), 2, 100, 5000)).toBe(200);
});

test("no wait is negative, longer than the longest, or anything but a number, however many attempts there were", () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1, max: 600_000 }),
      (seed, attempt, firstMs, maxMs) => {
        const ms = backoff(new SeededRandom(seed), attempt, firstMs, maxMs);
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(Math.min(maxMs, firstMs * 2 ** attempt));
      },
    ),
  );
});

test("many waiters spread out over the whole wait", () => {
  const random = new SeededRandom(7);
  const waits = Array.from({ length: 1000 }, () => backoff(random, 3, 100, 5000));
  for (let tenth = 0; tenth < 10; tenth++)
    expect(waits.filter((ms) => Math.floor(ms / 80) === tenth).length).toBeGreaterThan(50);
});
