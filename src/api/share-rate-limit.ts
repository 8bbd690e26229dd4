import type { Clock, Timer } from "../ports/clock.ts";
import type { UsageChannel, UsageNote } from "../ports/usage-channel.ts";
import type { RateLimit } from "./rate-limit.ts";

/** How often the others are told what was let through. */
const TELL_MS = 20;
/** How often they are told that this process is there, when nothing was. */
const BEAT_MS = 1000;
/** A process that was not heard of for this long is gone; so is the channel, when it is our own word that does not come back. */
const SILENT_MS = 3000;
/** Holders in one note; more wait for the next. */
const MOST_HOLDERS = 1000;
/** More than this is nobody's usage of the time between two notes. */
const MOST_TAKEN = 1_000_000;

export type RateSharing = Readonly<{
  limit: RateLimit;
  channel: Pick<UsageChannel, "send" | "listen">;
  clock: Clock;
  /** Told apart from every other process's. */
  name: string;
}>;

/** Shares a limit with the other processes, in the background, until the returned function is called. */
export const shareRateLimit = ({ limit, channel, clock, name }: RateSharing): (() => void) => {
  const heardAt = new Map<string, number>();
  const began = clock.monotonic();
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: Timer;

  channel.listen(({ from, usage }: UsageNote) => {
    heardAt.set(from, clock.monotonic());
    if (from === name) return;
    limit.hear(usage.filter(([, taken]) => Number.isInteger(taken) && taken > 0 && taken <= MOST_TAKEN));
  });

  const beat = (): void => {
    const now = clock.monotonic();
    const usage = limit.tell(MOST_HOLDERS);
    if (usage.length > 0 || now - sentAt >= BEAT_MS) {
      sentAt = now;
      channel.send({ from: name, usage });
    }
    const ownAt = heardAt.get(name) ?? began;
    const connected = now - ownAt <= SILENT_MS;
    // Who is silent while nobody can be heard may be there all the same: only our own word that comes back tells that others are gone.
    for (const [other, at] of heardAt) if (ownAt - at > SILENT_MS) heardAt.delete(other);
    const processes = Math.max(1, heardAt.size);
    limit.share({ processes, connected, delayMs: TELL_MS });
    timer = clock.setTimer(TELL_MS, beat);
  };

  timer = clock.setTimer(TELL_MS, beat);
  return () => {
    timer.cancel();
  };
};
