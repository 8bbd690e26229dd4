import { expect, test } from "vitest";
import { RateLimit } from "../../src/api/rate-limit.ts";
import { shareRateLimit } from "../../src/api/share-rate-limit.ts";
import type { UsageNote } from "../../src/ports/usage-channel.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const PER_SECOND = 500;
/** How long a note is on its way. */
const TRAVEL_MS = 20;
const STEP_MS = 10;

/** Processes of one deployment that share a limit over a channel that can be cut. */
const open = (count: number) => {
  const clock = new VirtualClock();
  const handlers: ((note: UsageNote) => void)[] = [];
  const state = { cut: false };
  const channel = {
    send: (note: UsageNote) => {
      if (state.cut) return;
      clock.setTimer(TRAVEL_MS, () => {
        for (const handler of handlers) handler(note);
      });
    },
    listen: (handler: (note: UsageNote) => void) => {
      handlers.push(handler);
    },
  };
  const limits = Array.from({ length: count }, () => new RateLimit(PER_SECOND, clock));
  const stops: (() => void)[] = [];
  // They begin, and so tell, at different moments.
  const begin = async () => {
    for (const [index, limit] of limits.entries()) {
      stops.push(shareRateLimit({ limit, channel, clock, name: `process ${index}` }));
      await clock.advance(730);
    }
  };
  /** Requests that come as the function says, for so many seconds; answers how many were let through. */
  const run = async (seconds: number, requestsAt: (step: number, process: number) => number): Promise<number> => {
    let allowed = 0;
    for (let step = 0; step < (seconds * 1000) / STEP_MS; step++) {
      for (const [process, limit] of limits.entries())
        for (let request = requestsAt(step, process); request > 0; request--) if (limit.take("a").allowed) allowed += 1;
      await clock.advance(STEP_MS);
    }
    return allowed;
  };
  const close = () => {
    for (const stop of stops) stop();
  };
  return { clock, state, begin, run, close };
};

const MINUTE = 60;
const MOST = PER_SECOND * MINUTE * 1.01;

test.each([2, 3])(
  "%i processes under a flood of one key let no more through in a minute than the limit, within one percent",
  async (count) => {
    const processes = open(count);
    await processes.begin();
    const allowed = await processes.run(MINUTE, () => 10);
    expect(allowed).toBeLessThanOrEqual(MOST);
    expect(allowed).toBeGreaterThanOrEqual(PER_SECOND * MINUTE * 0.9);
    processes.close();
    expect(processes.clock.pending).toBeLessThanOrEqual(count);
  },
  60_000,
);

test("bursts that come to any of the processes at any moment hold to the limit as well", async () => {
  const processes = open(2);
  await processes.begin();
  const random = new SeededRandom(11);
  const allowed = await processes.run(MINUTE, () => (random.fraction() < 0.02 ? 700 : 0));
  expect(allowed).toBeLessThanOrEqual(MOST);
  expect(allowed).toBeGreaterThan(PER_SECOND * MINUTE * 0.5);
  processes.close();
}, 60_000);

test("a key that is used at one process alone has the whole limit there", async () => {
  const processes = open(3);
  await processes.begin();
  await processes.run(2, () => 0);
  const allowed = await processes.run(10, (_step, process) => (process === 0 ? 10 : 0));
  expect(allowed).toBeGreaterThanOrEqual(PER_SECOND * 10 * 0.98);
  expect(allowed).toBeLessThanOrEqual(PER_SECOND * 10 * 1.01);
  processes.close();
}, 60_000);

test("without the channel each has its part, and with it again they share", async () => {
  const processes = open(2);
  await processes.begin();
  await processes.run(2, () => 0);
  processes.state.cut = true;
  // It is missed within three seconds.
  await processes.run(5, () => 0);
  const apart = await processes.run(10, () => 10);
  expect(apart).toBeGreaterThanOrEqual(PER_SECOND * 10 * 0.98);
  expect(apart).toBeLessThanOrEqual(PER_SECOND * 10 * 1.01);
  const one = await processes.run(10, (_step, process) => (process === 0 ? 10 : 0));
  expect(one).toBeLessThanOrEqual((PER_SECOND / 2) * 11);
  processes.state.cut = false;
  await processes.run(5, () => 0);
  const again = await processes.run(10, (_step, process) => (process === 0 ? 10 : 0));
  expect(again).toBeGreaterThanOrEqual(PER_SECOND * 10 * 0.98);
  processes.close();
}, 60_000);
