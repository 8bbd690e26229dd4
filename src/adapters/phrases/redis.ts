import { Redis } from "ioredis";
import { toError } from "../../kit/errors.ts";
import { withDeadline, type Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Phrases } from "../../ports/phrases.ts";
import { memoryPhrases } from "./memory.ts";
import { decodePhrase, encodePhrase } from "./phrase-bytes.ts";

export type RedisPhrasesOptions = Readonly<{
  url: string;
  /** In each process, and again in Redis. */
  mostBytes: number;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, "providerError">;
}>;

/** Looking phrases up happens while a phone rings, and is not worth more of a wait. */
const PREFETCH_MS = 200;
const COMMAND_MS = 2000;
const RECONNECT_MOST_MS = 2000;

/** Phrases of an agent whose words were changed are not asked for again; this is when they go, in milliseconds. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Keys that one call may bring in at once. */
const MOST_KEYS = 200;

/** Longest value that is written, in bytes; about half a minute of sound at 8 kHz. */
const MOST_VALUE = 256 * 1024;

const QUIET_MS = 60_000;

/**
 * Phrases that processes share: each keeps its own in memory, and what others made is brought in from Redis when a call is prepared.
 * Redis holds at most `mostBytes`: each phrase counts with its size, and the oldest go first. A Redis that is away is counted, and
 * nothing waits for it.
 */
export const redisPhrases = (options: RedisPhrasesOptions): Phrases => {
  const { clock, mostBytes } = options;
  const memory = memoryPhrases(mostBytes);
  const report = reporter(options);
  const redis = new Redis(options.url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    connectTimeout: COMMAND_MS,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_MOST_MS),
  });
  redis.on("error", report);

  const fetch = async (keys: readonly string[]): Promise<void> => {
    const found = await redis.mgetBuffer(keys.map(valueKey));
    for (const [index, key] of keys.entries()) {
      const value = found[index];
      const phrase = value === null || value === undefined ? undefined : decodePhrase(value);
      if (phrase !== undefined) memory.put(key, phrase);
    }
  };
  return {
    get: (key) => memory.get(key),
    async prefetch(keys) {
      const missing = keys.filter((key) => memory.get(key) === undefined).slice(0, MOST_KEYS);
      if (missing.length === 0) return;
      await withDeadline(clock, PREFETCH_MS, "phrases in Redis", fetch(missing)).catch(report);
    },
    put(key, phrase) {
      memory.put(key, phrase);
      const value = encodePhrase(phrase);
      if (value.length <= Math.min(MOST_VALUE, mostBytes)) void write(redis, key, value, options).catch(report);
    },
    async close() {
      redis.disconnect();
      await memory.close();
    },
  };
};

/** Values, and beside them how large each is and when it was written; `{}` keeps them on one shard. */
const valueKey = (key: string): string => `call-engine:{phrases}:${key}`;
const TIMES = "call-engine:{phrases}";
const SIZES = "call-engine:{phrases}:sizes";
const TOTAL = "call-engine:{phrases}:total";

/** Writes one value and takes the oldest away until all fit; in one go, so that the sum stays right whoever writes beside it. */
const WRITE = `
local function drop(key)
  local size = tonumber(redis.call('HGET', KEYS[3], key) or '0')
  redis.call('HDEL', KEYS[3], key)
  redis.call('ZREM', KEYS[2], key)
  redis.call('DEL', ARGV[6] .. key)
  redis.call('DECRBY', KEYS[4], size)
end
drop(ARGV[1])
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], #ARGV[2])
local total = redis.call('INCRBY', KEYS[4], #ARGV[2])
while total > tonumber(ARGV[5]) do
  local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  if not oldest then break end
  drop(oldest)
  total = tonumber(redis.call('GET', KEYS[4]))
end
for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[4] - ARGV[3], 'LIMIT', 0, 20)) do drop(key) end
`;

const write = async (redis: Redis, key: string, value: Buffer, { clock, mostBytes }: RedisPhrasesOptions) => {
  const keys = [valueKey(key), TIMES, SIZES, TOTAL];
  await redis.eval(WRITE, keys.length, ...keys, key, value, KEPT_MS, Math.round(clock.now()), mostBytes, valueKey(""));
};

/** Counts every failure, and logs the first of a run of them, a minute apart. */
const reporter = ({ clock, logger, metrics }: RedisPhrasesOptions): ((error: unknown) => void) => {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (thrown) => {
    metrics.providerError("phrases", "redis");
    if (clock.monotonic() < quietUntil) return;
    quietUntil = clock.monotonic() + QUIET_MS;
    logger.warn("kept phrases in Redis cannot be used", { provider: "redis", error: toError(thrown) });
  };
};
