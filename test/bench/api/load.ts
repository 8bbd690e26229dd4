import { sleep, type Clock } from "../../../src/ports/clock.ts";

/** Latencies in milliseconds, of requests that were answered. */
export type Latency = Readonly<{ count: number; p50: number; p90: number; p99: number; max: number }>;

export type LoadResult = Readonly<{
  latency: Latency;
  failures: number;
  /** Requests a second that were really sent. */
  perSecond: number;
  /** How much later than planned the latest request was sent, in milliseconds; much of it means that we were the slow part. */
  latestStartMs: number;
}>;

/**
 * Sends requests at a steady rate, whether or not earlier ones were answered, so that a stall counts for everything that it
 * holds up.
 */
export const runLoad = async (
  clock: Clock,
  { perSecond, seconds }: Readonly<{ perSecond: number; seconds: number }>,
  send: () => Promise<unknown>,
): Promise<LoadResult> => {
  const times: number[] = [];
  let failures = 0;
  let latestStartMs = 0;
  const open: Promise<void>[] = [];
  const total = Math.round(perSecond * seconds);
  const begin = clock.monotonic();
  for (let sent = 0; sent < total; sent++) {
    const planned = begin + (sent * 1000) / perSecond;
    const early = planned - clock.monotonic();
    if (early > 0) await sleep(clock, early);
    const started = clock.monotonic();
    latestStartMs = Math.max(latestStartMs, started - planned);
    open.push(
      send().then(
        () => void times.push(clock.monotonic() - started),
        () => void (failures += 1),
      ),
    );
  }
  const ranFor = (clock.monotonic() - begin) / 1000;
  await Promise.all(open);
  return { latency: latencyOf(times), failures, perSecond: total / ranFor, latestStartMs };
};

/** @throws RangeError when there is nothing to describe. */
export const latencyOf = (times: readonly number[]): Latency => {
  if (times.length === 0) throw new RangeError("nothing was measured");
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] as number;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
};
