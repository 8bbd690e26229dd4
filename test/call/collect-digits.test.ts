import { expect, test } from "vitest";
import type { WantedKeys } from "../../src/call/wanted-keys.ts";
import { CallRig, type RigOptions } from "../kit/call-rig.ts";
import { says, type Answer } from "../kit/scripted-dialogue.ts";

const USUAL: WantedKeys = { maxDigits: 32, finishKey: "#", timeoutMs: 8000, sensitive: false };
const asks: Answer = [
  says("Please enter your number."),
  { type: "call", call: { id: "c1", name: "collect_digits", args: "{}" } },
];

/** A caller who says hello is asked for keys; they are asked for at about 4 s. */
const asking = (wanted: Partial<WantedKeys> = {}, more: RigOptions = {}): CallRig =>
  new CallRig({
    caller: [{ text: "Hello.", fromMs: 1500, untilMs: 2000 }],
    answers: [asks, [says("Thank you.")]],
    invoke: () => Promise.resolve({ type: "collect", wanted: { ...USUAL, ...wanted } }),
    ...more,
  });

const press = async (rig: CallRig, keys: string, everyMs = 300): Promise<void> => {
  for (const key of keys) {
    rig.line.press(key);
    await rig.clock.advance(everyMs);
  }
};

const resultIn = (rig: CallRig): unknown => {
  const told = rig.dialogue.asked.at(-1)?.findLast((exchange) => exchange.speaker === "function");
  return told?.speaker === "function" ? (JSON.parse(told.result) as unknown) : undefined;
};

test("keys are collected up to the one that ends them, and told to the model", async () => {
  const rig = asking();
  await rig.answer();
  await rig.at(8000);
  await press(rig, "1204#");
  await rig.at(14_000);
  expect(resultIn(rig)).toEqual({ digits: "1204", complete: true });
  expect(rig.transcript.find(({ text }) => text.startsWith("(pressed"))).toMatchObject({
    text: "(pressed 1 2 0 4)",
    speaker: "HUMAN",
  });
  expect(rig.transcript.at(-1)).toMatchObject({ speaker: "AI", text: "Thank you." });
  await rig.close();
});

test("as many keys as are wanted end the collection at once, also when they come while the question is asked", async () => {
  const rig = asking({ maxDigits: 4, sensitive: true });
  await rig.answer();
  await rig.clock.until(() => rig.playback.length > 1, 10_000);
  await rig.clock.advance(500);
  await press(rig, "9876", 100);
  await rig.clock.advance(3000);
  expect(resultIn(rig)).toEqual({ digits: "9876", complete: true });
  expect(rig.transcript.some(({ text }) => text === "(pressed 4 keys)")).toBe(true);
  expect(JSON.stringify(rig.transcript)).not.toContain("9 8 7 6");
  await rig.close();
});

test("whoever presses nothing is waited for, from the end of the question, and no longer", async () => {
  const rig = asking({ timeoutMs: 5000 });
  await rig.answer();
  await rig.clock.until(() => rig.dialogue.asked.length === 2, 30_000);
  const asked = rig.playback[1]?.untilMs ?? 0;
  expect(rig.now - asked).toBeGreaterThan(4900);
  expect(rig.now - asked).toBeLessThan(6200);
  expect(resultIn(rig)).toEqual({ digits: "", complete: false, why: "timeout" });
  await rig.at(20_000);
  await rig.close();
});

test("a caller who answers in words is heard, and the function has what was pressed until then", async () => {
  const rig = asking(
    {},
    {
      caller: [
        { text: "Hello.", fromMs: 1500, untilMs: 2000 },
        { text: "I do not know it.", fromMs: 9000, untilMs: 10_500 },
      ],
    },
  );
  await rig.answer();
  await rig.at(8000);
  await press(rig, "12", 200);
  await rig.at(14_000);
  expect(resultIn(rig)).toEqual({ digits: "12", complete: false, why: "spoke" });
  expect(rig.dialogue.asked.at(-1)?.at(-1)).toEqual({ speaker: "caller", text: "I do not know it." });
  await rig.close();
});

test("keys after a collection are the caller's turn again", async () => {
  const rig = asking({ maxDigits: 1 }, { answers: [asks, [says("Thank you.")], [says("Yes?")]] });
  await rig.answer();
  await rig.at(8000);
  await press(rig, "5");
  await rig.at(11_000);
  await press(rig, "7");
  await rig.at(16_000);
  expect(rig.dialogue.asked.at(-1)?.at(-1)).toEqual({ speaker: "caller", text: "(pressed 7)" });
  await rig.close();
});
