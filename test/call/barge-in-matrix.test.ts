import { expect, test } from "vitest";
import type { Sensitivity } from "../../src/model/agent.ts";
import { CallRig } from "../kit/call-rig.ts";
import { hangsUp, says } from "../kit/scripted-dialogue.ts";
import { LETTER_MS } from "../kit/scripted-engines.ts";

const LONG = "This is a rather long opening sentence that nobody wants to hear to its very end, believe me.";
const SENSITIVITIES: readonly Sensitivity[] = ["ULTRA_FAST", "FAST", "MEDIUM", "SLOW"];

test.for(["Yeah.", "Uh-huh.", "I see.", "Okay, sure."])(
  "%j over the agent: it goes on where it paused",
  async (text) => {
    const rig = new CallRig({ opening: [says(LONG)], caller: [{ text, fromMs: 1500, untilMs: 1780 }] });
    await rig.answer();
    await rig.at(12_000);
    expect(rig.bargeIns).toEqual(["resumed"]);
    expect(rig.playback).toHaveLength(2);
    const played = rig.playback.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
    const longestWord = Math.max(...LONG.split(" ").map((word) => word.length + 1)) * LETTER_MS;
    expect(played).toBeGreaterThanOrEqual(LONG.length * LETTER_MS - 20);
    expect(played).toBeLessThanOrEqual(LONG.length * LETTER_MS + longestWord + 20);
    expect(rig.transcript.find(({ speaker }) => speaker === "AI")?.text).toBe(LONG);
    expect(rig.turns[0]).toMatchObject({ interrupted: false, bargeIns: [{ decision: "resumed", why: "backchannel" }] });
    await rig.close();
  },
);

test.for(SENSITIVITIES)("%s: any speech silences the agent within 250 ms at the caller's ear", async (sensitivity) => {
  const delays: number[] = [];
  for (let round = 0; round < 20; round++) {
    const fromMs = 900 + round * 137;
    const rig = new CallRig({
      plan: { sensitivity },
      opening: [says(LONG)],
      line: { delayMs: 80 },
      caller: [{ text: "I would like to ask something else.", fromMs, untilMs: fromMs + 1800 }],
      answers: [[says("Yes?")]],
    });
    await rig.answer();
    await rig.at(fromMs + 900);
    delays.push((rig.playback[0]?.untilMs ?? Infinity) - fromMs);
    rig.dialogue.forget();
    await rig.close();
  }
  const sorted = delays.toSorted((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length * 0.95)]).toBeLessThanOrEqual(250);
});

test("a small word that is long, and known only when it is over, takes nothing from the agent either", async () => {
  const rig = new CallRig({
    opening: [says(LONG)],
    plan: { sensitivity: "ULTRA_FAST" },
    // Too short for a guess while it sounds, too long for the sensitivity.
    caller: [{ text: "Yeah.", fromMs: 1510, untilMs: 1790 }],
  });
  await rig.answer();
  await rig.at(1790 + 2000);
  expect(rig.playback.at(-1)?.untilMs).toBeGreaterThan(1790 + 1000);
  await rig.at(12_000);
  const said = rig.transcript.filter(({ speaker }) => speaker === "AI").map(({ text }) => text);
  expect(said.join(" ")).toBe(LONG);
  expect(rig.transcript.filter(({ speaker }) => speaker === "HUMAN").map(({ text }) => text)).toEqual(["Yeah."]);
  expect(rig.bargeIns).toEqual(["committed"]);
  expect(rig.turns.map(({ endReason }) => endReason)).toEqual(["opening", "resumed"]);
  expect(rig.dialogue.asked).toEqual([]);
  await rig.close();
});

test.for<[string, string]>([
  ["Wait, stop.", "stop-word"],
  ["Hang on.", "stop-word"],
  ["Excuse me.", "stop-word"],
  ["Yeah but how much?", "words"],
])("%j over the agent: it stays silent and answers", async ([text, why]) => {
  const rig = new CallRig({
    plan: { sensitivity: "SLOW" },
    opening: [says(LONG)],
    caller: [{ text, fromMs: 1500, untilMs: 1980 }],
    answers: [[100, says("Of course.")]],
  });
  await rig.answer();
  await rig.at(9000);
  expect(rig.bargeIns).toEqual(["committed"]);
  expect(rig.turns[0]).toMatchObject({ interrupted: true, bargeIns: [{ decision: "committed", why }] });
  expect(rig.playback).toHaveLength(2);
  expect(rig.transcript.map((entry) => entry.text).slice(1)).toEqual([text, "Of course."]);
  await rig.close();
});

test.for<[string, string, string]>([
  ["de", "Ja, genau.", "Moment mal, stopp."],
  ["es", "Sí, claro.", "Espera, para."],
  ["fr", "Oui, d'accord.", "Attendez, stop."],
  ["it", "Sì, certo.", "Aspetti, ferma."],
  ["pt", "Sim, claro.", "Espera, pare."],
  ["nl", "Ja, precies.", "Wacht even, stop."],
])("%s: over the agent, %j leaves it the floor and %j takes it", async ([language, small, stop]) => {
  const rig = new CallRig({
    plan: { language, sensitivity: "SLOW" },
    opening: [says(LONG)],
    caller: [
      { text: small, fromMs: 800, untilMs: 1150 },
      { text: stop, fromMs: 3000, untilMs: 3450 },
    ],
    answers: [[100, says("Of course.")]],
  });
  await rig.answer();
  await rig.at(8000);
  expect(rig.turns[0]?.bargeIns).toMatchObject([
    { decision: "resumed", why: "backchannel" },
    { decision: "committed", why: "stop-word" },
  ]);
  expect(rig.transcript.at(-1)?.text).toBe("Of course.");
  await rig.close();
});

test("a backchannel into the agent's silence is an answer", async () => {
  const rig = new CallRig({
    opening: [says("Shall I book it?")],
    caller: [{ text: "Yeah.", fromMs: 2500, untilMs: 2800 }],
    answers: [[100, says("Done.")]],
  });
  await rig.answer();
  await rig.at(6000);
  expect(rig.transcript.map(({ text }) => text)).toEqual(["Shall I book it?", "Yeah.", "Done."]);
  expect(rig.bargeIns).toEqual([]);
  await rig.close();
});

test.for<[string, number]>([
  ["a cough", 180],
  ["a door", 90],
  ["a chair", 300],
  ["a few bars of music", 1400],
  ["a passing siren", 4000],
])("%s: the agent is back within 2 s of its end, and no word is lost", async ([, lengthMs]) => {
  const fromMs = 1500;
  const rig = new CallRig({ opening: [says(LONG)], caller: [{ text: "", fromMs, untilMs: fromMs + lengthMs }] });
  await rig.answer();
  await rig.at(fromMs + lengthMs + 2000);
  expect(rig.playback.at(-1)?.untilMs).toBeGreaterThan(fromMs + lengthMs + 1000);
  await rig.at(16_000);
  const said = rig.transcript.map(({ text }) => text).join(" ");
  expect(said.split(" ").length - LONG.split(" ").length).toBeGreaterThanOrEqual(0);
  expect(said.split(" ").length - LONG.split(" ").length).toBeLessThanOrEqual(1);
  expect(rig.dialogue.asked).toEqual([]);
  await rig.close();
});

test("an interruption before the first sound makes one longer turn of two", async () => {
  const rig = new CallRig({
    caller: [
      { text: "I would like a table.", fromMs: 1500, untilMs: 2500 },
      { text: "For four people.", fromMs: 3400, untilMs: 4200 },
    ],
    answers: [
      [600, says("When?")],
      [600, says("For four, when?")],
    ],
  });
  await rig.answer();
  await rig.at(9000);
  expect(rig.transcript.map(({ text }) => text)).toEqual([
    "Hello there.",
    "I would like a table. For four people.",
    "For four, when?",
  ]);
  expect(rig.turns).toHaveLength(2);
  await rig.close();
});

test("an interruption when everything was sent and not all of it played keeps only what was heard", async () => {
  const totalMs = LONG.length * LETTER_MS;
  const rig = new CallRig({
    opening: [says(LONG)],
    leadMs: 10_000,
    caller: [{ text: "No, please tell me something else.", fromMs: 2000, untilMs: 3600 }],
    answers: [[100, says("Fine.")]],
  });
  await rig.answer();
  await rig.at(9000);
  const untilMs = rig.playback[0]?.untilMs ?? 0;
  expect(untilMs).toBeLessThan(totalMs - 1000);
  const heard = rig.transcript[0]?.text ?? "";
  expect(LONG.startsWith(heard)).toBe(true);
  expect(Math.abs(heard.length * LETTER_MS - untilMs)).toBeLessThan(12 * LETTER_MS);
  await rig.close();
});

test("an interruption while a function runs: its answer is told when nobody speaks", async () => {
  const rig = new CallRig({
    caller: [
      { text: "Is there a table tonight?", fromMs: 1500, untilMs: 2500 },
      { text: "For four people, I mean.", fromMs: 5200, untilMs: 6400 },
    ],
    answers: [
      [
        says("One moment, I am looking that up for you right now."),
        { type: "call", call: { id: "c1", name: "look", args: "{}" } },
      ],
      [100, says("For four.")],
    ],
    invoke: async () => {
      await rig.clock.until(() => false, 1).catch(() => undefined);
      return '{"free":true}';
    },
  });
  await rig.answer();
  await rig.at(14_000);
  const asked = rig.dialogue.asked.at(-1) ?? [];
  expect(asked.some((exchange) => exchange.speaker === "function")).toBe(true);
  expect(asked.at(-1)).toEqual({ speaker: "caller", text: "For four people, I mean." });
  expect(rig.transcript.at(-1)?.text).toBe("For four.");
  await rig.close();
});

test("the goodbye is said to its end, whatever the caller says", async () => {
  const goodbye = "Thank you for your call, and have a very nice day. Goodbye.";
  const rig = new CallRig({
    opening: [says(goodbye), hangsUp],
    caller: [{ text: "Wait, stop, I have a question.", fromMs: 800, untilMs: 2500 }],
  });
  await rig.answer();
  const end = await rig.untilEnd();
  expect(end.reason).toBe("agent_hangup");
  expect(rig.transcript.find(({ speaker }) => speaker === "AI")?.text).toBe(goodbye);
  expect(rig.bargeIns).toEqual([]);
  await rig.close();
});
