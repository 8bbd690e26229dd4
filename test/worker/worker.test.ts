import { expect, test } from "vitest";
import type { Clock } from "../../src/ports/clock.ts";
import { StallWatch } from "../../src/worker/stall-watch.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import type { Script } from "./sim-carrier.ts";
import { planOf, WorkerRig } from "./worker-rig.ts";

const TALKS: Script = { answers: ["accepted"], person: "answers", ringMs: 1_000, talkMs: 10_000 };
const TALKS_ON: Script = { answers: ["accepted"], person: "answers", ringMs: 1_000 };

test("a worker holds no more dials than it has slots, and takes no more jobs meanwhile", async () => {
  const rig = new WorkerRig({ slots: 2 });
  await rig.worker.start();
  for (const id of ["d1", "d2", "d3", "d4"]) await rig.dial(id, TALKS);
  await rig.clock.advance(500);
  expect(rig.carrier.posts.map((post) => post.dialId)).toEqual(["d1", "d2"]);
  expect(rig.worker.held).toBe(2);
  expect(rig.store.row("d3").state).toBe("QUEUED");
  await rig.ended("d4");
  expect(rig.carrier.posts.map((post) => post.dialId)).toEqual(["d1", "d2", "d3", "d4"]);
});

test("a workspace at its limit waits in order and lets others pass", async () => {
  const rig = new WorkerRig({ perWorkspace: 1 });
  await rig.worker.start();
  await rig.dial("a1", TALKS);
  await rig.dial("a2", TALKS);
  await rig.dial("a3", TALKS);
  await rig.dial("b1", TALKS, { workspaceId: "other" });
  await rig.clock.advance(100);
  expect(rig.carrier.posts.map((post) => post.dialId)).toEqual(["a1", "b1"]);
  await rig.ended("a3");
  expect(rig.carrier.posts.map((post) => post.dialId)).toEqual(["a1", "b1", "a2", "a3"]);
});

test("dials start at the carrier's pace", async () => {
  const rig = new WorkerRig({ perSecond: 10 });
  await rig.worker.start();
  for (const id of ["d1", "d2", "d3"]) await rig.dial(id, TALKS);
  await rig.clock.advance(1_000);
  expect(rig.carrier.posts.map((post) => post.at)).toEqual([0, 100, 200]);
});

test("a second dial to the same number waits until the first one rings", async () => {
  const rig = new WorkerRig();
  await rig.worker.start();
  rig.reaper.start();
  await rig.dial("d1", { ...TALKS, answerMs: 7_000, ringMs: 20_000, callbacks: false }, { toNumber: "+12025550123" });
  await rig.dial("d2", TALKS, { toNumber: "+12025550123" });
  await rig.clock.advance(6_000);
  expect(rig.carrier.posts.map((post) => post.dialId)).toEqual(["d1"]);
  expect(rig.store.row("d2").state).toBe("QUEUED");
  await rig.clock.advance(5_000);
  expect(rig.carrier.posts.map((post) => post.dialId)).toEqual(["d1", "d2"]);
  await rig.ended("d1");
  await rig.reaper.stop();
});

test("a job that comes twice places once", async () => {
  const rig = new WorkerRig({ slots: 1 });
  await rig.worker.start();
  await rig.dial("d1", TALKS);
  await rig.queue.add("d1");
  await rig.dial("d2", TALKS);
  await rig.queue.add("d2");
  await rig.ended("d2");
  await rig.queue.add("d1");
  await rig.clock.advance(1_000);
  expect(rig.carrier.posts.map((post) => post.dialId)).toEqual(["d1", "d2"]);
  expect(rig.metrics.ended).toHaveLength(2);
});

test("a new dial begins without a job where there is room, and needs one where there is none", async () => {
  const rig = new WorkerRig({ slots: 2, perWorkspace: 1 });
  const made = async (dialId: string): Promise<boolean> => {
    rig.carrier.script(dialId, TALKS);
    await rig.store.store.dials.create({ plan: planOf(dialId), sessionId: `session-${dialId}` });
    return rig.worker.offer({ dialId, workspaceId: planOf(dialId).workspaceId });
  };
  expect(await made("early")).toBe(false);
  await rig.worker.start();
  expect(await made("d1")).toBe(true);
  expect(await made("d2")).toBe(true);
  expect(await made("d3")).toBe(false);
  await rig.ended("d2");
  expect(rig.carrier.posts.map((post) => post.dialId)).toEqual(["d1", "d2"]);
  const draining = rig.worker.drain();
  expect(await made("late")).toBe(false);
  await rig.clock.advance(20_000);
  await draining;
  expect(rig.queue.added).toEqual([]);
});

test("a dial that was taken up without a job is found again when its process dies before it was placed", async () => {
  const rig = new WorkerRig({ slots: 2, perWorkspace: 1 });
  await rig.worker.start();
  await rig.dial("d1", TALKS);
  rig.carrier.script("d2", TALKS);
  await rig.store.store.dials.create({ plan: planOf("d2"), sessionId: "session-d2" });
  expect(rig.worker.offer({ dialId: "d2", workspaceId: planOf("d2").workspaceId })).toBe(true);
  rig.worker.withdraw("d2");
  rig.reaper.start();
  await rig.ended("d2");
  expect(rig.carrier.posts.map((post) => post.dialId)).toEqual(["d1", "d2"]);
  await rig.reaper.stop();
});

test("a drain takes nothing new, waits for what rings and for the calls, and gives the waiting back", async () => {
  const rig = new WorkerRig({ slots: 2, perWorkspace: 2, drainMs: 60_000 });
  await rig.worker.start();
  await rig.dial("talking", TALKS);
  await rig.dial("ringing", { ...TALKS, ringMs: 25_000 });
  await rig.dial("waiting", TALKS);
  await rig.clock.advance(3_000);
  let drained = false;
  void rig.worker.drain().then(() => {
    drained = true;
  });
  await rig.dial("late", TALKS);
  await rig.clock.advance(20_000);
  expect(rig.store.row("talking").end).toMatchObject({ reason: "counterparty_hangup" });
  expect(rig.store.row("ringing").state).toBe("RINGING");
  expect(drained).toBe(false);
  await rig.clock.advance(5_000);
  expect(rig.worker.connected).toBe(1);
  await rig.clock.advance(10_000);
  expect(drained).toBe(true);
  expect(rig.store.row("ringing").end).toMatchObject({ reason: "counterparty_hangup" });
  expect(rig.store.row("waiting").state).toBe("QUEUED");
  expect(rig.store.row("late").state).toBe("QUEUED");
  expect(rig.clock.pending).toBe(0);
});

test("dials that waited in the worker go back to the queue at a drain", async () => {
  const rig = new WorkerRig({ perWorkspace: 1 });
  await rig.worker.start();
  await rig.dial("d1", TALKS);
  await rig.dial("d2", TALKS);
  await rig.clock.advance(2_000);
  expect(rig.queue.waiting).toBe(0);
  const draining = rig.worker.drain();
  await rig.clock.advance(20_000);
  await draining;
  expect(rig.queue.added).toEqual(["d1", "d2", "d2"]);
  expect(rig.store.row("d2")).toMatchObject({ state: "QUEUED", jobId: "job-3" });
});

test("a phone that rings when the time to wait is over stops ringing", async () => {
  const rig = new WorkerRig({ drainMs: 5_000 });
  await rig.worker.start();
  await rig.dial("d1", { ...TALKS, ringMs: 25_000 });
  await rig.clock.advance(3_000);
  const draining = rig.worker.drain();
  await rig.clock.advance(4_900);
  expect(rig.carrier.callOf("d1")?.state).not.toBe("ended");
  await rig.clock.advance(2_000);
  await draining;
  expect(rig.store.row("d1").end).toMatchObject({ reason: "worker_lost", endedBy: "system" });
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
});

test("a second drain ends the calls", async () => {
  const rig = new WorkerRig({ drainMs: 3_600_000 });
  await rig.worker.start();
  await rig.dial("d1", TALKS_ON);
  await rig.clock.advance(3_000);
  const first = rig.worker.drain();
  await rig.clock.advance(7_000);
  expect(rig.worker.connected).toBe(1);
  expect(rig.calls.polite).toEqual([]);
  expect(rig.worker.drain()).toBe(first);
  await rig.clock.advance(500);
  await first;
  expect(rig.calls.polite).toEqual(["d1"]);
  expect(rig.store.row("d1")).toMatchObject({ end: { reason: "worker_lost", endedBy: "system" } });
  expect(rig.carrier.hangUps).toEqual([{ callId: "call-1", at: 10_000 }]);
  expect(rig.clock.pending).toBe(0);
});

test("calls that outlast the drain are ended, and a call that does not let go holds it up for fifteen seconds at most", async () => {
  const rig = new WorkerRig({ drainMs: 60_000 });
  await rig.worker.start();
  await rig.dial("d1", TALKS_ON);
  await rig.clock.advance(3_000);
  rig.store.away = true;
  let drainedAt = 0;
  void rig.worker.drain().then(() => {
    drainedAt = rig.clock.monotonic();
  });
  await rig.clock.advance(120_000);
  expect(drainedAt).toBe(3_000 + 60_000 + 15_000);
  // Nothing keeps the process alive after that.
  expect(rig.worker.held).toBe(0);
  expect(rig.clock.pending).toBe(0);
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
});

test("a dial whose call is being looked for is left to the reaper when a drain is to hurry", async () => {
  const rig = new WorkerRig();
  await rig.worker.start();
  await rig.dial("d1", { ...TALKS, answers: ["lost-before"] });
  await rig.clock.advance(2_000);
  const draining = rig.worker.drain();
  void rig.worker.drain();
  await rig.clock.advance(1_000);
  await draining;
  expect(rig.store.row("d1").state).toBe("PLACING");
  rig.reaper.start();
  expect(await rig.ended("d1")).toMatchObject({ reason: "worker_lost", evidence: 1 });
  await rig.reaper.stop();
  expect(rig.carrier.posts).toHaveLength(1);
});

test("a claim that the store does not answer is not followed by a request to ring", async () => {
  const rig = new WorkerRig({}, (deps) => ({
    ...deps,
    dials: { ...deps.dials, claim: () => new Promise(() => undefined) },
  }));
  await rig.worker.start();
  await rig.dial("d1", TALKS);
  await rig.clock.advance(6_000);
  expect(rig.worker.held).toBe(0);
  expect(rig.carrier.posts).toEqual([]);
  await rig.worker.drain();
});

test("an event loop that stood still is noticed by its own lateness and trusted again after two ticks on time", async () => {
  const virtual = new VirtualClock();
  let lateMs = 0;
  const clock: Clock = {
    now: () => virtual.now(),
    monotonic: () => virtual.monotonic(),
    setTimer: (ms, callback) => virtual.setTimer(ms + lateMs, callback),
  };
  const changes: [number, boolean][] = [];
  const watch = new StallWatch(clock, (stalled) => changes.push([virtual.monotonic(), stalled]));
  watch.start();
  await virtual.advance(499);
  lateMs = 1_001;
  await virtual.advance(1);
  lateMs = 0;
  await virtual.advance(10_000);
  expect(changes).toEqual([
    [2_001, true],
    [3_001, false],
  ]);
  watch.stop();
  expect(virtual.pending).toBe(0);
});

test("a worker whose event loop stood still claims nothing until it runs again", async () => {
  let lateMs = 0;
  const rig = new WorkerRig({}, (deps) => ({
    ...deps,
    clock: {
      now: () => deps.clock.now(),
      monotonic: () => deps.clock.monotonic(),
      setTimer: (ms, callback) => deps.clock.setTimer(ms + lateMs, callback),
    },
  }));
  lateMs = 5_000;
  await rig.worker.start();
  lateMs = 0;
  await rig.clock.advance(5_600);
  await rig.dial("d1", TALKS);
  await rig.clock.advance(500);
  expect(rig.carrier.posts).toEqual([]);
  await rig.clock.advance(1_000);
  expect(rig.carrier.posts.map((post) => post.at)).toEqual([6_500]);
});

test("a person who answered, heard nothing and hung up unseen is not one who did not answer", async () => {
  const rig = new WorkerRig();
  await rig.worker.start();
  await rig.dial("d1", { ...TALKS, talkMs: 5_000, media: false, callbacks: false });
  expect(await rig.ended("d1")).toMatchObject({ reason: "media_lost", evidence: 3 });
});
