import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RateLimit } from "../../src/api/rate-limit.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

test("over any minute a holder gets its rate and one burst, within one percent", async () => {
  const clock = new VirtualClock();
  const limit = new RateLimit(500, clock);
  let allowed = 0;
  for (let ms = 0; ms < 60_000; ms += 10) {
    for (let request = 0; request < 8; request++) if (limit.take("a").allowed) allowed += 1;
    await clock.advance(10);
  }
  expect(allowed).toBeGreaterThanOrEqual(60 * 500);
  expect(allowed).toBeLessThanOrEqual(61 * 500 * 1.01);
}, 60_000);

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

test("holders do not share a limit, and the oldest is forgotten when there are too many", () => {
  const limit = new RateLimit(1, new VirtualClock());
  expect(limit.take("a").allowed).toBe(true);
  expect(limit.take("a").allowed).toBe(false);
  for (let index = 0; index < 10_000; index++) expect(limit.take(`holder ${index}`).allowed).toBe(true);
  expect(limit.take("holder 9999").allowed).toBe(false);
  expect(limit.take("a").allowed).toBe(true);
});
