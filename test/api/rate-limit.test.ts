import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RateLimit } from "../../src/api/rate-limit.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const MINUTE = 60_000;

test("over any minute a holder gets its rate, within one percent", async () => {
  const clock = new VirtualClock();
  const limit = new RateLimit(500, clock);
  let allowed = 0;
  for (let ms = 0; ms < MINUTE; ms += 10) {
    for (let request = 0; request < 8; request++) if (limit.take("a").allowed) allowed += 1;
    await clock.advance(10);
  }
  expect(allowed).toBeGreaterThanOrEqual(60 * 500 * 0.98);
  expect(allowed).toBeLessThanOrEqual(60 * 500 * 1.01);
}, 60_000);

test("no second holds more requests than the limit, however they come", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.tuple(fc.nat(400), fc.nat(40)), { maxLength: 30 }),
      async (rate, bursts) => {
        const clock = new VirtualClock();
        const limit = new RateLimit(rate, clock);
        const at: number[] = [];
        for (const [wait, requests] of bursts) {
          await clock.advance(wait);
          for (let request = 0; request < requests; request++) if (limit.take("a").allowed) at.push(clock.monotonic());
        }
        for (const [index, begin] of at.entries())
          expect(at.slice(index).filter((moment) => moment < begin + 1000).length).toBeLessThanOrEqual(rate);
      },
    ),
    { numRuns: 50 },
  );
});

test("a request that waits as long as it was told is allowed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 2000 }),
      fc.array(fc.nat(40), { maxLength: 30 }),
      async (rate, waits) => {
        const clock = new VirtualClock();
        const limit = new RateLimit(rate, clock);
        for (const wait of waits) {
          let decision = limit.take("a");
          while (decision.remaining > 0) decision = limit.take("a");
          const refused = limit.take("a");
          expect(refused.allowed).toBe(false);
          await clock.advance(refused.retryAfterMs);
          expect(limit.take("a").allowed).toBe(true);
          await clock.advance(wait);
        }
      },
    ),
    { numRuns: 20 },
  );
});

test("what was let through elsewhere counts here, and what went beyond the limit is taken off the next seconds", async () => {
  const clock = new VirtualClock();
  const limit = new RateLimit(100, clock);
  limit.hear([["a", 60]]);
  expect(limit.take("a")).toMatchObject({ allowed: true, remaining: 39 });
  // 161 in all: one second is full and 61 of the next.
  limit.hear([["a", 100]]);
  const refused = limit.take("a");
  expect(refused).toMatchObject({ allowed: false, remaining: 0 });
  expect(refused.retryAfterMs).toBeLessThanOrEqual(1000);
  await clock.advance(1010);
  let allowed = 0;
  while (limit.take("a").allowed) allowed += 1;
  expect(allowed).toBe(39);
  expect(limit.take("b").allowed).toBe(true);
});

test("while the others are out of reach, each process has its part of the limit", () => {
  const limit = new RateLimit(100, new VirtualClock());
  limit.share({ processes: 4, connected: false, delayMs: 50 });
  let allowed = 0;
  while (limit.take("a").allowed) allowed += 1;
  expect(allowed).toBe(25);
});

test("holders do not share a limit, and the oldest is forgotten when there are too many", () => {
  const limit = new RateLimit(1, new VirtualClock());
  expect(limit.take("a").allowed).toBe(true);
  expect(limit.take("a").allowed).toBe(false);
  for (let index = 0; index < 10_000; index++) expect(limit.take(`holder ${index}`).allowed).toBe(true);
  expect(limit.take("holder 9999").allowed).toBe(false);
  expect(limit.take("a").allowed).toBe(true);
});
