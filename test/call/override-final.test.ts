import { expect, test } from "vitest";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";

const UNTIL_MS = 3000;

/** When the answer to one sentence is heard, after the caller's last sound, with a transcriber that takes two seconds for its final text. */
const answeredAfter = async (endpoint: Readonly<{ overrideFinalMs?: number }>): Promise<number> => {
  const rig = new CallRig({
    plan: { endpoint: { type: "SIMPLE", mode: "DEFAULT", ...endpoint } },
    caller: [{ text: "I want to book a table for two.", fromMs: 1500, untilMs: UNTIL_MS }],
    answers: [[says("Gladly.")]],
    finalMs: 2000,
  });
  await rig.answer();
  await rig.at(12_000);
  expect(rig.transcript.map(({ speaker, text }) => `${speaker}: ${text}`).at(-1)).toBe("AI: Gladly.");
  expect(rig.dialogue.asked).toHaveLength(1);
  const answer = rig.playback.at(-1)?.fromMs ?? expect.fail("no answer was heard");
  await rig.close();
  return answer - UNTIL_MS;
};

test("with an override the turn is taken so long after the caller's last sound, without the final transcript", async () => {
  const without = await answeredAfter({});
  const soon = await answeredAfter({ overrideFinalMs: 1000 });
  const later = await answeredAfter({ overrideFinalMs: 1400 });
  expect(soon).toBeLessThan(without);
  expect(later - soon).toBeGreaterThanOrEqual(360);
  expect(later - soon).toBeLessThanOrEqual(440);
  expect(soon).toBeGreaterThanOrEqual(1000);
  expect(soon).toBeLessThanOrEqual(1000 + 250);
});
