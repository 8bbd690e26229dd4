import { expect, test } from "vitest";
import { callEnd } from "../../src/model/call-end.ts";
import { RecordingKeeper } from "../../src/worker/recording-keeper.ts";
import { testPlan } from "../kit/dial-plans.ts";
import { MemoryStore } from "../kit/memory-store.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const STARTED = "2026-01-05T09:00:00.000Z";

test("a recording whose process died gets its length a minute after its dial's end, where it lies", async () => {
  const clock = new VirtualClock();
  const memory = new MemoryStore(clock);
  const { dials } = memory.store;
  for (const dialId of ["here", "elsewhere", "whole", "talking"]) {
    await dials.create({ plan: testPlan({ dialId, toNumber: `+120255501${dialId.length}` }), sessionId: "s" });
    const recording = { id: "r", channels: 2, durationMs: 0, startedAt: STARTED, allowedAt: STARTED };
    await dials.saveRecording(
      dialId,
      dialId === "whole" ? { ...recording, durationMs: 7 } : { ...recording, incomplete: true },
    );
    if (dialId !== "talking")
      await dials.end(dialId, { type: "observed", evidence: 2, end: callEnd("worker_lost", "system") });
  }
  const asked: string[] = [];
  let tended = 0;
  const keeper = new RecordingKeeper({
    clock,
    logger: silentLogger(),
    dials,
    recorder: {
      recover: async (dialId) => {
        asked.push(dialId);
        return dialId === "here" ? 1234.4 : undefined;
      },
      tend: async () => {
        tended += 1;
        if (tended === 2) throw new Error("the store is away");
      },
    },
  });
  keeper.start();
  await clock.advance(45_000);
  expect([asked, tended]).toEqual([[], 1]);
  await clock.advance(60_000);
  expect(new Set(asked)).toEqual(new Set(["here", "elsewhere"]));
  expect(tended).toBe(3);
  const lengths = ["here", "elsewhere", "whole", "talking"].map(
    (dialId) => memory.row(dialId).recordings[0]?.durationMs,
  );
  expect(lengths).toEqual([1234, 0, 7, 0]);
  expect(memory.row("here").recordings).toEqual([
    { id: "r", channels: 2, durationMs: 1234, startedAt: STARTED, allowedAt: STARTED },
  ]);
  keeper.stop();
  await clock.advance(300_000);
  expect(tended).toBe(3);
});
