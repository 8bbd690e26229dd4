import type { Redis } from "ioredis";
import { deferred } from "../../kit/deferred.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LiveEvent } from "../../model/live-event.ts";
import type { LiveEntry } from "../../ports/live.ts";
import { isLast } from "./entries.ts";
import type { Subscriptions } from "./subscriptions.ts";

export type FollowDeps = Readonly<{
  redis: Redis;
  subscriptions: Subscriptions;
  clock: Clock;
  report: (error: unknown) => void;
  closed: AbortSignal;
}>;

/** Entries that are read at a time; a follower holds no more than these. */
const BATCH = 200;
/** A follower that is told of nothing looks again after this long, in case the telling was lost. */
const LOOK_MS = 5_000;
/** Pause after a failure. */
const RETRY_MS = 500;

/**
 * A stream's entries after one of them, and those that come. The channel of the same name only says that there is something new;
 * what is new is read from the stream by position, so that nothing is lost or doubled whatever happens to the connection.
 */
export async function* followStream(
  deps: FollowDeps,
  key: string,
  afterId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<LiveEntry> {
  const bell = new Bell();
  const ended = () => signal.aborted || deps.closed.aborted;
  const end = () => {
    bell.ring();
  };
  signal.addEventListener("abort", end, { once: true });
  deps.closed.addEventListener("abort", end, { once: true });
  const forget = deps.subscriptions.onRestored(() => bell.ring());
  const unsubscribe = await deps.subscriptions.add(key, () => bell.ring());
  let position = afterId !== undefined && ID.test(afterId) ? afterId : "0-0";
  try {
    for (let first = true; !ended(); first = false) {
      bell.reset();
      const found = await read(deps, key, position, first);
      for (const entry of found.entries) {
        if (ended()) return;
        position = entry.id;
        yield entry;
        if (isLast(entry.event)) return;
      }
      if (found.over) return;
      if (ended()) return;
      if (found.entries.length < BATCH) await bell.wait(deps.clock, found.failed ? RETRY_MS : LOOK_MS);
    }
  } finally {
    unsubscribe();
    forget();
    signal.removeEventListener("abort", end);
    deps.closed.removeEventListener("abort", end);
  }
}

/** Ids that Redis gives; another is not one of ours and means the beginning. */
const ID = /^\d{1,15}-\d{1,10}$/u;

/** Remembers that somebody rang while nobody waited. */
class Bell {
  #rung = deferred<void>();

  ring(): void {
    this.#rung.resolve();
  }

  reset(): void {
    this.#rung = deferred<void>();
  }

  async wait(clock: Clock, ms: number): Promise<void> {
    const timer = clock.setTimer(ms, () => {
      this.ring();
    });
    await this.#rung.promise;
    timer.cancel();
  }
}

type Found = Readonly<{ entries: readonly LiveEntry[]; over: boolean; failed: boolean }>;

/** `over`: the stream has had its last entry before `position`, so that none will come. Only looked for at first. */
const read = async (deps: FollowDeps, key: string, position: string, first: boolean): Promise<Found> => {
  try {
    const rows = await deps.redis.xrange(key, `(${position}`, "+", "COUNT", BATCH);
    const entries = rows.flatMap(([id, fields]) => entryOf(id, fields));
    if (!first || entries.length > 0) return { entries, over: false, failed: false };
    const before = await deps.redis.xrevrange(key, position, "-", "COUNT", BATCH);
    const over = before.some(([id, fields]) => entryOf(id, fields).some(({ event }) => isLast(event)));
    return { entries, over, failed: false };
  } catch (error) {
    deps.report(error);
    return { entries: [], over: false, failed: true };
  }
};

const entryOf = (id: string, fields: readonly string[]): readonly LiveEntry[] => {
  const text = fields[1];
  // Only this service writes the stream, and always the event in one field.
  return text === undefined ? [] : [{ id, event: JSON.parse(text) as LiveEvent }];
};
