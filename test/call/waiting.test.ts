import { expect, test } from "vitest";
import type { CallPlan } from "../../src/model/call-plan.ts";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { LETTER_MS } from "../kit/scripted-engines.ts";

const idle = { enabled: true, messages: ["Are you there?", "Hello?"], afterMs: 5000, maxMessages: 2 };

test("a late final is waited for", async () => {
  const rig = new CallRig({
    finalMs: 1500,
    caller: [{ text: "Hi there, it is me.", fromMs: 1500, untilMs: 2500 }],
    answers: [[says("Good.")]],
  });
  await rig.answer();
  await rig.clock.until(() => rig.dialogue.asked.length > 0, 10_000);
  expect(rig.now - 2500).toBeGreaterThan(1500);
  await rig.at(8000);
  expect(rig.turns[1]).toMatchObject({ endReason: "transcript", endpoint: { waitMs: 700 } });
  await rig.close();
});

test("where the customer asks for it, the words so far are acted upon that long after the caller stopped", async () => {
  const rig = new CallRig({
    plan: { endpoint: { type: "SIMPLE", mode: "DEFAULT", overrideFinalMs: 900 } },
    finalMs: 1500,
    caller: [{ text: "Hi there, it is me.", fromMs: 1500, untilMs: 2500 }],
    answers: [[says("Good.")]],
  });
  await rig.answer();
  await rig.clock.until(() => rig.dialogue.asked.length > 0, 10_000);
  const waited = rig.now - 2500;
  expect(waited).toBeGreaterThanOrEqual(900 - 40);
  expect(waited).toBeLessThanOrEqual(900 + 60);
  await rig.at(8000);
  await rig.close();
});

test("an override that is shorter than the wait does not end a turn early", async () => {
  const rig = new CallRig({
    plan: { endpoint: { type: "SIMPLE", mode: "CONSERVATIVE", overrideFinalMs: 200 } },
    finalMs: 1500,
    caller: [{ text: "Hi there, it is me.", fromMs: 1500, untilMs: 2500 }],
    answers: [[says("Good.")]],
  });
  await rig.answer();
  await rig.clock.until(() => rig.dialogue.asked.length > 0, 10_000);
  expect(rig.now - 2500).toBeGreaterThanOrEqual(1000 - 40);
  expect(rig.now - 2500).toBeLessThanOrEqual(1000 + 60);
  await rig.at(8000);
  await rig.close();
});

test("a caller who is asked for a number gets more time for it than one who says yes", async () => {
  const waited = async (question: string, text: string): Promise<number> => {
    const rig = new CallRig({
      plan: { endpoint: { type: "SEMANTIC", mode: "DEFAULT" } },
      opening: [says(question)],
      caller: [{ text, fromMs: 4000, untilMs: 5000 }],
      answers: [[says("Thanks.")]],
    });
    await rig.answer();
    await rig.clock.until(() => rig.dialogue.asked.length > 0, 15_000);
    const ms = rig.now - 5000;
    await rig.at(16_000);
    expect(rig.turns[1]?.endpoint).toMatchObject({ expected: question.includes("number") ? "digits" : "yes-no" });
    await rig.close();
    return ms;
  };
  expect(await waited("Is that right?", "Yes.")).toBeLessThan(450);
  expect(await waited("What is your phone number?", "555 234")).toBeGreaterThan(2000);
});

test("pauses within turns are learnt: later ones are given more time", async () => {
  const told = "I want to book a table";
  const rig = new CallRig({
    plan: { endpoint: { type: "SEMANTIC", mode: "CONSERVATIVE" } },
    caller: [
      { text: "Well, I would like to", fromMs: 1500, untilMs: 2500 },
      { text: "change the", fromMs: 4300, untilMs: 5000 },
      { text: "date of my", fromMs: 6900, untilMs: 7600 },
      { text: "reservation please.", fromMs: 9400, untilMs: 10_400 },
      { text: told, fromMs: 14_000, untilMs: 15_000 },
    ],
    answers: [[says("Fine.")], [says("Good.")]],
  });
  await rig.answer();
  await rig.clock.until(() => rig.dialogue.asked.length > 1, 30_000);
  const learnt = rig.now - 15_000;
  const plain = rig.rules.endpoint({ text: told, expected: { type: "open" } }).waitMs;
  expect(learnt).toBeGreaterThan(plain * 1.1);
  await rig.at(20_000);
  await rig.close();
});

test("idle messages count from the end of what was heard, and the last one is followed by the end", async () => {
  const opening = "Hello, this is the front desk, how can I help you today?";
  const rig = new CallRig({ plan: { idle }, opening: [says(opening)], line: { delayMs: 100 } });
  await rig.answer();
  const end = await rig.untilEnd();
  expect(end.reason).toBe("idle");
  const [first, second, third] = rig.playback;
  expect(Math.abs((first?.untilMs ?? 0) - (first?.fromMs ?? 0) - opening.length * LETTER_MS)).toBeLessThan(
    3 * LETTER_MS,
  );
  // The voice of the message takes a moment; marks come back over the same delay.
  for (const [before, after] of [
    [first, second],
    [second, third],
  ] as const) {
    const silence = (after?.fromMs ?? 0) - (before?.untilMs ?? 0);
    expect(silence).toBeGreaterThanOrEqual(idle.afterMs);
    expect(silence).toBeLessThanOrEqual(idle.afterMs + 500);
  }
  expect(rig.playback).toHaveLength(3);
  expect(rig.transcript.map(({ text }) => text)).toEqual([opening, ...idle.messages]);
  await rig.close();
});

test("a function that takes long is no silence of the caller's", async () => {
  const rig = new CallRig({
    plan: { idle },
    caller: [{ text: "Is there a table tonight?", fromMs: 1500, untilMs: 2500 }],
    answers: [
      [says("Let me look."), { type: "call", call: { id: "c1", name: "look", args: "{}" } }],
      [says("Yes, there is one.")],
    ],
    invoke: async () => {
      await new Promise<void>((resolve) => {
        rig.clock.setTimer(20_000, resolve);
      });
      return '{"free":true}';
    },
  });
  await rig.answer();
  await rig.clock.until(() => rig.dialogue.asked.length > 1, 40_000);
  expect(rig.transcript.some(({ text }) => idle.messages.includes(text))).toBe(false);
  const answeredMs = rig.now;
  await rig.clock.until(() => rig.transcript.some(({ text }) => text === "Are you there?"), 20_000);
  expect(rig.now - answeredMs).toBeGreaterThan(idle.afterMs);
  await rig.untilEnd();
  await rig.close();
});

test("a caller's word sets the count of idle messages back", async () => {
  const rig = new CallRig({
    plan: { idle },
    caller: [{ text: "Yes, I am here.", fromMs: 8500, untilMs: 9500 }],
    answers: [[says("Good.")]],
  });
  await rig.answer();
  await rig.untilEnd();
  expect(rig.transcript.filter(({ text }) => idle.messages.includes(text)).length).toBe(3);
  expect(rig.turns.map(({ endReason }) => endReason)).toEqual(["opening", "idle", "silence", "idle", "idle"]);
  await rig.close();
});

test("an audio model is heard: it ends a turn sooner, or gives it more time, and its failure changes nothing", async () => {
  const waited = async (judge?: () => Promise<number>): Promise<number> => {
    const turnDetector = judge && { name: "scripted", windowMs: 8000, judge, close: () => Promise.resolve() };
    const rig = new CallRig({
      plan: { endpoint: { type: "SEMANTIC", mode: "DEFAULT" } },
      caller: [{ text: "I want to book a table", fromMs: 4000, untilMs: 5000 }],
      answers: [[says("Thanks.")]],
      ...(turnDetector === undefined ? {} : { turnDetector }),
    });
    await rig.answer();
    await rig.clock.until(() => rig.dialogue.asked.length > 0, 15_000);
    const ms = rig.now - 5000;
    await rig.at(16_000);
    await rig.close();
    return ms;
  };
  const alone = await waited();
  expect(await waited(() => Promise.resolve(0.98))).toBeLessThan(alone - 300);
  expect(await waited(() => Promise.resolve(0.02))).toBeGreaterThan(alone + 100);
  expect(await waited(() => Promise.reject(new Error("scripted")))).toBe(alone);
});

test("the sound of a turn's end is measured and judged where it is weighed, and nowhere else", async () => {
  const asked = async (endpoint: CallPlan["endpoint"]) => {
    let judged = 0;
    const rig = new CallRig({
      plan: { endpoint },
      caller: [{ text: "I want to book a table", fromMs: 2000, untilMs: 3000 }],
      answers: [[says("Thanks.")]],
      turnDetector: {
        name: "scripted",
        windowMs: 8000,
        judge: async () => {
          judged += 1;
          return 0.9;
        },
        close: () => Promise.resolve(),
      },
    });
    await rig.answer();
    await rig.at(8000);
    const ends = rig.events.filter((event) => event.type === "speech-ended");
    await rig.close();
    return { judged, ends: ends.length, measured: ends.filter((end) => "prosody" in end).length };
  };
  expect(await asked({ type: "SEMANTIC", mode: "DEFAULT" })).toEqual({ judged: 1, ends: 1, measured: 1 });
  expect(await asked({ type: "SIMPLE", mode: "AGGRESSIVE" })).toEqual({ judged: 0, ends: 1, measured: 0 });
});

test("what an audio model says after the caller went on counts for nothing", async () => {
  const lengths: number[] = [];
  const rig = new CallRig({
    plan: { endpoint: { type: "SEMANTIC", mode: "DEFAULT" } },
    caller: [
      { text: "I would like to", fromMs: 3000, untilMs: 4000 },
      { text: "book a table please.", fromMs: 4600, untilMs: 5600 },
    ],
    answers: [[says("Thanks.")]],
    turnDetector: {
      name: "scripted",
      windowMs: 8000,
      judge: async (samples) => {
        lengths.push(samples.length / 16);
        await new Promise<void>((resolve) => {
          rig.clock.setTimer(lengths.length === 1 ? 700 : 20, resolve);
        });
        return lengths.length === 1 ? 1 : 0.9;
      },
      close: () => Promise.resolve(),
    },
  });
  await rig.answer();
  await rig.at(12_000);
  expect(rig.events.filter(({ type }) => type === "turn-judged")).toHaveLength(1);
  // The whole turn, from its first voice to its last.
  expect(lengths[0]).toBeGreaterThan(950);
  expect(lengths[0]).toBeLessThan(1100);
  expect(lengths[1]).toBeGreaterThan(2500);
  expect(lengths[1]).toBeLessThan(2700);
  expect(rig.dialogue.asked).toHaveLength(1);
  await rig.close();
});
