import { expect } from "vitest";
import { WorkerRig } from "./worker-rig.ts";

/** A rig whose worker takes dials. */
export const started = async (...parameters: ConstructorParameters<typeof WorkerRig>): Promise<WorkerRig> => {
  const rig = new WorkerRig(...parameters);
  await rig.worker.start();
  return rig;
};

/** Whatever happened: counted once, told once, nothing left behind. */
export const expectTidy = async (rig: WorkerRig, dialId = "d1") => {
  await rig.worker.drain();
  expect(rig.metrics.ended).toHaveLength(1);
  const terminal = rig.live.statuses(dialId).filter((status) => !["ringing", "in-progress"].includes(status));
  expect(terminal).toHaveLength(1);
  expect(rig.calls.discarded).toEqual(rig.calls.prepared);
  expect(rig.lines.size).toBe(0);
  expect(rig.tapes.every((tape) => tape.closed)).toBe(true);
  expect(rig.metrics.durations).toHaveLength(rig.metrics.started);
  await rig.clock.advance(1_000);
  expect(rig.clock.pending).toBe(0);
};
