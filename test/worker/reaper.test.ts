import { expect, test } from "vitest";
import { callEnd } from "../../src/model/call-end.ts";
import type { Script } from "./sim-carrier.ts";
import { planOf, WorkerRig } from "./worker-rig.ts";

const TALKS: Script = { answers: ["accepted"], person: "answers", ringMs: 2_000, talkMs: 20_000 };

/** A dial that a worker claimed and placed before it died, at the given moment. */
const orphan = async (rig: WorkerRig, dialId: string, script: Script, attached = true) => {
  rig.carrier.script(dialId, script);
  const { dials } = rig.store.store;
  await dials.create({ plan: planOf(dialId), sessionId: "session" });
  const claim = await dials.claim(dialId, "dead worker");
  if (claim === undefined) throw new Error("not claimed");
  void rig.carrier.place(
    {
      dialId,
      to: "+12025550123",
      from: "+12025550100",
      ringTimeoutMs: 30_000,
      timeLimitMs: 600_000,
      mediaUrl: "wss://calls.test/media/sim/nobody",
      statusUrl: "https://calls.test/status",
      answerUrl: "https://calls.test/answer",
    },
    new AbortController().signal,
  );
  await rig.clock.advance(200);
  const callId = rig.carrier.callOf(dialId)?.callId;
  if (attached && callId !== undefined) await dials.attachCall(claim, callId);
  return claim;
};

test("a queued dial without a job gets one every five seconds, and waits ten minutes at most", async () => {
  const rig = new WorkerRig();
  await rig.store.store.dials.create({ plan: planOf("d1"), sessionId: "session" });
  rig.reaper.start();
  await rig.clock.advance(5_000);
  expect(rig.queue.added).toEqual(["d1"]);
  expect(rig.store.row("d1").jobId).toBe("job-1");
  await rig.clock.advance(5_000);
  expect(rig.queue.added).toEqual(["d1", "d1"]);
  await rig.clock.advance(600_000);
  expect(rig.store.row("d1").end).toMatchObject({ reason: "expired" });
  expect(rig.metrics.ended).toEqual([callEnd("expired", "system")]);
  expect(rig.live.statuses("d1")).toEqual(["failed"]);
  await rig.reaper.stop();
  expect(rig.clock.pending).toBe(0);
});

test("a browser dial waits two minutes for its visitor and gets no job meanwhile", async () => {
  const rig = new WorkerRig();
  const plan = { ...planOf("d1"), direction: "browser", carrier: "browser" } as const;
  await rig.store.store.dials.create({ plan, sessionId: "session" });
  rig.reaper.start();
  await rig.clock.advance(119_000);
  expect(rig.store.row("d1").state).toBe("QUEUED");
  await rig.clock.advance(7_000);
  expect(rig.store.row("d1").end).toMatchObject({ reason: "no_client", endedBy: "system" });
  expect(rig.queue.added).toEqual([]);
  expect(rig.metrics.ended).toEqual([callEnd("no_client", "system")]);
  expect(rig.live.statuses("d1")).toEqual(["no-answer"]);
  await rig.reaper.stop();
});

test("a live call without a worker is cut: intent, hang-up, end", async () => {
  const rig = new WorkerRig();
  await orphan(rig, "d1", { ...TALKS, talkMs: 1e8, callbacks: false });
  rig.reaper.start();
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "worker_lost", endedBy: "system", evidence: 3 });
  // The lease lapses at 15 s, and the sweep after that comes within five.
  expect(end.at).toBeLessThan(21_000);
  expect(rig.store.row("d1").intent).toEqual({ reason: "worker_lost", endedBy: "system" });
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  expect(rig.metrics.ended).toHaveLength(1);
  expect(rig.metrics.lapsed).toBe(1);
  await rig.reaper.stop();
});

test("why its worker was about to hang up outlives the worker", async () => {
  const rig = new WorkerRig();
  const claim = await orphan(rig, "d1", { ...TALKS, talkMs: 1e8, callbacks: false });
  await rig.store.store.dials.intendHangUp("d1", "max_duration", "system", claim);
  rig.reaper.start();
  expect(await rig.ended("d1")).toMatchObject({ reason: "max_duration", endedBy: "system" });
  await rig.reaper.stop();
});

test("a call that ended after its worker's death ends on the carrier's word", async () => {
  const rig = new WorkerRig();
  await orphan(rig, "d1", { ...TALKS, person: "busy", callbacks: false });
  rig.reaper.start();
  expect(await rig.ended("d1")).toMatchObject({ reason: "busy", endedBy: "remote", evidence: 3 });
  await rig.reaper.stop();
});

test.for([false, true])(
  "a call that its carrier completes because its worker died is the worker's loss and no hang-up: live state away %s",
  async (away) => {
    const rig = new WorkerRig();
    rig.live.away = away;
    await orphan(rig, "d1", { ...TALKS, talkMs: 1_000 });
    rig.reaper.start();
    expect(await rig.ended("d1")).toMatchObject({ reason: "worker_lost", endedBy: "system", evidence: 3 });
    expect(rig.metrics.ended).toHaveLength(1);
    expect(rig.live.statuses("d1").at(-1)).toBe("failed");
    await rig.reaper.stop();
  },
);

test("a call that its carrier completes is over at once where its worker listens", async () => {
  const rig = new WorkerRig();
  await orphan(rig, "d1", { ...TALKS, talkMs: 1_000 });
  await rig.live.onCommand("d1", () => undefined);
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "counterparty_hangup", endedBy: "remote", evidence: 3 });
  expect(end.at).toBeLessThan(4_000);
});

test("a call that was accepted but never noted is found by reference and cut", async () => {
  const rig = new WorkerRig();
  await orphan(rig, "d1", { ...TALKS, talkMs: 1e8, listMs: 60_000, callbacks: false }, false);
  rig.reaper.start();
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "worker_lost" });
  expect(end.at).toBeGreaterThan(60_000);
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  await rig.reaper.stop();
});

test("a claim that was never placed ends when a call cannot appear any more", async () => {
  const rig = new WorkerRig();
  await orphan(rig, "d1", { ...TALKS, answers: ["lost-before"] }, false);
  rig.reaper.start();
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "worker_lost", evidence: 1 });
  expect(end.at).toBeGreaterThan(180_000);
  expect(end.at).toBeLessThan(202_000);
  await rig.reaper.stop();
});

test("a lost callback does not keep a dial open though its worker is alive", async () => {
  const rig = new WorkerRig();
  await orphan(rig, "d1", { ...TALKS, callbacks: false });
  // Somebody renews its lease for ever.
  rig.store.row("d1").leaseUntil = rig.clock.now() + 1e9;
  rig.reaper.start();
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "counterparty_hangup", endedBy: "remote", evidence: 3 });
  expect(end.at).toBeLessThan(70_000);
  await rig.reaper.stop();
});

test("an unconfirmed call that goes on is left alone", async () => {
  const rig = new WorkerRig();
  await orphan(rig, "d1", { ...TALKS, talkMs: 1e8, callbacks: false });
  rig.store.row("d1").leaseUntil = rig.clock.now() + 1e9;
  rig.reaper.start();
  await rig.clock.advance(200_000);
  expect(rig.carrier.hangUps).toEqual([]);
  expect(rig.store.row("d1").state).toBe("PLACING");
  await rig.reaper.stop();
});

test("one dial's trouble does not stop the others, and is tried again ever more rarely", async () => {
  const rig = new WorkerRig({}, (deps) => {
    let asked = 0;
    const sim = deps.carriers.get("sim");
    if (sim === undefined) throw new Error("no carrier");
    const broken = Object.assign(Object.create(sim) as typeof sim, {
      lookUp: () => {
        asked += 1;
        return Promise.reject(new Error(`asked ${asked} times`));
      },
    });
    return {
      ...deps,
      carriers: new Map([
        ["sim", sim],
        ["broken", broken],
      ]),
    };
  });
  const { dials } = rig.store.store;
  await dials.create({ plan: planOf("d0", { carrier: "broken" }), sessionId: "session" });
  await dials.claim("d0", "dead worker");
  await orphan(rig, "d1", { ...TALKS, talkMs: 1e8, callbacks: false });
  rig.reaper.start();
  expect((await rig.ended("d1")).at).toBeLessThan(21_000);
  await rig.clock.advance(3_600_000);
  const tries = rig.log.lines.filter((line) => line.startsWith("a dial could not be settled")).length;
  expect(tries).toBeGreaterThan(10);
  expect(tries).toBeLessThan(80);
  expect(rig.store.row("d0").state).toBe("PLACING");
  await rig.reaper.stop();
});

test("a dial of a carrier that is not there any more ends past the horizon", async () => {
  const rig = new WorkerRig();
  const { dials } = rig.store.store;
  await dials.create({ plan: planOf("d1", { carrier: "removed" }), sessionId: "session" });
  await dials.claim("d1", "dead worker");
  rig.reaper.start();
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "worker_lost", endedBy: "system" });
  expect(end.at).toBeGreaterThan(180_000);
  await rig.reaper.stop();
});

test("after an outage of the store nobody takes over a call before its worker could renew the lease", async () => {
  const rig = new WorkerRig();
  await rig.worker.start();
  rig.reaper.start();
  await rig.dial("d1", { ...TALKS, talkMs: 120_000 });
  await rig.clock.advance(10_000);
  rig.store.away = true;
  await rig.clock.advance(40_000);
  rig.store.away = false;
  expect(await rig.ended("d1")).toMatchObject({ reason: "counterparty_hangup", evidence: 3 });
  expect(rig.store.row("d1").epoch).toBe(1);
  await rig.reaper.stop();
});

test("a call that turns up after its dial was given up as absent is cut, at the first look, and the dial stays a failed one", async () => {
  const rig = new WorkerRig();
  const claim = await orphan(rig, "d1", { ...TALKS, talkMs: 3_600_000, ringMs: 30_000, callbacks: false }, false);
  const end = callEnd("worker_lost", "system");
  await rig.store.store.dials.end(claim.dialId, { type: "observed", evidence: 1, end });
  rig.reaper.start();
  await rig.clock.advance(50_000);
  expect(rig.carrier.callOf("d1")?.state).toBe("in-progress");
  await rig.clock.advance(20_000);
  expect(rig.carrier.callOf("d1")).toMatchObject({ state: "ended" });
  expect(rig.store.row("d1")).toMatchObject({ end, evidence: 3, corrected: false });
  await rig.reaper.stop();
});

test("what the carrier says of an end that we only supposed corrects it, once", async () => {
  const rig = new WorkerRig();
  const claim = await orphan(rig, "d1", { ...TALKS, talkMs: 5_000, callbacks: false });
  await rig.store.store.dials.end(claim.dialId, { type: "observed", evidence: 2, end: callEnd("no_answer", "system") });
  rig.reaper.start();
  await rig.clock.advance(70_000);
  expect(rig.store.row("d1")).toMatchObject({ end: { reason: "counterparty_hangup" }, evidence: 3, corrected: true });
  await rig.reaper.stop();
});

test("a carrier that is away is asked again about an end for a day, ever more rarely", async () => {
  const rig = new WorkerRig();
  const claim = await orphan(rig, "d1", { ...TALKS, talkMs: 5_000, callbacks: false });
  await rig.store.store.dials.end(claim.dialId, { type: "observed", evidence: 2, end: callEnd("no_answer", "system") });
  rig.carrier.away = true;
  rig.reaper.start();
  await rig.clock.advance(20 * 3_600_000);
  expect(rig.store.row("d1").looks).toBe(7);
  rig.carrier.away = false;
  await rig.clock.advance(4 * 3_600_000);
  expect(rig.store.row("d1")).toMatchObject({ evidence: 3, corrected: true });
  await rig.reaper.stop();
});
