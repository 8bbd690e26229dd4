import { expect, test } from "vitest";
import { delayLimitMs, expectedDelay, learnDelay } from "../../src/call/final-delay.ts";
import { CallRig, type RigOptions } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import type { CallerLine } from "../kit/scripted-engines.ts";

const line = (fromMs: number): CallerLine => ({
  text: "I want a table for two please.",
  fromMs,
  untilMs: fromMs + 1500,
});

/** When each answer began, after the caller's last sound, with finals that take so long. */
const delays = async (finalMs: number, options: RigOptions = {}): Promise<readonly number[]> => {
  const caller = [1500, 8500, 15_500, 22_500].map((fromMs) => line(fromMs));
  const answers = caller.map(() => [says("Gladly.")]);
  const rig = new CallRig({ caller, answers, finalMs, ...options });
  await rig.answer();
  await rig.at(29_000);
  const heard = rig.turns.slice(1).map(({ heardMs }) => heardMs ?? Infinity);
  await rig.close();
  return heard;
};

test("words that are known are acted upon when their final text is later than finals of this call are", async () => {
  const [first = 0] = await delays(5000);
  expect(first).toBeLessThan(160 + 1500 + 250);
  expect(first).toBeGreaterThan(160 + 1000);
});

test("a transcriber that takes its time is given it once that was seen, but not for ever", async () => {
  const slow = await delays(1300);
  for (const ms of slow) expect(ms).toBeLessThan(160 + 1300 + 250);
  const hopeless = await delays(3500);
  for (const ms of hopeless) expect(ms).toBeLessThan(160 + 2000 + 250);
});

test("limits follow what is measured, within bounds", () => {
  expect(delayLimitMs(expectedDelay())).toBe(1500);
  expect(delayLimitMs(expectedDelay(400))).toBe(1200);
  const after = (ms: number, count: number) =>
    delayLimitMs(Array.from({ length: count }, () => ms).reduce(learnDelay, expectedDelay(400)));
  expect(after(60, 12)).toBeLessThan(after(60, 4));
  expect(after(60, 60)).toBe(250);
  expect(after(5000, 10)).toBe(2000);
});

test("a final text that comes late with other words is what is answered, while no answer was heard", async () => {
  const rig = new CallRig({
    // Over before the last words were guessed at.
    caller: [{ ...line(1500), untilMs: 2990 }],
    finalMs: 2000,
    answers: [[800, says("For how many?")], [says("A table for two, gladly.")]],
  });
  await rig.answer();
  await rig.at(9000);
  const asked = rig.dialogue.asked.map((history) => history.at(-1));
  expect(asked.at(-1)).toEqual({ speaker: "caller", text: line(0).text });
  expect(asked[0]).not.toEqual(asked[1]);
  expect(rig.voice.spoken).not.toContain("For how many?");
  expect(rig.transcript.map(({ text }) => text)).toEqual(["Hello there.", line(0).text, "A table for two, gladly."]);
  await rig.close();
});

test("a line that falls silent in the middle of a word does not hang the turn", async () => {
  const rig = new CallRig({ caller: [{ ...line(1500), untilMs: 6000 }], answers: [[says("Gladly.")]] });
  await rig.answer();
  await rig.at(3000);
  rig.line.muted = true;
  await rig.at(9000);
  expect(rig.transcript.at(-1)?.text).toBe("Gladly.");
  expect(rig.turns[1]?.startMs).toBeLessThan(3000 + 2000 + 1500 + 500);
  await rig.close();
});

test("a pause for a voice whose end is never told does not last", async () => {
  const opening = "A long opening that goes on for quite a while and has a lot to say about very little.";
  const rig = new CallRig({
    opening: [says(opening)],
    plan: { sensitivity: "SLOW" },
    caller: [{ text: "", fromMs: 1000, untilMs: 60_000 }],
  });
  await rig.answer();
  await rig.at(1150);
  rig.line.muted = true;
  await rig.at(12_000);
  expect(rig.transcript.map(({ text }) => text).join(" ")).toContain("very little.");
  await rig.close();
});
