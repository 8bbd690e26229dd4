import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import { toError } from "../../kit/errors.ts";
import { type Clock, withDeadline } from "../../ports/clock.ts";
import type { LiveEvent } from "../../model/live-event.ts";
import type { CallCommand, LiveEntry, LiveState, MediaTicket } from "../../ports/live.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Metrics } from "../../ports/metrics.ts";
import { KEPT_ENTRIES, KEPT_MS } from "./entries.ts";
import { followStream } from "./follow-stream.ts";
import { Subscriptions } from "./subscriptions.ts";

export type RedisLiveOptions = Readonly<{ url: string; clock: Clock; logger: Logger; metrics: Metrics }>;

/** How long a command may take, a connection to open, and a start to wait for the first one. */
const COMMAND_MS = 2_000;
/** A socket on which an answer is due for this long is dead. */
const SOCKET_MS = 5_000;
const RECONNECT_MOST_MS = 2_000;
/** More writes than this are not held for a Redis that does not take them. */
const MOST_PENDING = 2_000;
const QUIET_MS = 60_000;

/**
 * Live state shared by processes: a stream for each dial, a channel that tells of new entries, a channel for commands, and
 * tickets that are taken by reading and deleting in one command. Two connections, however many dials are followed. Answers
 * after the first connection or 2 s; a Redis that is away is counted and does not stop the process.
 */
export const openRedisLiveState = async (options: RedisLiveOptions): Promise<LiveState> => {
  const { clock, metrics } = options;
  const report = reporter(options);
  const redis = connect(options.url, report);
  const subscriptions = new Subscriptions(connect(options.url, report), clock, report);
  const within = <T>(what: string, work: Promise<T>): Promise<T> => withDeadline(clock, COMMAND_MS, what, work);
  const closing = new AbortController();
  let pending = 0;

  await Promise.all([redis, subscriptions.redis].map((one) => within("Redis", one.connect()).catch(report)));
  return {
    publish(dialId, event) {
      if (pending >= MOST_PENDING) {
        metrics.providerError("live", "redis");
        return;
      }
      pending += 1;
      append(redis, streamKey(dialId), event)
        .catch(report)
        .finally(() => {
          pending -= 1;
        });
    },
    follow: (dialId, afterId, signal): AsyncIterable<LiveEntry> =>
      followStream({ redis, subscriptions, clock, report, closed: closing.signal }, streamKey(dialId), afterId, signal),
    async command(dialId, command) {
      return (await within("sending a command", redis.publish(commandKey(dialId), JSON.stringify(command)))) > 0;
    },
    onCommand: (dialId, handler) =>
      subscriptions.add(commandKey(dialId), (text) => {
        const command = commandOf(text);
        if (command !== undefined) handler(command);
      }),
    async isHeard(dialId) {
      const key = commandKey(dialId);
      const [, listeners] = await within("looking for a call's worker", redis.pubsub("NUMSUB", key));
      return Number(listeners) > 0;
    },
    async forget(dialId) {
      await within("forgetting a dial", redis.del(streamKey(dialId)));
    },
    async issueTicket(token, ticket, ttlMs) {
      const text = JSON.stringify(ticket);
      const set = redis.set(ticketKey(token), text, "PX", Math.max(1, Math.round(ttlMs)), "NX");
      if ((await within("issuing a ticket", set)) === null)
        throw new Error("a ticket was issued under a token that is in use");
    },
    async takeTicket(token) {
      const text = await within("taking a ticket", redis.getdel(ticketKey(token)));
      return text === null ? undefined : ticketOf(text);
    },
    async close() {
      closing.abort();
      subscriptions.close();
      redis.disconnect();
    },
  };
};

const append = async (redis: Redis, key: string, event: LiveEvent): Promise<void> => {
  const results = await redis
    .pipeline()
    .xadd(key, "MAXLEN", "~", KEPT_ENTRIES, "*", "e", JSON.stringify(event))
    .pexpire(key, KEPT_MS)
    .publish(key, "")
    .exec();
  const failed = results?.find(([error]) => error !== null);
  if (failed?.[0]) throw failed[0];
};

/** Commands fail at once while there is no connection, and are never sent twice. */
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

const streamKey = (dialId: string): string => `call-engine:live:${dialId}`;
const commandKey = (dialId: string): string => `call-engine:command:${dialId}`;
/** Whoever reads Redis does not learn a token that opens a call's media. */
const ticketKey = (token: string): string =>
  `call-engine:ticket:${createHash("sha256").update(token).digest("base64url")}`;

const commandOf = (text: string): CallCommand | undefined => {
  const value = parse(text);
  const by = value?.["by"];
  if (value?.["type"] === "answered-by")
    return by === "human" || by === "machine" || by === "fax" ? { type: "answered-by", by } : undefined;
  const action = value?.["action"];
  if (value?.["type"] === "recording")
    return action === "start" || action === "pause" || action === "resume" ? { type: "recording", action } : undefined;
  if (value?.["type"] !== "hang-up") return undefined;
  const reason = value["endReason"];
  return reason === "operator_hangup" || reason === "canceled" ? { type: "hang-up", endReason: reason } : undefined;
};

const ticketOf = (text: string): MediaTicket | undefined => {
  const { dialId, epoch, carrier } = parse(text) ?? {};
  return typeof dialId === "string" && typeof epoch === "number" && typeof carrier === "string"
    ? { dialId, epoch, carrier }
    : undefined;
};

const parse = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
};

/** Counts every failure, and logs the first of a run of them, a minute apart. */
const reporter = ({ clock, logger, metrics }: RedisLiveOptions): ((error: unknown) => void) => {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (thrown) => {
    metrics.providerError("live", "redis");
    if (clock.monotonic() < quietUntil) return;
    quietUntil = clock.monotonic() + QUIET_MS;
    logger.warn("live state in Redis fails", { provider: "redis", error: toError(thrown) });
  };
};
