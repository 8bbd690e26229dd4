import { afterAll, beforeAll, expect, test } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { openRedisLiveState } from "../../../src/adapters/live/redis.ts";
import type { LiveEvent } from "../../../src/model/live-event.ts";
import type { CallCommand } from "../../../src/ports/live.ts";
import { liveContract } from "../../contract/live.contract.ts";
import { countingMetrics } from "../../kit/counting-metrics.ts";
import { startTestRedis, type TestRedis } from "../../kit/redis.ts";
import { silentLogger } from "../../kit/silent-logger.ts";

let redis: TestRedis;

beforeAll(async () => {
  redis = await startTestRedis();
});

afterAll(async () => {
  await redis.close();
});

const said = (text: string): LiveEvent => ({ type: "interim", text });

const open = async (url: string) => {
  const { metrics, failures } = countingMetrics();
  const live = await openRedisLiveState({ url, clock: new SystemClock(), logger: silentLogger(), metrics });
  return { live, failures };
};

liveContract("Redis", async () => (await open(redis.url)).live);

const wishOf = (command: CallCommand): string => {
  if (command.type === "hang-up") return command.endReason;
  return command.type === "recording" ? command.action : command.by;
};

test("what one process publishes another follows, and a command goes the other way", async () => {
  const { live: worker } = await open(redis.url);
  const { live: api } = await open(redis.url);
  const follower = api.follow("shared", undefined, new AbortController().signal)[Symbol.asyncIterator]();
  const next = follower.next();
  worker.publish("shared", said("hello"));
  expect((await next).value?.event).toEqual(said("hello"));
  const heard = Promise.withResolvers<string>();
  await worker.onCommand("shared", (command) => heard.resolve(wishOf(command)));
  expect(await api.command("shared", { type: "hang-up", endReason: "operator_hangup" })).toBe(true);
  expect(await heard.promise).toBe("operator_hangup");
  await Promise.all([worker.close(), api.close()]);
});

test("a Redis that freezes fails commands within two seconds, publishing rejects nothing, and all goes on after it", async () => {
  const { live, failures } = await open(redis.url);
  const heard = Promise.withResolvers<string>();
  await live.onCommand("frozen", (command) => heard.resolve(wishOf(command)));
  const follower = live.follow("frozen", undefined, new AbortController().signal)[Symbol.asyncIterator]();
  live.publish("frozen", said("before"));
  expect((await follower.next()).value?.event).toEqual(said("before"));
  const next = follower.next();
  redis.freeze();
  const clock = new SystemClock();
  const started = clock.monotonic();
  for (let index = 0; index < 5_000; index++) live.publish("frozen-other", said("lost"));
  await expect(live.takeTicket("token")).rejects.toThrow();
  expect(clock.monotonic() - started).toBeLessThan(4_000);
  expect(failures.get("live/redis")).toBeGreaterThanOrEqual(3_000);
  redis.thaw();
  await expect.poll(() => live.takeTicket("token").catch(() => "away"), { timeout: 10_000 }).toBeUndefined();
  live.publish("frozen", said("after"));
  expect((await next).value?.event).toEqual(said("after"));
  await expect
    .poll(() => live.command("frozen", { type: "hang-up", endReason: "canceled" }).catch(() => false), {
      timeout: 10_000,
    })
    .toBe(true);
  expect(await heard.promise).toBe("canceled");
  await live.close();
});

test("without a Redis it opens all the same, counts, and refuses what needs an answer", async () => {
  const { live, failures } = await open("redis://127.0.0.1:1");
  live.publish("dial", said("lost"));
  await expect(live.takeTicket("token")).rejects.toThrow();
  await expect(live.command("dial", { type: "hang-up", endReason: "canceled" })).rejects.toThrow();
  expect(failures.get("live/redis")).toBeGreaterThan(0);
  await live.close();
});
