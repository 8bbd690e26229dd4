import { Redis } from "ioredis";
import { toError } from "../../kit/errors.ts";
import type { Clock, Timer } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Usage, UsageChannel, UsageNote } from "../../ports/usage-channel.ts";

export type RedisUsageOptions = Readonly<{ url: string; clock: Clock; logger: Logger; metrics: Metrics }>;

const CHANNEL = "call-engine:usage";

const COMMAND_MS = 1000;
/** A socket on which an answer is due for this long is dead. */
const SOCKET_MS = 3000;
const RECONNECT_MOST_MS = 1000;
/** Shows that the connection on which we listen is alive. */
const PING_MS = 2000;
/** Notes of a fifth of a second; more are not held for a Redis that does not take them. */
const MOST_PENDING = 10;
const QUIET_MS = 60_000;
/** Longest note that is read: a thousand holders of a hundred characters. */
const LONGEST_NOTE = 200_000;

/** A channel that all processes listen to. Connects when somebody begins to listen; nothing ever waits for it. */
export const redisUsageChannel = (options: RedisUsageOptions): UsageChannel => {
  const { clock } = options;
  const report = reporter(options);
  const sending = connect(options.url, report);
  const listening = connect(options.url, report);
  let pending = 0;
  let timer: Timer | undefined;

  const keepAlive = (): void => {
    timer = clock.setTimer(PING_MS, () => {
      if (listening.status === "ready")
        listening.ping().catch(() => {
          if (listening.status === "ready") listening.disconnect(true);
        });
      keepAlive();
    });
  };

  return {
    send(note) {
      // Not connected yet, or no more, which the connection tells of itself.
      if (sending.status !== "ready" || pending >= MOST_PENDING) return;
      pending += 1;
      sending
        .publish(CHANNEL, JSON.stringify(note))
        .catch(report)
        .finally(() => {
          pending -= 1;
        });
    },
    listen(handler) {
      listening.on("message", (_channel: string, text: string) => {
        const note = readNote(text);
        if (note !== undefined) handler(note);
      });
      listening.on("ready", () => {
        listening.subscribe(CHANNEL).catch(report);
      });
      for (const redis of [sending, listening]) redis.connect().catch(report);
      keepAlive();
    },
    async close() {
      timer?.cancel();
      sending.disconnect();
      listening.disconnect();
    },
  };
};

const connect = (url: string, report: (error: unknown) => void): Redis => {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    socketTimeout: SOCKET_MS,
    connectTimeout: COMMAND_MS,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_MOST_MS),
  });
  redis.on("error", report);
  return redis;
};

const reporter = ({ clock, logger, metrics }: RedisUsageOptions): ((error: unknown) => void) => {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (thrown) => {
    metrics.providerError("usage", "redis");
    if (clock.monotonic() < quietUntil) return;
    quietUntil = clock.monotonic() + QUIET_MS;
    logger.warn("rate limits are not shared: each process has its part", { provider: "redis", error: toError(thrown) });
  };
};

/** Whatever else is in the channel is passed over. */
const readNote = (text: string): UsageNote | undefined => {
  if (text.length > LONGEST_NOTE) return undefined;
  try {
    const { from, usage } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return typeof from === "string" && isUsage(usage) ? { from, usage } : undefined;
  } catch {
    return undefined;
  }
};

const isUsage = (value: unknown): value is Usage =>
  Array.isArray(value) &&
  value.every(
    (one: unknown) =>
      Array.isArray(one) && one.length === 2 && typeof one[0] === "string" && typeof one[1] === "number",
  );
