import * as fc from "fast-check";
import { expect, test } from "vitest";
import { callEnd } from "../../src/model/call-end.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { runs } from "../kit/runs.ts";
import { expectTidy } from "./tidy.ts";
import { WorkerRig } from "./worker-rig.ts";

test("jobs that name anything at all leave the worker able to take a dial", async () => {
  const rig = new WorkerRig();
  await rig.worker.start();
  const names = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.json(),
    fc.uuid(),
    fc.constantFrom("", "__proto__", "constructor", "d1\u0000", "../d1", "null", "x".repeat(10_000)),
  );
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      await rig.queue.add(name);
    }),
    { numRuns: runs(300, 100_000) },
  );
  await rig.clock.advance(1_000);
  expect(rig.worker.held).toBe(0);
  await rig.dial("d1", { answers: ["accepted"], person: "answers", ringMs: 1_000, talkMs: 3_000 });
  expect(await rig.ended("d1")).toMatchObject(callEnd("counterparty_hangup", "remote"));
  await expectTidy(rig);
}, 120_000);

/** A process whose clock on the wall is wrong by this much; its durations are right. */
const skewed = (clock: Clock, ms: number): Clock => ({
  now: () => clock.now() + ms,
  monotonic: () => clock.monotonic(),
  setTimer: (forMs, callback) => clock.setTimer(forMs, callback),
});

test.for([-600_000, 600_000])(
  "a worker and a reaper whose clocks are wrong by %d ms end no dial early, late or untruly",
  async (ms) => {
    const rig = new WorkerRig({}, (deps) => ({ ...deps, clock: skewed(deps.clock, ms) }));
    await rig.worker.start();
    rig.reaper.start();
    await rig.dial("d1", { answers: ["accepted"], person: "answers", ringMs: 2_000, talkMs: 400_000 });
    // Longer than every lease and horizon; the wall clock that counts is the store's.
    const end = await rig.ended("d1");
    expect(end).toMatchObject({ ...callEnd("counterparty_hangup", "remote"), evidence: 3 });
    expect(end.at).toBe(402_200);
    await rig.dial("d2", { answers: ["lost-after"], person: "answers", ringMs: 2_000, talkMs: 10_000, listMs: 5_000 });
    expect(await rig.ended("d2")).toMatchObject({ reason: "counterparty_hangup" });
    await rig.dial("d3", { answers: ["lost-before"], person: "answers" });
    expect(await rig.ended("d3")).toMatchObject({ reason: "carrier_error" });
    await rig.reaper.stop();
    await rig.worker.drain();
  },
);
