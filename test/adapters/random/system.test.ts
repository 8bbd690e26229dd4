import { expect, test } from "vitest";
import { SystemRandom } from "../../../src/adapters/random/system.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("ids are UUIDv7 that carry the wall clock", () => {
  const id = new SystemRandom(() => 0x0198_1234_5678).id();
  expect(id).toMatch(UUID_V7);
  expect(id.slice(0, 13)).toBe("01981234-5678");
});

test("ids sort by creation, also within one millisecond, past the counter, and when the clock goes back", () => {
  let now = 1_700_000_000_000;
  const random = new SystemRandom(() => now);
  const ids = Array.from({ length: 10_000 }, () => random.id());
  now -= 60_000;
  ids.push(...Array.from({ length: 100 }, () => random.id()));
  now += 120_000;
  ids.push(random.id());
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => UUID_V7.test(id))).toBe(true);
});

test("secrets have the length that was asked for and never repeat", () => {
  const random = new SystemRandom();
  const secrets = Array.from({ length: 100 }, () => random.secret(32));
  expect(new Set(secrets).size).toBe(100);
  expect(secrets.every((secret) => Buffer.from(secret, "base64url").length === 32)).toBe(true);
});

test("fractions fill [0, 1) evenly", () => {
  const random = new SystemRandom();
  const counts = Array.from({ length: 10 }, () => 0);
  for (let round = 0; round < 10_000; round++) {
    const fraction = random.fraction();
    expect(fraction >= 0 && fraction < 1).toBe(true);
    counts[Math.floor(fraction * 10)]! += 1;
  }
  // Each tenth expects 1000 of 10 000 with a deviation of 30; ten deviations never happen by chance.
  expect(Math.min(...counts)).toBeGreaterThan(700);
  expect(Math.max(...counts)).toBeLessThan(1300);
});
