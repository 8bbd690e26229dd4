import { Redis } from "ioredis";
import { withDeadline, type Clock } from "../../ports/clock.ts";
import { ANNOUNCED_MS, type CallRegistry, type ProcessAddress } from "../../ports/call-registry.ts";
import type { Metrics } from "../../ports/metrics.ts";

/** How long one question may take, in milliseconds. */
const COMMAND_MS = 2000;
const RECONNECT_MOST_MS = 2000;

const PREFIX = "call-engine:";
/** Names by the time (Unix milliseconds) until which they were announced. */
const PROCESSES = `${PREFIX}processes`;
const processKey = (name: string): string => `${PREFIX}process:${name}`;
const holderKey = (dialId: string): string => `${PREFIX}holder:${dialId}`;

/** Deletes a key that has this value, and leaves one of another alone. */
const DELETE_OWN = 'if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0';

/** The registry of several processes. What a process that died had announced is forgotten after half a minute. */
export const openRedisCallRegistry = async ({
  url,
  clock,
  metrics,
}: Readonly<{ url: string; clock: Clock; metrics: Metrics }>): Promise<CallRegistry> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: COMMAND_MS,
    retryStrategy: (attempt) => Math.min(RECONNECT_MOST_MS, attempt * 100),
  });
  redis.on("error", () => {
    metrics.providerError("call-registry", "redis");
  });
  const within = <T>(what: string, work: Promise<T>): Promise<T> => withDeadline(clock, COMMAND_MS, what, work);
  const all = async (what: string, batch: ReturnType<Redis["pipeline"]>): Promise<readonly unknown[]> => {
    const results = (await within(what, batch.exec())) ?? [];
    for (const [error] of results) if (error !== null) throw error;
    return results.map(([, value]) => value);
  };
  const addressOf = async (name: string): Promise<ProcessAddress | undefined> =>
    parse(await within("reading a process", redis.get(processKey(name))));

  await within("Redis", redis.connect()).catch(() => undefined);
  return {
    async announce(process, dialIds) {
      const { name } = process;
      const batch = redis
        .pipeline()
        .set(processKey(name), JSON.stringify(process), "PX", ANNOUNCED_MS)
        .zadd(PROCESSES, clock.now() + ANNOUNCED_MS, name)
        .zremrangebyscore(PROCESSES, 0, clock.now());
      for (const dialId of dialIds) batch.set(holderKey(dialId), name, "PX", ANNOUNCED_MS);
      await all("announcing a process", batch);
    },
    async hold({ name }, dialId) {
      await within("announcing a call", redis.set(holderKey(dialId), name, "PX", ANNOUNCED_MS));
    },
    async release({ name }, dialId) {
      await within("releasing a call", redis.eval(DELETE_OWN, 1, holderKey(dialId), name));
    },
    async withdraw({ name }) {
      await all("withdrawing a process", redis.pipeline().del(processKey(name)).zrem(PROCESSES, name));
    },
    async processes() {
      const names = await within("listing processes", redis.zrangebyscore(PROCESSES, clock.now(), "+inf"));
      return (await Promise.all(names.map(addressOf))).filter((found) => found !== undefined);
    },
    async ownerOf(dialId) {
      const name = await within("finding a call", redis.get(holderKey(dialId)));
      return name === null ? undefined : addressOf(name);
    },
    async close() {
      redis.disconnect();
    },
  };
};

/** What was stored by a process of another version may look otherwise, and is then nobody. */
const parse = (text: string | null): ProcessAddress | undefined => {
  if (text === null) return undefined;
  try {
    const { name, mediaUrl, controlUrl } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof name !== "string" || typeof mediaUrl !== "string" || !URL.canParse(mediaUrl)) return undefined;
    return { name, mediaUrl, ...(typeof controlUrl === "string" ? { controlUrl } : {}) };
  } catch {
    return undefined;
  }
};
