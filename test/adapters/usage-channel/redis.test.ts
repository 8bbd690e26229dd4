import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { redisUsageChannel } from "../../../src/adapters/usage-channel/redis.ts";
import type { UsageChannel, UsageNote } from "../../../src/ports/usage-channel.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";
import { SystemRandom } from "../../../src/adapters/random/system.ts";
import { startTestRedis, type TestRedis } from "../../kit/redis.ts";

// A shared machine may be many times slower than a quiet one.
vi.setConfig({ testTimeout: 60_000 });

let redis: TestRedis;
const channels: UsageChannel[] = [];

beforeAll(async () => {
  redis = await startTestRedis();
});
afterAll(async () => {
  for (const channel of channels) await channel.close();
  await redis.close();
});

const open = (url: string) => {
  const deps = adapterDeps({ clock: new SystemClock(), random: new SystemRandom() });
  const channel = redisUsageChannel({ ...deps, url });
  channels.push(channel);
  const heard: UsageNote[] = [];
  channel.listen((note) => heard.push(note));
  return { channel, heard };
};

/** Sends until it is heard: a connection that is being made loses notes. */
const untilHeard = async (from: Pick<UsageChannel, "send">, note: UsageNote, by: readonly UsageNote[]) =>
  vi.waitFor(
    () => {
      from.send(note);
      expect(by).toContainEqual(note);
    },
    { timeout: 30_000, interval: 50 },
  );

test("what one process tells is heard by all, itself included, and what is no note by nobody", async () => {
  const [a, b] = [open(redis.url), open(redis.url)];
  await untilHeard(a.channel, { from: "a", usage: [["key 1", 3]] }, a.heard);
  await untilHeard(a.channel, { from: "a", usage: [["key 1", 3]] }, b.heard);
  const stranger = new Redis(redis.url);
  for (const text of ["", "{", "null", "[]", '{"from":1,"usage":[]}', '{"from":"x","usage":[["a"]]}', '{"from":"x"}'])
    await stranger.publish("call-engine:usage", text);
  stranger.disconnect();
  await untilHeard(b.channel, { from: "b", usage: [] }, a.heard);
  expect(a.heard.every(({ from }) => from === "a" || from === "b")).toBe(true);
});

test("what a Redis that stands still does not take is dropped, and one that is not there does no harm", async () => {
  const { channel, heard } = open(redis.url);
  await untilHeard(channel, { from: "c", usage: [] }, heard);
  redis.freeze();
  for (let count = 0; count < 1000; count++) channel.send({ from: "c", usage: [["key 1", count]] });
  open("redis://127.0.0.1:1").channel.send({ from: "d", usage: [] });
  redis.thaw();
  await untilHeard(channel, { from: "c", usage: [["again", 1]] }, heard);
  expect(heard.length).toBeLessThan(900);
});
