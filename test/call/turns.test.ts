import { expect, test } from "vitest";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";
import { LETTER_MS, type CallerLine } from "../kit/scripted-engines.ts";
import type { LineOptions } from "../kit/scripted-line.ts";

const QUESTION = "Shall I book that for you now?";
const QUESTION_MS = QUESTION.length * LETTER_MS;

test.for<[string, LineOptions, Pick<CallerLine, "fromMs" | "untilMs">]>([
  ["over its last word", {}, { fromMs: QUESTION_MS - 200, untilMs: QUESTION_MS + 50 }],
  [
    "after it, while a slow line has not told yet",
    { delayMs: 250 },
    { fromMs: QUESTION_MS + 50, untilMs: QUESTION_MS + 300 },
  ],
  [
    "after it, on a line that tells nothing",
    { marks: false },
    { fromMs: QUESTION_MS + 20, untilMs: QUESTION_MS + 300 },
  ],
])("a small word in answer to a question counts as an answer: %s", async ([, line, when]) => {
  const rig = new CallRig({
    opening: [says(QUESTION)],
    line,
    caller: [{ text: "Yes.", ...when }],
    answers: [[says("Done.")]],
  });
  await rig.answer();
  await rig.at(8000);
  expect(rig.transcript.map(({ speaker, text }) => `${speaker}: ${text}`).slice(1)).toEqual([
    "HUMAN: Yes.",
    "AI: Done.",
  ]);
  expect(QUESTION.startsWith(rig.transcript[0]?.text ?? "?")).toBe(true);
  expect(QUESTION.length - (rig.transcript[0]?.text.length ?? 0)).toBeLessThanOrEqual("now? ".length);
  await rig.close();
});

test("a reply of which every word was heard was not interrupted", async () => {
  const rig = new CallRig({
    opening: [says(QUESTION)],
    line: { delayMs: 300 },
    caller: [{ text: "Yes, please book it right away.", fromMs: QUESTION_MS + 150, untilMs: QUESTION_MS + 1500 }],
    answers: [[says("Done.")]],
  });
  await rig.answer();
  await rig.at(9000);
  expect(rig.dialogue.asked[0]?.[0]).toEqual({ speaker: "agent", text: QUESTION, interrupted: false });
  expect(rig.turns[0]).toMatchObject({ index: 0, interrupted: false });
  await rig.close();
});

test("a small word in the middle leaves the agent the floor, also when the dialogue has given all it had", async () => {
  const rig = new CallRig({ opening: [says(QUESTION)], caller: [{ text: "Yes.", fromMs: 400, untilMs: 650 }] });
  await rig.answer();
  await rig.at(8000);
  expect(rig.transcript.find(({ speaker }) => speaker === "AI")?.text).toBe(QUESTION);
  expect(rig.dialogue.asked).toEqual([]);
  await rig.close();
});

test("turns are counted without holes, also when an answer was given up before anybody heard it", async () => {
  const rig = new CallRig({
    caller: [{ text: "I have a question.", fromMs: 1500, untilMs: 2500 }],
    answers: [[3000, says("Never heard.")], [says("Thank you.")]],
  });
  await rig.answer();
  await rig.at(4000);
  rig.line.press("1");
  await rig.at(9000);
  expect(rig.transcript.map(({ text }) => text)).toEqual([
    "Hello there.",
    "I have a question. (pressed 1)",
    "Thank you.",
  ]);
  expect(rig.turns.map(({ index }) => index)).toEqual([0, 1]);
  await rig.close();
});

test("keys cut in on the agent", async () => {
  const rig = new CallRig({
    opening: [says("For sales press one, for service press two, for everything else press three.")],
    answers: [[says("Sales.")]],
  });
  await rig.answer();
  await rig.at(1500);
  rig.line.press("1");
  await rig.at(1700);
  expect(rig.playback[0]?.untilMs).toBeLessThan(1600);
  await rig.at(7000);
  expect(rig.dialogue.asked[0]).toMatchObject([
    { speaker: "agent", interrupted: true },
    { speaker: "caller", text: "(pressed 1)" },
  ]);
  expect(rig.transcript.at(-1)?.text).toBe("Sales.");
  await rig.close();
});

test("a key that is stuck does not fill the turn", async () => {
  const rig = new CallRig({ answers: [[says("Thank you.")]] });
  await rig.answer();
  await rig.at(1000);
  for (let press = 0; press < 500; press++) rig.line.press("9");
  await rig.at(6000);
  expect(rig.transcript[1]?.text.length).toBe("(pressed )".length + 64 + 63);
  await rig.close();
});
