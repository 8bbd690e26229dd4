import { expect, test } from "vitest";
import type { Sensitivity } from "../../src/model/agent.ts";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { LETTER_MS } from "../kit/scripted-engines.ts";

const LONG = "This is a rather long opening sentence that nobody wants to hear to its very end, believe me.";

test("speech over the agent stops it, and only the words that were heard remain", async () => {
  const rig = new CallRig({
    opening: [says(LONG)],
    caller: [{ text: "What do you want from me?", fromMs: 2000, untilMs: 3500 }],
    answers: [[100, says("Sorry.")]],
  });
  await rig.answer();
  await rig.at(8000);
  const cut = rig.playback[0];
  expect(cut?.untilMs).toBeLessThan(2000 + 60 + 32 + 40);
  const heard = rig.transcript[0]?.text ?? "";
  expect(heard).toBe(LONG.slice(0, heard.length));
  expect(Math.abs(heard.length * LETTER_MS - (cut?.untilMs ?? 0))).toBeLessThan(4 * LETTER_MS);
  expect(rig.dialogue.asked[0]).toEqual([
    { speaker: "agent", text: heard, interrupted: true },
    { speaker: "caller", text: "What do you want from me?" },
  ]);
  expect(rig.bargeIns).toEqual(["committed"]);
  expect(rig.turns[0]).toMatchObject({ index: 0, interrupted: true });
  await rig.close();
});

test.for<[Sensitivity, number]>([
  ["ULTRA_FAST", 120],
  ["FAST", 200],
  ["MEDIUM", 350],
  ["SLOW", 600],
])("%s commits an interruption after %i ms of speech", async ([sensitivity, ms]) => {
  const rig = new CallRig({
    plan: { sensitivity },
    opening: [says(LONG)],
    caller: [{ text: "I have a question for you.", fromMs: 1000, untilMs: 3000 }],
    answers: [[says("Yes?")]],
  });
  await rig.answer();
  await rig.clock.until(() => rig.bargeIns.length > 0, 5000);
  expect(rig.now).toBeGreaterThanOrEqual(1000 + ms - 32);
  expect(rig.now).toBeLessThanOrEqual(1000 + ms + 64);
  await rig.at(8000);
  await rig.close();
});

test("a backchannel pauses the agent for a moment and does not take a word from it", async () => {
  const rig = new CallRig({ opening: [says(LONG)], caller: [{ text: "Mm-hm.", fromMs: 1000, untilMs: 1250 }] });
  await rig.answer();
  await rig.at(10_000);
  expect(rig.bargeIns).toEqual(["resumed"]);
  expect(rig.playback.length).toBe(2);
  expect(rig.transcript.find(({ speaker }) => speaker === "AI")?.text).toBe(LONG);
  expect(rig.transcript.find(({ speaker }) => speaker === "HUMAN")?.text).toBe("Mm-hm.");
  await rig.close();
});

test("a cough without words lets the agent go on from the word where it paused", async () => {
  const rig = new CallRig({ opening: [says(LONG)], caller: [{ text: "", fromMs: 1000, untilMs: 1200 }] });
  await rig.answer();
  await rig.at(10_000);
  expect(rig.bargeIns).toEqual(["resumed"]);
  const played = rig.playback.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
  expect(played).toBeGreaterThanOrEqual(LONG.length * LETTER_MS - 20);
  expect(played).toBeLessThan(LONG.length * LETTER_MS + 500);
  expect(rig.transcript).toHaveLength(1);
  expect(rig.transcript[0]?.text).toBe(LONG);
  await rig.close();
});

test("a short stop word takes the floor although it is over before its length would", async () => {
  const rig = new CallRig({
    opening: [says(LONG)],
    caller: [{ text: "Stop.", fromMs: 1000, untilMs: 1250 }],
    answers: [[says("Of course.")]],
  });
  await rig.answer();
  await rig.at(6000);
  expect(rig.bargeIns).toEqual(["committed"]);
  expect(rig.transcript.at(-1)?.text).toBe("Of course.");
  await rig.close();
});

test("a greeting over the opening is no interruption", async () => {
  const rig = new CallRig({ opening: [says(LONG)], caller: [{ text: "Hello?", fromMs: 100, untilMs: 500 }] });
  await rig.answer();
  await rig.at(10_000);
  expect(rig.transcript.find(({ speaker }) => speaker === "AI")?.text).toBe(LONG);
  await rig.close();
});

test("a line without a queue of its own is paused, cut and resumed as well", async () => {
  const rig = new CallRig({
    opening: [says(LONG)],
    line: { queue: "none", marks: false },
    caller: [
      { text: "Mm-hm.", fromMs: 1000, untilMs: 1250 },
      { text: "But I have a question now.", fromMs: 3000, untilMs: 4500 },
    ],
    answers: [[says("Yes?")]],
  });
  await rig.answer();
  await rig.at(9000);
  expect(rig.bargeIns).toEqual(["resumed", "committed"]);
  expect(LONG.startsWith(rig.transcript[0]?.text ?? "?")).toBe(true);
  expect(rig.transcript.at(-1)?.text).toBe("Yes?");
  await rig.close();
});

test("a line whose marks never come back still drains, by time", async () => {
  const rig = new CallRig({
    line: { marks: false },
    caller: [{ text: "Hi there.", fromMs: 3000, untilMs: 3600 }],
    answers: [[says("Bye.")]],
  });
  await rig.answer();
  await rig.at(8000);
  expect(rig.transcript.map(({ text }) => text)).toEqual(["Hello there.", "Hi there.", "Bye."]);
  expect(rig.turns.map(({ interrupted }) => interrupted)).toEqual([false, false]);
  await rig.close();
});

test("the hundredth interruption works like the first", async () => {
  const rounds = 100;
  const every = 5000;
  const rig = new CallRig({
    opening: [says(LONG)],
    caller: Array.from({ length: rounds }, (_, round) => ({
      text: `This is interruption number ${round}.`,
      fromMs: 1000 + round * every,
      untilMs: 2000 + round * every,
    })),
    answers: Array.from({ length: rounds }, () => [50, says(LONG)]),
  });
  await rig.answer();
  await rig.at(rounds * every);
  expect(rig.bargeIns).toHaveLength(rounds);
  const delays = rig.playback.slice(0, rounds).map(({ untilMs }, round) => untilMs - (1000 + round * every));
  expect(Math.max(...delays) - Math.min(...delays)).toBeLessThanOrEqual(40);
  const humans = rig.transcript.filter(({ speaker }) => speaker === "HUMAN");
  expect(humans.map(({ text }) => text)).toEqual(
    Array.from({ length: rounds }, (_, round) => `This is interruption number ${round}.`),
  );
  await rig.close();
});
