import { expect, test } from "vitest";
import { CallRig } from "../kit/call-rig.ts";
import { hangsUp, says } from "../kit/scripted-dialogue.ts";
import { LETTER_MS } from "../kit/scripted-engines.ts";

const OPENING = "Hello there.";
const OPENING_MS = OPENING.length * LETTER_MS;

test("the opening was made while the phone rang, so it is heard at once when somebody answers", async () => {
  const rig = new CallRig();
  await rig.answer();
  await rig.at(OPENING_MS + 100);
  expect(rig.playback[0]?.fromMs).toBeLessThanOrEqual(10);
  expect(rig.transcript).toEqual([
    { text: OPENING, speaker: "AI", detailType: null, startTimeMs: expect.any(Number), endTimeMs: OPENING_MS },
  ]);
  await rig.close();
});

test("a whole conversation: each side's words are written once, in order, and the agent hangs up after its goodbye was heard", async () => {
  const rig = new CallRig({
    caller: [
      { text: "What are your opening hours?", fromMs: 1500, untilMs: 3000 },
      { text: "Thank you.", fromMs: 8000, untilMs: 8800 },
    ],
    answers: [
      [200, says("We open at nine. "), says("We close at five.")],
      [200, says("Goodbye."), hangsUp],
    ],
  });
  await rig.answer();
  const end = await rig.untilEnd();
  expect(end).toEqual({ reason: "agent_hangup", endedBy: "agent", fault: "none" });
  expect(rig.transcript.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
    "AI: Hello there.",
    "HUMAN: What are your opening hours?",
    "AI: We open at nine. We close at five.",
    "HUMAN: Thank you.",
    "AI: Goodbye.",
  ]);
  expect(rig.dialogue.asked[1]).toEqual([
    { speaker: "agent", text: OPENING, interrupted: false },
    { speaker: "caller", text: "What are your opening hours?" },
    { speaker: "agent", text: "We open at nine. We close at five.", interrupted: false },
    { speaker: "caller", text: "Thank you." },
  ]);
  const goodbye = rig.playback.at(-1);
  expect(rig.now).toBeGreaterThanOrEqual(goodbye?.untilMs ?? Infinity);
  expect(rig.now - (goodbye?.untilMs ?? 0)).toBeLessThan(50);
  expect((goodbye?.untilMs ?? 0) - (goodbye?.fromMs ?? 0)).toBeCloseTo("Goodbye.".length * LETTER_MS, 0);
  expect(rig.line.closed).toBe(false);
  await rig.close();
});

test("a turn's stages are measured from the caller's last voiced sample", async () => {
  const rig = new CallRig({
    caller: [{ text: "What are your opening hours?", fromMs: 1500, untilMs: 3000 }],
    answers: [[200, says("We open at nine.")]],
  });
  await rig.answer();
  await rig.at(6000);
  const turn = rig.turns.find(({ index }) => index === 1);
  expect(turn).toMatchObject({ endReason: "silence", interrupted: false });
  expect(turn?.endpointMs).toBeGreaterThanOrEqual(690);
  expect(turn?.endpointMs).toBeLessThanOrEqual(730);
  expect(turn?.transcriptMs).toBeLessThan(400);
  expect((turn?.modelFirstTokenMs ?? 0) - (turn?.endpointMs ?? 0)).toBeCloseTo(200, -1);
  expect((turn?.synthesizerFirstAudioMs ?? 0) - (turn?.firstSentenceMs ?? 0)).toBeCloseTo(100, -1);
  expect((turn?.audioSentMs ?? 0) - (turn?.synthesizerFirstAudioMs ?? 0)).toBeLessThan(15);
  expect(turn?.audioAcknowledgedMs ?? 0).toBeGreaterThanOrEqual(turn?.audioSentMs ?? Infinity);
  expect((turn?.audioAcknowledgedMs ?? 0) - (turn?.heardMs ?? 0)).toBeLessThan(30);
  await rig.close();
});

test("sound is sent at most the configured lead ahead of real time", async () => {
  const rig = new CallRig({
    opening: [says("A long opening that goes on for quite a while so that pacing has to hold it back.")],
  });
  await rig.answer();
  for (let ms = 20; ms < 3000; ms += 20) {
    await rig.at(ms);
    const sentMs = rig.line.playedMs;
    expect(sentMs - ms).toBeLessThanOrEqual(400 + 20);
    expect(sentMs - ms).toBeGreaterThan(300);
  }
  await rig.close();
});

test("a caller who goes on before the answer is heard has said one turn, which is answered once", async () => {
  const rig = new CallRig({
    caller: [
      { text: "I would like to book", fromMs: 1500, untilMs: 2500 },
      { text: "a table for two.", fromMs: 3400, untilMs: 4200 },
    ],
    answers: [
      [400, says("What would you like?")],
      [200, says("For when?")],
    ],
  });
  await rig.answer();
  await rig.at(7000);
  expect(rig.transcript.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
    "AI: Hello there.",
    "HUMAN: I would like to book a table for two.",
    "AI: For when?",
  ]);
  expect(rig.voice.spoken).not.toContain("What would you like?");
  expect(rig.turns.map(({ index }) => index)).toEqual([0, 1]);
  await rig.close();
});

test("both sides are recorded on one clock", async () => {
  const rig = new CallRig({
    caller: [{ text: "Hi.", fromMs: 1500, untilMs: 2000 }],
    answers: [[100, says("Yes?")]],
  });
  await rig.answer();
  await rig.at(5000);
  const agent = rig.recorded.filter(({ side }) => side === "agent");
  const samples = agent.reduce((sum, part) => sum + part.samples.length, 0);
  expect(samples / 8).toBeCloseTo(OPENING_MS + "Yes?".length * LETTER_MS, -1);
  const second = agent.find(({ atMs }) => atMs > 1500);
  expect(Math.abs((second?.atMs ?? 0) - (rig.playback[1]?.fromMs ?? 0))).toBeLessThan(25);
  const loud = rig.recorded.find(({ side, samples: part }) => side === "caller" && Math.abs(part[0] ?? 0) > 1000);
  expect(Math.abs((loud?.atMs ?? 0) - 1500)).toBeLessThan(25);
  await rig.close();
});

test("keys count as the caller's word", async () => {
  const rig = new CallRig({ answers: [[says("Thank you.")]] });
  await rig.answer();
  await rig.at(1500);
  rig.line.press("4");
  await rig.at(2000);
  rig.line.press("2");
  await rig.at(6000);
  expect(rig.transcript[1]).toMatchObject({ speaker: "HUMAN", text: "(pressed 4 2)" });
  expect(rig.transcript[2]).toMatchObject({ speaker: "AI", text: "Thank you." });
  await rig.close();
});

test("# behind other keys ends them at once", async () => {
  const rig = new CallRig({ answers: [[says("Thank you.")]] });
  await rig.answer();
  await rig.at(1500);
  for (const key of "42#") rig.line.press(key);
  await rig.at(1700);
  expect(rig.dialogue.asked.at(-1)?.at(-1)).toEqual({ speaker: "caller", text: "(pressed 4 2 #)" });
  await rig.at(4000);
  await rig.close();
});

test("a function's result is in the history when the dialogue goes on", async () => {
  const rig = new CallRig({
    caller: [{ text: "Is it open?", fromMs: 1500, untilMs: 2200 }],
    answers: [
      [says("One moment."), { type: "call", call: { id: "call-1", name: "hours", args: "{}" } }],
      [says("Yes, it is.")],
    ],
    invoke: (call) => Promise.resolve(JSON.stringify({ open: true, name: call.name })),
  });
  await rig.answer();
  await rig.at(8000);
  expect(rig.dialogue.asked[1]?.slice(-3)).toEqual([
    { speaker: "caller", text: "Is it open?" },
    {
      speaker: "agent",
      text: "One moment.",
      interrupted: false,
      calls: [{ id: "call-1", name: "hours", args: "{}" }],
    },
    { speaker: "function", callId: "call-1", name: "hours", result: '{"open":true,"name":"hours"}' },
  ]);
  expect(rig.transcript.map(({ detailType, text }) => detailType ?? text)).toEqual([
    "Hello there.",
    "Is it open?",
    "function",
    "One moment.",
    "Yes, it is.",
  ]);
  await rig.close();
});

test("an entry is told of again only when it has changed", async () => {
  const rig = new CallRig({ opening: [says("Hello there. How are you?")] });
  await rig.answer();
  await rig.at(4000);
  const told = rig.written.map((entry) => JSON.stringify(entry));
  expect(told.length).toBeGreaterThan(1);
  expect(new Set(told).size).toBe(told.length);
  await rig.close();
});

test("the model is made ready at answer, and whenever the caller begins to speak", async () => {
  const readyAt: number[] = [];
  const rig: CallRig = new CallRig({
    caller: [{ text: "Yes, please.", fromMs: 2000, untilMs: 2600 }],
    answers: [[100, says("Good.")]],
    warmModel: () => readyAt.push(rig.now),
  });
  await rig.answer();
  expect(readyAt).toHaveLength(1);
  await rig.at(5000);
  expect(readyAt).toHaveLength(2);
  expect(readyAt[1]).toBeGreaterThan(2000);
  expect(readyAt[1]).toBeLessThan(2200);
  await rig.close();
});
