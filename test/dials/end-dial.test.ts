import { expect, test } from "vitest";
import { endDial } from "../../src/dials/end-dial.ts";
import { hangUp } from "../../src/dials/hang-up.ts";
import { report } from "../../src/dials/report.ts";
import { callEnd } from "../../src/model/call-end.ts";
import { ApiRig } from "../kit/api-rig.ts";

const start = async () => {
  const rig = new ApiRig();
  const { dialId } = await rig.dial();
  const deps = { ...rig.deps, dials: rig.memory.store.dials };
  await deps.dials.claim(dialId, "worker");
  const told = () => rig.live.published.flatMap(({ event }) => (event.type === "status" ? [event.status] : []));
  return { rig, dialId, deps, told };
};

test("an end is told and counted once, however often it is said", async () => {
  const { rig, dialId, deps, told } = await start();
  const ending = { evidence: 2, type: "observed", end: callEnd("agent_hangup", "agent") } as const;
  expect(await endDial(deps, dialId, ending)).toMatchObject({ changed: true, corrected: false });
  expect(await endDial(deps, dialId, ending)).toMatchObject({ changed: false });
  expect(told()).toEqual(["queued", "completed"]);
  expect(rig.seen.ended).toEqual([callEnd("agent_hangup", "agent")]);
});

test("a correction is told, and not counted as a second ending", async () => {
  const { rig, dialId, deps, told } = await start();
  await endDial(deps, dialId, { evidence: 1, type: "observed", end: callEnd("worker_lost", "system") });
  await report(deps, { dialId, call: { state: "ended", callId: "c1", end: { cause: "busy" } } });
  expect(told()).toEqual(["queued", "failed", "busy"]);
  expect(rig.seen.ended).toEqual([callEnd("worker_lost", "system")]);
});

test("a report on a dial that does not exist changes nothing", async () => {
  const { deps, told } = await start();
  await report(deps, { dialId: "none", call: { state: "ringing", callId: "c1" } });
  expect(told()).toEqual(["queued"]);
});

test("a hang-up whose command is lost is left to the intent that was noted", async () => {
  const { rig, dialId, deps } = await start();
  const live = { ...deps.live, publish: () => undefined, command: () => Promise.reject(new Error("no redis")) };
  await hangUp({ ...deps, live }, "w1", dialId);
  expect(rig.memory.row(dialId).intent).toEqual({ reason: "canceled", endedBy: "api" });
  expect(rig.log.some((line) => line.includes("hang-up did not reach"))).toBe(true);
});
