import { Redis, type RedisOptions } from "ioredis";

type Report = (error: unknown) => void;

/** In what connections differ. */
type Own = Pick<RedisOptions, "enableOfflineQueue" | "commandTimeout" | "lazyConnect" | "connectionName">;

/** A connection that is not there after this long is tried anew. */
const CONNECT_MS = 2_000;
/** A socket on which an answer is due for this long is dead; the longest wait for a job is 5 s. */
const SOCKET_MS = 15_000;
const RECONNECT_MOST_MS = 2_000;

/**
 * Every connection of one queue, or of one consumer. BullMQ waits for ever for the end of a connection whose server is away, or leaves it to
 * itself: it tries for ever, with nobody who listens to its failures, and keeps the process from ending. So each one is made here, heard by
 * `report` for as long as it lives, and ended here.
 */
export class RedisConnections {
  readonly #url: string;
  readonly #report: Report;
  readonly #all = new Set<Redis>();

  constructor(url: string, report: Report) {
    this.#url = url;
    this.#report = report;
  }

  /** For adding jobs: a command fails at once while there is no connection, and after `commandMs` without an answer. */
  forAdding(commandMs: number): Redis {
    return this.#open({ enableOfflineQueue: false, commandTimeout: commandMs });
  }

  /**
   * For a consumer, which makes its own two of it and leaves this one unused. What is under way when a connection breaks is answered by
   * nobody, so it has `commandMs`; the named one of the two waits for jobs, and has as long as its socket.
   */
  forConsuming(commandMs: number): Redis {
    const base = this.#open({ lazyConnect: true });
    base.duplicate = ({ connectionName }: Partial<RedisOptions> = {}) =>
      this.#open(
        connectionName === undefined ? { commandTimeout: commandMs } : { commandTimeout: SOCKET_MS, connectionName },
      );
    return base;
  }

  /** Ends all of them, whether there is a server or not. */
  close(): void {
    for (const redis of this.#all) redis.disconnect();
    this.#all.clear();
  }

  #open(own: Own): Redis {
    const redis = new Redis(this.#url, {
      ...own,
      socketTimeout: SOCKET_MS,
      connectTimeout: CONNECT_MS,
      maxRetriesPerRequest: null,
      autoResendUnfulfilledCommands: false,
      retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times, 10), RECONNECT_MOST_MS),
    });
    this.#all.add(redis);
    redis.on("error", this.#report);
    sayWhenOver(redis);
    return redis;
  }
}

/**
 * Told to end between two tries, a connection stops trying and never says that it is over, for which BullMQ waits. So it is let try once
 * more, which ends it either way.
 */
const sayWhenOver = (redis: Redis): void => {
  const disconnect = redis.disconnect.bind(redis);
  redis.disconnect = (reconnect = false) => {
    if (reconnect || redis.status !== "reconnecting") {
      disconnect(reconnect);
      return;
    }
    redis.options.retryStrategy = () => null;
    redis.once("connect", () => {
      disconnect();
    });
  };
};
