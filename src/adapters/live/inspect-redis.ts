import { Redis } from "ioredis";

/** What is to be known of a Redis: its version, and what it does when its memory is full. */
export type RedisInspection = Readonly<{ version: string; policy: string | undefined }>;

const CONNECT_MS = 5000;

/** Connects once and asks. @throws the connection's or the server's own error. */
export const inspectRedis = async (url: string): Promise<RedisInspection> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: Error | undefined;
  redis.on("error", (error: Error) => {
    failure = error;
  });
  try {
    await redis.connect();
    const info = await redis.info();
    const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
    return { version: field("redis_version") ?? "of an unknown version", policy: field("maxmemory_policy") };
  } catch (error) {
    // "Connection is closed" says less than why it is.
    throw failure ?? error;
  } finally {
    redis.disconnect();
  }
};
