import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { memoryPhrases } from "../../../src/adapters/phrases/memory.ts";
import { decodePhrase, encodePhrase } from "../../../src/adapters/phrases/phrase-bytes.ts";
import { redisPhrases } from "../../../src/adapters/phrases/redis.ts";
import type { Phrase } from "../../../src/ports/phrases.ts";
import { countingMetrics } from "../../kit/counting-metrics.ts";
import { startTestRedis, type TestRedis } from "../../kit/redis.ts";
import { silentLogger } from "../../kit/silent-logger.ts";

const sound = (bytes: number, fill = 7): Phrase => ({ audio: new Uint8Array(bytes).fill(fill) });

let redis: TestRedis;
let reader: Redis;
beforeAll(async () => {
  redis = await startTestRedis();
  reader = new Redis(redis.url);
});
afterAll(async () => {
  reader.disconnect();
  await redis.close();
});

test("memory keeps what was asked for last, and never more bytes than it may", () => {
  const phrases = memoryPhrases(1000);
  for (const key of ["a", "b", "c", "d"]) phrases.put(key, sound(250));
  expect(phrases.get("a")).toBeDefined();
  phrases.put("e", sound(250));
  expect(["a", "b", "c", "d", "e"].filter((key) => phrases.get(key) !== undefined)).toEqual(["a", "c", "d", "e"]);
  phrases.put("long", sound(251));
  expect(phrases.get("long")).toBeUndefined();
  phrases.put("e", sound(100));
  phrases.put("f", sound(150));
  expect(phrases.get("a")).toBeDefined();
});

test("a phrase is the same after its way through bytes, and bytes that are none are no phrase", () => {
  const word = fc.record({ text: fc.string(), startMs: fc.integer(), endMs: fc.integer() });
  const phrase = fc.record(
    { audio: fc.uint8Array({ maxLength: 50 }), words: fc.array(word, { maxLength: 5 }) },
    { requiredKeys: ["audio"] },
  );
  fc.assert(
    fc.property(phrase, (one) => {
      expect(decodePhrase(encodePhrase(one))).toEqual(one);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      decodePhrase(Buffer.from(bytes));
    }),
  );
});

const open = (mostBytes: number) => {
  const { metrics, failures } = countingMetrics();
  const options = { url: redis.url, mostBytes, clock: new SystemClock(), logger: silentLogger(), metrics };
  return { phrases: redisPhrases(options), failures };
};

const written = async (key: string) => {
  while ((await reader.exists(`call-engine:{phrases}:${key}`)) === 0) await reader.ping();
};

/** Its connection is there when it answers. */
const ready = async (phrases: ReturnType<typeof redisPhrases>, key: string) => {
  while (phrases.get(key) === undefined) await phrases.prefetch([key]);
};

test("what one process made is there for another, words and all", async () => {
  await reader.flushall();
  const one = open(100_000);
  const other = open(100_000);
  const phrase: Phrase = { ...sound(800), words: [{ text: "Hello.", startMs: 0, endMs: 100 }] };
  while ((await reader.exists("call-engine:{phrases}:greeting")) === 0) {
    one.phrases.put("greeting", phrase);
    await reader.ping();
  }
  expect(other.phrases.get("greeting")).toBeUndefined();
  await ready(other.phrases, "greeting");
  expect(other.phrases.get("greeting")).toEqual(phrase);
  await one.phrases.close();
  await other.phrases.close();
});

test("Redis keeps no more bytes than it may, the newest", async () => {
  await reader.flushall();
  const { phrases } = open(10_000);
  while ((await reader.exists("call-engine:{phrases}:first")) === 0) {
    phrases.put("first", sound(2000));
    await reader.ping();
  }
  for (const key of ["a", "b", "c", "d", "e", "f"]) {
    phrases.put(key, sound(2000));
    await written(key);
  }
  const kept = await reader.zrange("call-engine:{phrases}", 0, "-1");
  expect(kept.length).toBe(4);
  expect(kept).toContain("f");
  expect(kept).not.toContain("first");
  expect(Number(await reader.get("call-engine:{phrases}:total"))).toBeLessThanOrEqual(10_000);
  expect(await reader.exists("call-engine:{phrases}:first")).toBe(0);
  await phrases.close();
});

test("a Redis that stands still holds nobody up, and is counted", async () => {
  await reader.flushall();
  const { phrases, failures } = open(10_000);
  phrases.put("mine", sound(100));
  redis.freeze();
  const clock = new SystemClock();
  const startedAt = clock.monotonic();
  await phrases.prefetch(["other"]);
  expect(clock.monotonic() - startedAt).toBeLessThan(1500);
  expect(phrases.get("mine")).toBeDefined();
  expect(failures.get("phrases/redis")).toBeGreaterThan(0);
  redis.thaw();
  await phrases.close();
});
