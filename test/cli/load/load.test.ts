import { expect, test } from "vitest";
import type { Dial } from "../../../src/client/client.ts";
import { arrivals } from "../../../src/cli/load/arrivals.ts";
import { missed, reportOf, tableOf } from "../../../src/cli/load/report.ts";
import { runLoad, type LoadDeps } from "../../../src/cli/load/run-load.ts";
import { SeededRandom } from "../../kit/seeded-random.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";

test("calls of a constant stream come evenly, of a ramp ever closer, and of a Poisson process at the rate on average", () => {
  const random = new SeededRandom(7);
  expect(arrivals("constant", 4, 2, random)).toEqual([0, 500, 1000, 1500]);
  const ramp = arrivals("ramp", 100, 10, random);
  const gaps = ramp.slice(1).map((at, index) => at - (ramp[index] ?? 0));
  expect(gaps.every((gap, index) => index === 0 || gap < (gaps[index - 1] ?? 0))).toBe(true);
  // At its end it has come to ten a second.
  expect(gaps.at(-1)).toBeCloseTo(100, -1);
  const poisson = arrivals("poisson", 5000, 10, random);
  expect((poisson.at(-1) ?? 0) / 5000).toBeGreaterThan(95);
  expect((poisson.at(-1) ?? 0) / 5000).toBeLessThan(105);
  expect(poisson.every((at, index) => at >= (poisson[index - 1] ?? 0))).toBe(true);
});

const ended = (heardMs: number): Dial => ({
  id: "d",
  status: "completed",
  endReason: "agent_hangup",
  createdAt: "2026-01-01T00:00:00.000Z",
  startedAt: "2026-01-01T00:00:01.500Z",
  endedAt: "2026-01-01T00:01:00.000Z",
  transcript: [{ text: "Hello.", speaker: "AI", detailType: null, startTimeMs: 40, endTimeMs: 900 }],
  turns: [
    { index: 0, startMs: 0, endReason: "opening", interrupted: false, heardMs: 9999 },
    { index: 1, startMs: 3000, endReason: "silence", interrupted: false, heardMs },
  ],
});

test("a report gives percentiles of what callers waited for, and tells what is worse than it may be", () => {
  const outcomes = [
    ...Array.from({ length: 99 }, (_, index) => ({ type: "ended" as const, createMs: 5, dial: ended(index + 1) })),
    { type: "refused" as const },
  ];
  const report = reportOf(outcomes);
  expect(report).toMatchObject({
    calls: 100,
    completed: 99,
    ends: { agent_hangup: 99, refused: 1 },
    turns: 99,
    heardMs: { count: 99, p50: 50, p95: 95, p99: 99, max: 99 },
    answerMs: { p50: 1500 },
    firstSoundMs: { p50: 40 },
  });
  expect(missed(report, { failedShare: 0.02, heardP95Ms: 95, answerP95Ms: 2000 })).toEqual([]);
  expect(missed(report, { failedShare: 0, heardP95Ms: 94, answerP95Ms: 1000 })).toHaveLength(3);
  expect(missed(reportOf([]), { failedShare: 0, heardP95Ms: 100 })).toEqual(["heardMs at p95 could not be measured"]);
  expect(tableOf(report)).toMatch(/99 of 100 calls completed.*\n.*p95[\s\S]*heardMs +99 +50 +95/);
});

test("calls are placed at their times whatever became of others, and what does not end is hung up", async () => {
  const clock = new VirtualClock();
  const placed: number[] = [];
  const hungUp: string[] = [];
  const startMs = clock.monotonic();
  const client = {
    createDial: async () => {
      placed.push(clock.monotonic() - startMs);
      if (placed.length === 2) throw new Error("refused");
      return { dialId: `d${placed.length}` };
    },
    getDial: async ({ id }: { id: string }) => (id === "d1" && clock.monotonic() - startMs > 5000 ? ended(1) : { id }),
    hangUpDial: async ({ id }: { id: string }) => {
      hungUp.push(id);
    },
  } as unknown as LoadDeps["client"];
  const order = { arrivalsMs: [0, 100, 200], callAgentId: "a", fromNumberId: "n", toNumber: "+1", longestMs: 20_000 };
  const running = runLoad({ client, clock }, order, new AbortController().signal);
  await clock.advance(30_000);
  expect((await running).map(({ type }) => type)).toEqual(["ended", "refused", "unfinished"]);
  expect(placed).toEqual([0, 100, 200]);
  expect(hungUp).toEqual(["d3"]);
});
