import { expect, test } from "vitest";
import { KeyDetector } from "../../src/audio/dtmf-detector.ts";
import { decodeMulaw } from "../../src/audio/g711.ts";
import type { DialogueMove } from "../../src/dialogue/dialogue.ts";
import { CallRig } from "../kit/call-rig.ts";
import { hangsUp, says } from "../kit/scripted-dialogue.ts";

const presses = (digits: string): DialogueMove => ({ type: "press-digits", digits });

const MENU = { text: "For sales, press one. For support, press two.", fromMs: 2000, untilMs: 5000 };
const ivrPrompt = { id: "p2", name: "Menu", agentType: "STANDARD", prompt: "Reach support." } as const;

/** The keys that the far end heard, and when the last of them ended. */
const keysHeard = ({ line }: CallRig) => {
  const detector = new KeyDetector(8000);
  let keys = "";
  let untilMs = 0;
  for (const sound of line.heard) {
    const key = detector.next(decodeMulaw(sound.payload));
    if (key !== undefined) [keys, untilMs] = [keys + key, sound.untilMs];
  }
  return { keys, untilMs };
};

const told = ({ transcript }: CallRig) =>
  transcript.map(({ speaker, text, functionCalls }) => {
    const call = functionCalls?.[0];
    return call === undefined ? `${speaker}: ${text}` : `${call.functionCallId} ${call.args}`;
  });

test("keys are sent as tones between the words around them, stand in the transcript, and are no words", async () => {
  const rig = new CallRig({
    answers: [[says("One two three. "), presses("15#"), says("Four five six."), hangsUp]],
    caller: [MENU],
    plan: { voice: { id: "scripted", options: [], volumeDb: 20 } },
  });
  await rig.answer();
  await rig.untilEnd();
  expect(keysHeard(rig).keys).toBe("15#");
  expect(told(rig)).toEqual([
    "AI: Hello there.",
    `HUMAN: ${MENU.text}`,
    'press_digits {"digits":"15#"}',
    "AI: One two three. Four five six.",
  ]);
  expect(rig.transcript[2]).toMatchObject({ detailType: "function", text: "", functionCallId: "press_digits" });
  const frames = rig.line.heard.map(({ payload }) => decodeMulaw(payload));
  expect(Math.max(...frames.flatMap((frame) => [...frame]).map(Math.abs))).toBeLessThan(32_767);
  await rig.close();
});

test("the dialogue is not asked again until the other side has spoken, and then knows what was pressed", async () => {
  const rig = new CallRig({
    answers: [[presses("2")], [hangsUp]],
    caller: [MENU, { text: "Please hold.", fromMs: 12_000, untilMs: 13_000 }],
    plan: { ivrPrompt },
  });
  await rig.answer();
  await rig.at(11_500);
  expect(rig.dialogue.asked).toHaveLength(1);
  await rig.untilEnd();
  const call = { id: "press_digits", name: "press_digits", args: '{"digits":"2"}' };
  expect(rig.dialogue.asked[1]).toEqual([
    { speaker: "agent", text: "Hello there.", interrupted: false },
    { speaker: "caller", text: MENU.text },
    { speaker: "agent", text: "", interrupted: false, calls: [call] },
    { speaker: "function", callId: "press_digits", name: "press_digits", result: '{"ok":true}' },
    { speaker: "caller", text: "Please hold." },
  ]);
  expect(told(rig)).toEqual([
    "AI: Hello there.",
    `IVR: ${MENU.text}`,
    'press_digits {"digits":"2"}',
    "IVR: Please hold.",
  ]);
  await rig.close();
});

test("a menu that talks on does not cut keys off, and what it says meanwhile is answered afterwards", async () => {
  const rig = new CallRig({
    answers: [[presses("123456789")], [hangsUp]],
    caller: [MENU, { text: "To hear this again, press star.", fromMs: 6700, untilMs: 9000 }],
    plan: { ivrPrompt },
  });
  await rig.answer();
  await rig.untilEnd();
  expect(keysHeard(rig).keys).toBe("123456789");
  expect(rig.dialogue.asked).toHaveLength(2);
  expect(told(rig).at(-1)).toBe("IVR: To hear this again, press star.");
  await rig.close();
});

test("keys that would answer a turn which went on before they were decided upon are never pressed", async () => {
  const rig = new CallRig({
    answers: [
      [1000, presses("1")],
      [presses("2"), hangsUp],
    ],
    caller: [MENU, { text: "Or stay on the line.", fromMs: 6300, untilMs: 7500 }],
  });
  await rig.answer();
  await rig.untilEnd();
  expect(keysHeard(rig).keys).toBe("2");
  await rig.close();
});

test("commas make pauses, and two sequences of one call have different ids", async () => {
  const rig = new CallRig({ answers: [[presses("1,2"), presses("3"), hangsUp]], caller: [MENU] });
  await rig.answer();
  await rig.untilEnd();
  expect(keysHeard(rig).keys).toBe("123");
  expect(rig.playback.at(-1)?.untilMs).toBeGreaterThan((rig.playback.at(-1)?.fromMs ?? 0) + 2500);
  expect(told(rig).slice(2)).toEqual(['press_digits {"digits":"1,2"}', 'press_digits_2 {"digits":"3"}']);
  await rig.close();
});

test("a menu on the line is not asked whether it is there; a person is", async () => {
  const plan = { idle: { enabled: true, messages: ["Still there?"], afterMs: 3000, maxMessages: 1 }, ivrPrompt };
  const menu = new CallRig({ answers: [[]], caller: [MENU], plan });
  await menu.answer();
  await menu.at(60_000);
  expect(told(menu)).toEqual(["AI: Hello there.", `IVR: ${MENU.text}`]);
  await menu.close();
  const person = new CallRig({ answers: [[]], caller: [{ ...MENU, text: "Hi, this is Anna." }], plan });
  await person.answer();
  await person.untilEnd();
  expect(told(person)).toEqual(["AI: Hello there.", "HUMAN: Hi, this is Anna.", "AI: Still there?"]);
  await person.close();
});
