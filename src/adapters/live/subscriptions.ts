import type { Redis } from "ioredis";
import type { Clock, Timer } from "../../ports/clock.ts";

type Handler = (message: string) => void;

/** How often the connection shows that it is alive while somebody relies on it. */
const PING_MS = 5_000;

/**
 * All channels that this process listens to, on one connection. What is listened to is known here and not by the server, so that
 * a connection that comes back subscribes again; `onRestored` tells those who may have missed something.
 */
export class Subscriptions {
  readonly redis: Redis;
  readonly #clock: Clock;
  readonly #report: (error: unknown) => void;
  readonly #handlers = new Map<string, Set<Handler>>();
  readonly #restored = new Set<() => void>();
  #timer: Timer | undefined;
  #closed = false;

  constructor(redis: Redis, clock: Clock, report: (error: unknown) => void) {
    this.redis = redis;
    this.#clock = clock;
    this.#report = report;
    redis.on("message", (channel: string, message: string) => {
      for (const handler of this.#handlers.get(channel) ?? []) handler(message);
    });
    redis.on("ready", () => {
      void this.#restore();
    });
  }

  /** Listens until the returned function is called. While Redis is away it takes effect when Redis is back. */
  async add(channel: string, handler: Handler): Promise<() => void> {
    const known = this.#handlers.get(channel);
    const handlers = known ?? new Set<Handler>();
    this.#handlers.set(channel, handlers.add(handler));
    this.#keepAlive();
    if (known === undefined) await this.redis.subscribe(channel).catch(this.#report);
    return () => {
      if (!handlers.delete(handler) || handlers.size > 0 || this.#handlers.get(channel) !== handlers) return;
      this.#handlers.delete(channel);
      if (!this.#closed) this.redis.unsubscribe(channel).catch(this.#report);
    };
  }

  /** Calls back whenever the connection came back, until the returned function is called. */
  onRestored(handler: () => void): () => void {
    this.#restored.add(handler);
    return () => {
      this.#restored.delete(handler);
    };
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.redis.disconnect();
  }

  async #restore(): Promise<void> {
    const channels = [...this.#handlers.keys()];
    if (channels.length === 0) return;
    await this.redis.subscribe(...channels).catch(this.#report);
    for (const handler of this.#restored) handler();
  }

  /** A silent connection may be half-open; the ping's time-out shows it, and the socket's ends it. */
  #keepAlive(): void {
    if (this.#timer !== undefined || this.#closed) return;
    this.#timer = this.#clock.setTimer(PING_MS, () => {
      this.#timer = undefined;
      if (this.#handlers.size === 0) return;
      this.redis.ping().catch((error: unknown) => {
        this.#report(error);
        if (!this.#closed && this.redis.status === "ready") this.redis.disconnect(true);
      });
      this.#keepAlive();
    });
  }
}
