import { expect, test } from "vitest";
import { CallRig, silentLogger } from "../kit/call-rig.ts";
import { hangsUp, says } from "../kit/scripted-dialogue.ts";

test("a person who hangs up ends the call at once", async () => {
  const rig = new CallRig();
  await rig.answer();
  await rig.at(2500);
  rig.line.end("hung-up");
  const end = await rig.untilEnd(100);
  expect(end).toEqual({ reason: "counterparty_hangup", endedBy: "remote", fault: "none" });
  await rig.close();
});

test("the last words of somebody who hangs up while speaking are still written", async () => {
  const rig = new CallRig({ caller: [{ text: "I have no time for this.", fromMs: 1500, untilMs: 2500 }] });
  await rig.answer();
  await rig.at(2510);
  rig.line.end("hung-up");
  const end = await rig.untilEnd(2000);
  expect(end.reason).toBe("counterparty_hangup");
  expect(rig.transcript.at(-1)).toMatchObject({ speaker: "HUMAN", text: "I have no time for this." });
  await rig.close();
});

test("nobody can end a call that the other party has ended already, while their last words are awaited", async () => {
  const rig = new CallRig({
    finalMs: 1000,
    caller: [{ text: "I have no time for this.", fromMs: 1500, untilMs: 2500 }],
  });
  await rig.answer();
  await rig.at(2510);
  rig.line.end("hung-up");
  await rig.at(2600);
  rig.handle?.hangUp("operator_hangup", "api");
  expect(await rig.untilEnd(2000)).toMatchObject({ reason: "counterparty_hangup", endedBy: "remote" });
  await rig.close();
});

test("a line that breaks is a lost line, not a hang-up", async () => {
  const rig = new CallRig();
  await rig.answer();
  await rig.at(300);
  rig.line.end("lost");
  expect(await rig.untilEnd(2000)).toEqual({ reason: "media_lost", endedBy: "carrier", fault: "carrier" });
  expect(rig.transcript[0]?.text).toBe("Hello");
  await rig.close();
});

test("the operator's hang-up cuts the agent off", async () => {
  const rig = new CallRig();
  await rig.answer();
  await rig.at(300);
  rig.handle?.hangUp("operator_hangup", "api");
  expect(await rig.untilEnd(50)).toMatchObject({ reason: "operator_hangup", endedBy: "api" });
  expect(rig.transcript[0]?.text).toBe("Hello");
  await rig.close();
});

test("when we have to go the agent takes its leave, in whatever it was saying, and the call ends once that was heard", async () => {
  const rig = new CallRig();
  await rig.answer();
  await rig.at(300);
  rig.handle?.hangUp("worker_lost", "system", true);
  expect(await rig.untilEnd(7000)).toMatchObject({ reason: "worker_lost", endedBy: "system" });
  expect(rig.transcript.map(({ text }) => text)).toEqual(["Hello", "I'm sorry, I have to end this call now. Goodbye."]);
  await rig.close();
});

test("a leave that cannot be taken is not waited for longer than seven seconds", async () => {
  const rig = new CallRig();
  await rig.answer();
  await rig.at(3000);
  rig.voice.silent = true;
  rig.handle?.hangUp("worker_lost", "system", true);
  expect(await rig.untilEnd(7100)).toMatchObject({ reason: "worker_lost", endedBy: "system" });
  await rig.close();
});

test("nobody's leave is taken of somebody who has gone", async () => {
  const rig = new CallRig({ caller: [{ text: "I have no time for this.", fromMs: 1500, untilMs: 2500 }] });
  await rig.answer();
  await rig.at(2510);
  rig.line.end("hung-up");
  rig.handle?.hangUp("worker_lost", "system", true);
  expect(await rig.untilEnd(2000)).toMatchObject({ reason: "counterparty_hangup", endedBy: "remote" });
  expect(rig.transcript.at(-1)?.speaker).toBe("HUMAN");
  await rig.close();
});

test("the maximum duration counts from answer and is kept to the millisecond", async () => {
  const rig = new CallRig({ plan: { maxDurationMs: 3 * 3_600_000 } });
  await rig.answer();
  rig.line.close();
  await rig.at(3 * 3_600_000 - 1);
  expect(rig.end).toBeUndefined();
  await rig.at(3 * 3_600_000);
  expect(rig.end).toEqual({ reason: "max_duration", endedBy: "system", fault: "none" });
  await rig.close();
});

test("idle messages are said in turn, and after the last one the agent gives up", async () => {
  const idle = { enabled: true, messages: ["Are you there?", "Hello?"], afterMs: 5000, maxMessages: 2 };
  const rig = new CallRig({ plan: { idle } });
  await rig.answer();
  const end = await rig.untilEnd();
  expect(end).toMatchObject({ reason: "idle", endedBy: "agent" });
  expect(rig.transcript.map(({ text }) => text)).toEqual(["Hello there.", "Are you there?", "Hello?"]);
  const [opening, first, second] = rig.playback;
  expect((first?.fromMs ?? 0) - (opening?.untilMs ?? 0)).toBeCloseTo(5000 + 100, -2);
  expect((second?.fromMs ?? 0) - (first?.untilMs ?? 0)).toBeCloseTo(5000 + 100, -2);
  expect(rig.now - (second?.untilMs ?? 0)).toBeCloseTo(5000, -2);
  await rig.close();
});

test("a caller who answers an idle message starts the count anew", async () => {
  const idle = { enabled: true, messages: ["Are you there?"], afterMs: 3000, maxMessages: 1 };
  const rig = new CallRig({
    plan: { idle },
    caller: [{ text: "Yes, I am here.", fromMs: 6000, untilMs: 7000 }],
    answers: [[says("Good.")]],
  });
  await rig.answer();
  await rig.untilEnd();
  expect(rig.transcript.map(({ text }) => text)).toEqual([
    "Hello there.",
    "Are you there?",
    "Yes, I am here.",
    "Good.",
    "Are you there?",
  ]);
  await rig.close();
});

test("a hang-up without a word ends the call at once", async () => {
  const rig = new CallRig({ caller: [{ text: "Bye now.", fromMs: 1500, untilMs: 2000 }], answers: [[hangsUp]] });
  await rig.answer();
  const end = await rig.untilEnd(10_000);
  expect(end.reason).toBe("agent_hangup");
  expect(rig.now).toBeLessThan(3000);
  await rig.close();
});

test("a caller who speaks during the goodbye does not cut it off", async () => {
  const rig = new CallRig({
    caller: [
      { text: "That is all.", fromMs: 1500, untilMs: 2200 },
      { text: "Oh, wait a moment please.", fromMs: 3500, untilMs: 4700 },
    ],
    answers: [[says("Thank you for calling and goodbye until the next time."), hangsUp]],
  });
  await rig.answer();
  const end = await rig.untilEnd(20_000);
  expect(end.reason).toBe("agent_hangup");
  expect(rig.transcript.find(({ text }) => text.startsWith("Thank you"))?.text).toBe(
    "Thank you for calling and goodbye until the next time.",
  );
  expect(rig.transcript.at(-1)).toMatchObject({ speaker: "HUMAN", text: "Oh, wait a moment please." });
  await rig.close();
});

test("a model that fails is apologized for, and the call ends as failed", async () => {
  const rig = new CallRig({
    caller: [{ text: "Hi there.", fromMs: 1500, untilMs: 2000 }],
    answers: [[100, new Error("no model")]],
  });
  await rig.answer();
  const end = await rig.untilEnd(30_000);
  expect(end).toEqual({ reason: "model_failed", endedBy: "system", fault: "provider" });
  expect(rig.transcript.at(-1)?.text).toMatch(/^I'm sorry.*Goodbye\.$/u);
  await rig.close();
});

test("a model that says nothing for eight seconds has failed", async () => {
  const rig = new CallRig({
    caller: [{ text: "Hi there.", fromMs: 1500, untilMs: 2000 }],
    answers: [[3_600_000, says("too late")]],
  });
  await rig.answer();
  await rig.clock.until(() => rig.playback.length === 2, 30_000);
  expect(rig.now).toBeCloseTo(2000 + 700 + 8000 + 100, -2);
  expect((await rig.untilEnd(30_000)).reason).toBe("model_failed");
  await rig.close();
});

test.for(["failing", "silent"] as const)("a voice that is %s ends the call as failed", async (fault) => {
  const rig = new CallRig({
    caller: [{ text: "Hi there.", fromMs: 1500, untilMs: 2000 }],
    answers: [[says("Hello.")]],
  });
  await rig.answer();
  await rig.at(1000);
  rig.voice[fault] = true;
  const end = await rig.untilEnd(30_000);
  expect(end).toMatchObject({ reason: "synthesizer_failed", endedBy: "system" });
  await rig.close();
});

test("a transcriber that fails is opened anew, twice; the third time the call ends with an apology", async () => {
  const rig = new CallRig();
  await rig.answer();
  for (let time = 1; time <= 3; time++) {
    await rig.at(1000 * time);
    expect(rig.transcriber.streams).toHaveLength(time);
    rig.transcriber.streams.at(-1)?.fail();
  }
  const end = await rig.untilEnd(30_000);
  expect(end).toMatchObject({ reason: "transcriber_failed", endedBy: "system" });
  expect(rig.transcript.at(-1)?.text).toMatch(/^I'm sorry/u);
  await rig.close();
});

test("a transcriber that never answers does not hang the turn", async () => {
  const rig = new CallRig({
    finalMs: 3_600_000,
    caller: [{ text: "What are your opening hours today?", fromMs: 1500, untilMs: 4000 }],
    answers: [[says("From nine.")]],
  });
  await rig.answer();
  await rig.at(12_000);
  expect(rig.turns.at(-1)).toMatchObject({ endReason: "timeout" });
  expect(rig.transcript.at(-1)?.text).toBe("From nine.");
  await rig.close();
});

test("a mistake of ours ends the call that it happens in as lost, and is logged", async () => {
  const logged: string[] = [];
  const logger = { ...silentLogger, error: (message: string) => logged.push(message) };
  const rig = new CallRig({ logger, caller: [{ text: "Hi there.", fromMs: 1500, untilMs: 2000 }] });
  await rig.answer();
  const end = await rig.untilEnd(10_000);
  expect(end).toEqual({ reason: "worker_lost", endedBy: "system", fault: "platform" });
  expect(logged).toEqual(["a call broke off by an internal error"]);
  await rig.close();
});

test("a line that throws while it is played to ends the call as lost", async () => {
  const rig = new CallRig();
  rig.line.send = () => {
    throw new Error("the socket is gone");
  };
  await rig.answer();
  expect((await rig.untilEnd(1000)).reason).toBe("worker_lost");
  await rig.close();
});

test("more events than anybody can read end the call", async () => {
  const rig = new CallRig();
  await rig.answer();
  await rig.at(1000);
  for (let press = 0; press < 6000; press++) rig.line.press("1");
  expect((await rig.untilEnd(10)).reason).toBe("worker_lost");
  await rig.close();
});

test("a call that nobody answers leaves nothing behind", async () => {
  const rig = new CallRig();
  await rig.clock.advance(45_000);
  await rig.close();
});
