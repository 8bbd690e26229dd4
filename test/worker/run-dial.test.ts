import { expect, test } from "vitest";
import { callEnd } from "../../src/model/call-end.ts";
import type { Script } from "./sim-carrier.ts";
import { SimLine } from "./sim-carrier.ts";
import { expectTidy, started } from "./tidy.ts";

const ANSWERS: Script = { answers: ["accepted"], person: "answers", ringMs: 2_000 };

test("a caller who hangs up ends the dial with the carrier's word, and what was said is kept", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, talkMs: 5_000 });
  // 2 s of ringing, 5 s of talk, 200 ms until the carrier's report.
  expect(await rig.ended("d1")).toEqual({ ...callEnd("counterparty_hangup", "remote"), at: 7_200, evidence: 3 });
  expect(rig.live.statuses("d1")).toEqual(["ringing", "in-progress", "completed"]);
  expect(rig.calls.answered).toEqual([{ dialId: "d1", at: 2_000 }]);
  expect(rig.metrics.durations).toEqual([5_000]);
  const row = rig.store.row("d1");
  expect(row.transcript.map((entry) => entry.text)).toEqual(["Hello."]);
  expect(row.recordings).toEqual([
    { id: expect.any(String), channels: 2, durationMs: 1234, startedAt: "2026-01-05T09:00:02.000Z" },
  ]);
  expect(rig.tapes).toEqual([{ dialId: "d1", sampleRate: 8000, closed: true }]);
  await expectTidy(rig);
});

test("a call that is not to be recorded leaves no recording, and is held all the same", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, talkMs: 5_000 }, { unrecorded: true });
  expect(await rig.ended("d1")).toMatchObject(callEnd("counterparty_hangup", "remote"));
  const row = rig.store.row("d1");
  expect(row.transcript.map((entry) => entry.text)).toEqual(["Hello."]);
  expect(row.recordings).toEqual([]);
  expect(rig.tapes).toEqual([]);
  await expectTidy(rig);
});

test("without callbacks our own observation ends the dial a second and a half after the hang-up", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, talkMs: 5_000, callbacks: false });
  expect(await rig.ended("d1")).toMatchObject({
    reason: "counterparty_hangup",
    at: 2_000 + 5_000 + 50 + 1_500,
    evidence: 2,
  });
  await expectTidy(rig);
});

test("an agent that hangs up leaves its reason in the row before the carrier is asked to hang up", async () => {
  const rig = await started();
  rig.calls.script("d1", { agentHangsUpMs: 3_000 });
  await rig.dial("d1", ANSWERS);
  await rig.clock.until(() => rig.carrier.hangUps.length > 0, 10_000);
  expect(rig.carrier.hangUps).toEqual([{ callId: "call-1", at: 5_000 }]);
  expect(rig.store.row("d1")).toMatchObject({
    state: "IN_PROGRESS",
    intent: { reason: "agent_hangup", endedBy: "agent" },
  });
  expect(await rig.ended("d1")).toEqual({ ...callEnd("agent_hangup", "agent"), at: 5_250, evidence: 3 });
  expect(rig.carrier.callOf("d1")?.line?.closed).toBe(true);
  await expectTidy(rig);
});

test("what was said is written before the carrier hears that we hang up, since its word ends the dial", async () => {
  const rig = await started();
  // Sooner than a batch of the journal is written by itself.
  rig.calls.script("d1", { agentHangsUpMs: 100 });
  await rig.dial("d1", ANSWERS);
  await rig.clock.until(() => rig.carrier.hangUps.length > 0, 10_000);
  expect(rig.store.row("d1").transcript.map((entry) => entry.text)).toEqual(["Hello."]);
  await rig.ended("d1");
  await expectTidy(rig);
});

test.each([
  ["busy", callEnd("busy", "remote"), 2_200],
  ["ignores", callEnd("no_answer", "remote"), 30_200],
] as const)("a person who %s is never connected", async (person, end, at) => {
  const rig = await started();
  await rig.dial("d1", { answers: ["accepted"], person });
  expect(await rig.ended("d1")).toEqual({ ...end, at, evidence: 3 });
  expect(rig.metrics.started).toBe(0);
  await expectTidy(rig);
});

test("a carrier that never says that nobody answered is asked ten seconds after the ring time-out", async () => {
  const rig = await started();
  await rig.dial("d1", { answers: ["accepted"], person: "ignores", callbacks: false });
  // Accepted at 100 ms, 30 s of ringing, 10 s of margin, 50 ms for the carrier's answer.
  expect(await rig.ended("d1")).toEqual({ ...callEnd("no_answer", "remote"), at: 40_150, evidence: 3 });
  await expectTidy(rig);
});

test("a call that failed is not told as one that nobody answered, though its carrier says so only when it is asked", async () => {
  const rig = await started();
  await rig.dial("d1", { answers: ["accepted"], person: "fails", callbacks: false });
  expect(await rig.ended("d1")).toEqual({ ...callEnd("carrier_error", "carrier"), at: 40_150, evidence: 3 });
  await expectTidy(rig);
});

test("a phone that rings on beyond every limit is hung up as unanswered", async () => {
  const rig = await started();
  await rig.dial("d1", { answers: ["accepted"], person: "busy", ringMs: 1e8, callbacks: false });
  expect(await rig.ended("d1")).toMatchObject({ reason: "no_answer", endedBy: "system", evidence: 2 });
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  await expectTidy(rig);
});

test("an answered call whose media never comes is lost media after ten seconds", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, media: false });
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "media_lost", endedBy: "carrier" });
  expect(end.at).toBeGreaterThan(12_000);
  expect(end.at).toBeLessThan(14_000);
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  await expectTidy(rig);
});

test("a call that nobody can name yet is not given up while somebody is on the line", async () => {
  const rig = await started();
  // Accepted without our knowing, answered as the callback says, no media, and not in the carrier's list for two minutes.
  await rig.dial("d1", { ...ANSWERS, answers: ["lost-after"], media: false, listMs: 120_000 });
  rig.reaper.start();
  expect(await rig.ended("d1")).toMatchObject({ reason: "media_lost", endedBy: "carrier" });
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  expect(rig.carrier.posts).toHaveLength(1);
  await rig.reaper.stop();
});

test("a call whose acceptance was lost is found and talks, and is never asked for twice", async () => {
  const rig = await started();
  await rig.dial("d1", {
    ...ANSWERS,
    answers: ["lost-after"],
    ringMs: 20_000,
    listMs: 5_000,
    talkMs: 4_000,
    callbacks: false,
  });
  expect(await rig.ended("d1")).toMatchObject({ reason: "counterparty_hangup", at: 24_000 + 50 + 1_500 });
  expect(rig.carrier.posts).toHaveLength(1);
  expect(rig.store.row("d1").carrierCallId).toBe("call-1");
  await expectTidy(rig);
});

test("a line that comes before the carrier's answer is answered at once", async () => {
  const rig = await started();
  rig.calls.script("d1", { agentHangsUpMs: 20_000 });
  await rig.dial("d1", { ...ANSWERS, answerMs: 8_000 });
  await rig.clock.until(() => rig.calls.answered.length > 0, 60_000);
  expect(rig.calls.answered).toEqual([{ dialId: "d1", at: 2_000 }]);
  expect(await rig.ended("d1")).toMatchObject({ reason: "agent_hangup" });
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  await expectTidy(rig);
});

test("a call that the carrier never heard of ends when it cannot appear any more", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, answers: ["lost-before"] });
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "carrier_error", endedBy: "carrier", evidence: 1 });
  expect(end.at).toBeGreaterThanOrEqual(180_000);
  expect(end.at).toBeLessThanOrEqual(195_000);
  expect(rig.carrier.posts).toHaveLength(1);
  await expectTidy(rig);
});

test("an operator's hang-up ends a conversation", async () => {
  const rig = await started();
  await rig.dial("d1", ANSWERS);
  await rig.clock.advance(6_000);
  await rig.live.command("d1", { type: "hang-up", endReason: "operator_hangup" });
  expect(await rig.ended("d1")).toMatchObject({ reason: "operator_hangup", endedBy: "api", at: 6_250 });
  await expectTidy(rig);
});

test("a hang-up that was noted but whose command was lost is seen in the row", async () => {
  const rig = await started();
  await rig.dial("d1", ANSWERS);
  await rig.clock.advance(6_000);
  await rig.store.store.dials.intendHangUp("d1", "operator_hangup", "api");
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "operator_hangup", endedBy: "api" });
  expect(end.at).toBeLessThan(6_000 + 15_500);
});

test("a dial that is cancelled while it rings stops ringing", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, ringMs: 20_000 });
  await rig.clock.advance(3_000);
  await rig.live.command("d1", { type: "hang-up", endReason: "canceled" });
  expect(await rig.ended("d1")).toEqual({ ...callEnd("canceled", "api"), at: 3_250, evidence: 3 });
  expect(rig.metrics.started).toBe(0);
  await expectTidy(rig);
});

test("a dial that is cancelled while the carrier is being asked is hung up as soon as its call has a name", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, answerMs: 4_000, ringMs: 20_000 });
  await rig.clock.advance(1_000);
  await rig.live.command("d1", { type: "hang-up", endReason: "canceled" });
  await rig.clock.advance(2_000);
  expect(rig.carrier.hangUps).toEqual([]);
  expect(await rig.ended("d1")).toMatchObject({ reason: "canceled", endedBy: "api" });
  expect(rig.carrier.hangUps).toEqual([{ callId: "call-1", at: 4_000 }]);
  await expectTidy(rig);
});

test("a dial that was cancelled in the queue while a worker claimed it does not go on ringing", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, answerMs: 1_000, ringMs: 20_000 });
  await rig.clock.advance(500);
  // The canceller read QUEUED, and its statements came after the claim.
  await rig.store.store.dials.intendHangUp("d1", "canceled", "api");
  await rig.store.store.dials.end("d1", { evidence: 2, type: "observed", end: callEnd("canceled", "api") });
  await rig.clock.advance(10_000);
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  expect(rig.store.row("d1").end).toMatchObject({ reason: "canceled" });
  expect(rig.worker.held).toBe(0);
});

test("a worker that lost its dial cuts the call that it knows and writes nothing but that", async () => {
  const rig = await started();
  await rig.dial("d1", ANSWERS);
  await rig.clock.advance(4_100);
  const row = rig.store.row("d1");
  row.epoch += 1;
  row.leaseUntil = rig.clock.now() + 1e9;
  await rig.clock.advance(2_000);
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  expect(rig.worker.held).toBe(0);
  expect(row).toMatchObject({ intent: { reason: "worker_lost", endedBy: "system" }, end: { reason: "worker_lost" } });
  // What was noted when the recording began; its length is found out when nobody writes it any more.
  expect(row.recordings).toMatchObject([{ incomplete: true, durationMs: 0 }]);
  expect(rig.metrics.durations).toHaveLength(1);
  expect(rig.calls.discarded).toEqual(["d1"]);
});

test("a call that was accepted for a claim that is not ours any more is hung up at once", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, answerMs: 1_000, ringMs: 20_000 });
  await rig.clock.advance(500);
  rig.store.row("d1").epoch += 1;
  await rig.clock.advance(600);
  expect(rig.carrier.hangUps).toEqual([{ callId: "call-1", at: 1_000 }]);
  expect(rig.store.row("d1")).toMatchObject({ state: "RINGING", carrierCallId: null });
  expect(rig.worker.held).toBe(0);
});

test("a line that breaks while the carrier still has the call is lost media", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, mediaBreaksMs: 5_000 });
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "media_lost", endedBy: "carrier" });
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  await expectTidy(rig);
});

test("a line that breaks because the caller hung up is the caller's hang-up", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, mediaBreaksMs: 5_000, talkMs: 5_500, callbacks: false });
  expect(await rig.ended("d1")).toEqual({
    ...callEnd("counterparty_hangup", "remote"),
    at: 2_000 + 5_000 + 1_500 + 50,
    evidence: 3,
  });
  await expectTidy(rig);
});

test("a store that is away for half a minute costs neither the call nor what was said nor its end", async () => {
  const rig = await started();
  rig.calls.script("d1", { agentHangsUpMs: 20_000 });
  await rig.dial("d1", ANSWERS);
  await rig.clock.advance(10_000);
  rig.store.away = true;
  await rig.clock.advance(30_000);
  // The agent hung up at 22 s, and the caller was let go although nothing could be noted.
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  expect(rig.store.row("d1").state).toBe("IN_PROGRESS");
  rig.store.away = false;
  const end = await rig.ended("d1");
  expect(end).toMatchObject({ reason: "agent_hangup", endedBy: "agent" });
  expect(end.at).toBeLessThanOrEqual(40_000 + 2_100);
  expect(rig.store.row("d1").transcript).toHaveLength(1);
  await expectTidy(rig);
});

test("who hung up is told truly though it could not be noted before, and the carrier's word came first", async () => {
  const rig = await started();
  rig.calls.script("d1", { agentHangsUpMs: 5_000 });
  await rig.dial("d1", ANSWERS);
  await rig.clock.advance(6_900);
  rig.store.away = true;
  // The agent hangs up at 7 s and the note is given up at 9 s; the carrier reports the end when the store is there again.
  await rig.clock.until(() => rig.carrier.hangUps.length > 0, 10_000);
  await rig.clock.advance(100);
  rig.store.away = false;
  expect(await rig.ended("d1")).toMatchObject({ ...callEnd("agent_hangup", "agent"), evidence: 4 });
  expect(rig.store.row("d1").corrected).toBe(true);
  // The correction is told, and is no second ending.
  expect([rig.metrics.ended.length, rig.live.statuses("d1").slice(2)]).toEqual([1, ["completed", "completed"]]);
  await rig.worker.drain();
  expect(rig.clock.pending).toBe(0);
});

test("what was said and recorded while the store was away is written when it is back", async () => {
  const rig = await started();
  rig.calls.script("d1", { agentHangsUpMs: 3_000 });
  await rig.dial("d1", ANSWERS);
  await rig.clock.advance(2_100);
  rig.store.away = true;
  await rig.clock.advance(60_000);
  expect(rig.store.row("d1").transcript).toEqual([]);
  rig.store.away = false;
  expect(await rig.ended("d1")).toMatchObject({ reason: "agent_hangup" });
  expect(rig.store.row("d1").transcript).toHaveLength(1);
  expect(rig.store.row("d1").recordings).toHaveLength(1);
  await expectTidy(rig);
});

test("a carrier that cannot be asked to hang up leaves the dial to the reaper, which cuts the call later for the true reason", async () => {
  const rig = await started();
  rig.calls.script("d1", { agentHangsUpMs: 3_000 });
  await rig.dial("d1", ANSWERS);
  await rig.clock.advance(4_000);
  rig.carrier.away = true;
  await rig.clock.until(() => rig.worker.held === 0, 120_000);
  expect(rig.store.row("d1").state).toBe("IN_PROGRESS");
  rig.reaper.start();
  await rig.clock.advance(30_000);
  rig.carrier.away = false;
  expect(await rig.ended("d1")).toMatchObject({ reason: "agent_hangup", endedBy: "agent" });
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  await rig.reaper.stop();
});

test("a call that does not let go when asked is ended without it", async () => {
  const rig = await started();
  rig.calls.script("d1", { deaf: true });
  await rig.dial("d1", ANSWERS);
  await rig.clock.advance(4_000);
  await rig.live.command("d1", { type: "hang-up", endReason: "operator_hangup" });
  expect(await rig.ended("d1")).toMatchObject({ reason: "operator_hangup", at: 4_000 + 5_000 + 250 });
});

test("a call that breaks in its own code ends as ours, and nobody stays on the line", async () => {
  const rig = await started({}, (deps) => ({
    ...deps,
    prepare: (plan, journal, transfer) => ({
      ...deps.prepare(plan, journal, transfer),
      answer: () => {
        throw new Error("broken");
      },
    }),
  }));
  await rig.dial("d1", ANSWERS);
  expect(await rig.ended("d1")).toMatchObject({ reason: "worker_lost", endedBy: "system" });
  expect(rig.carrier.callOf("d1")?.state).toBe("ended");
  await expectTidy(rig);
});

test("a line for another claim, another call or nobody is refused", async () => {
  const rig = await started();
  await rig.dial("d1", { ...ANSWERS, ringMs: 20_000 });
  await rig.clock.advance(1_000);
  const line = (callId: string) => new SimLine(callId);
  expect(rig.lines.arrived({ dialId: "d1", epoch: 2, carrier: "sim" }, line("call-1"))).toBe(false);
  expect(rig.lines.arrived({ dialId: "d1", epoch: 1, carrier: "sim" }, line("call-9"))).toBe(false);
  expect(rig.lines.arrived({ dialId: "d2", epoch: 1, carrier: "sim" }, line("call-1"))).toBe(false);
  expect(rig.lines.arrived({ dialId: "d1", epoch: 1, carrier: "sim" }, line("call-1"))).toBe(true);
  expect(rig.lines.arrived({ dialId: "d1", epoch: 1, carrier: "sim" }, line("call-1"))).toBe(false);
  await rig.clock.advance(100);
  expect(rig.metrics.started).toBe(1);
  await rig.live.command("d1", { type: "hang-up", endReason: "operator_hangup" });
  await rig.ended("d1");
});

test("a transferred call is over for us, is not hung up, and keeps its reason when the carrier reports its end", async () => {
  const rig = await started();
  rig.calls.script("d1", { transfersMs: 4_000 });
  await rig.dial("d1", ANSWERS);
  // 2 s of ringing, 4 s of talk, 3 s of ringing elsewhere, 1.5 s in which the carrier may still say something else.
  expect(await rig.ended("d1")).toEqual({ ...callEnd("transferred", "agent"), at: 10_500, evidence: 2 });
  expect(rig.carrier.transfers).toEqual([{ callId: "call-1", to: "+12025550199", at: 6_000 }]);
  expect(rig.carrier.hangUps).toEqual([]);
  expect(rig.carrier.callOf("d1")).toMatchObject({ state: "in-progress" });
  expect(rig.carrier.callOf("d1")?.line?.closed).toBe(true);
  await rig.clock.advance(20_000);
  expect(rig.carrier.callOf("d1")).toMatchObject({ state: "ended" });
  expect(rig.store.row("d1").end).toEqual(callEnd("transferred", "agent"));
  await expectTidy(rig);
});

test("a transfer that fails, or a carrier that cannot be asked, leaves the call as it is", async () => {
  for (const away of [false, true]) {
    const rig = await started();
    rig.carrier.transferring = "failed";
    rig.calls.script("d1", { transfersMs: 4_000, agentHangsUpMs: 20_000 });
    await rig.dial("d1", ANSWERS);
    await rig.clock.until(() => rig.carrier.transfers.length > 0, 10_000);
    rig.carrier.away = away;
    await rig.clock.advance(3_000);
    rig.carrier.away = false;
    expect(await rig.ended("d1")).toMatchObject({ reason: "agent_hangup", at: 22_250 });
    await expectTidy(rig);
  }
});

test("a carrier that has no transfers fails them at once", async () => {
  const rig = await started();
  Object.defineProperty(rig.carrier, "transfer", { value: undefined });
  rig.calls.script("d1", { transfersMs: 4_000, agentHangsUpMs: 6_000 });
  await rig.dial("d1", ANSWERS);
  expect(await rig.ended("d1")).toMatchObject({ reason: "agent_hangup" });
  await expectTidy(rig);
});

test("what the carrier finds out about who answered reaches the call, where it was asked to", async () => {
  for (const asked of [true, undefined] as const) {
    const rig = await started();
    const detection = asked === undefined ? {} : { carrierDetection: asked };
    const voicemail = { action: "hangup", message: "", ...detection } as const;
    await rig.dial("d1", { ...ANSWERS, talkMs: 5_000, detects: "machine" }, { voicemail });
    await rig.ended("d1");
    expect(rig.calls.detected).toEqual(asked === true ? [{ dialId: "d1", by: "machine" }] : []);
    await expectTidy(rig);
  }
});
