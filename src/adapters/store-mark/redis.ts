import { Redis } from "ioredis";
import { withDeadline, type Clock } from "../../ports/clock.ts";
import { markIn, textOf, type MarkKeeper } from "../../ports/lineage.ts";
import type { Metrics } from "../../ports/metrics.ts";

const COMMAND_MS = 2_000;
const RECONNECT_MOST_MS = 2_000;

/** Keeps the mark in Redis, for processes on other machines. Never waits for a Redis that is away for longer than 2 s. */
export const redisMarkKeeper = (
  { url, clock, metrics }: Readonly<{ url: string; clock: Clock; metrics: Pick<Metrics, "providerError"> }>,
  deployment: string,
): MarkKeeper => {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    connectTimeout: COMMAND_MS,
    retryStrategy: (times) => Math.min(RECONNECT_MOST_MS, times * 100),
  });
  redis.on("error", () => {
    metrics.providerError("store-mark", "redis");
  });
  const key = `call-engine:store-mark:${deployment}`;
  const within = <T>(work: Promise<T>): Promise<T> => withDeadline(clock, COMMAND_MS, "a mark in Redis", work);
  return {
    async read() {
      if (redis.status === "wait") await within(redis.connect());
      const text = await within(redis.get(key));
      return text === null ? undefined : markIn(text);
    },
    async keep(mark) {
      if (redis.status === "wait") await within(redis.connect());
      await within(redis.set(key, textOf(mark)));
    },
    async close() {
      redis.disconnect();
    },
  };
};
