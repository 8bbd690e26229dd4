import { expect, test } from "vitest";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";

const HELLO = "Hello, how can I help you?";
const QUESTION = { text: "When do you open on Sunday?", fromMs: 4000, untilMs: 5500 };

const spoken = (rig: CallRig) => rig.transcript.map(({ speaker, text }) => `${speaker}: ${text}`);

test("what an operator lets the agent say takes the place of what it was saying, and the model learns of it", async () => {
  const rig = new CallRig({ opening: [says(HELLO)], caller: [QUESTION], answers: [[says("At nine.")]] });
  await rig.answer();
  await rig.at(300);
  rig.handle?.order({ type: "say", text: "This is a colleague." });
  await rig.at(9000);
  expect(spoken(rig).slice(1)).toEqual(["AI: This is a colleague.", `HUMAN: ${QUESTION.text}`, "AI: At nine."]);
  expect(HELLO.startsWith(spoken(rig)[0]?.replace("AI: ", "") ?? "?")).toBe(true);
  expect(rig.dialogue.asked[0]).toContainEqual({ speaker: "agent", text: "This is a colleague.", interrupted: false });
  expect(rig.turns.find(({ endReason }) => endReason === "operator")).toMatchObject({ interrupted: false });
  await rig.close();
});

test("a paused agent hears and does not answer; what was said is answered when it may again", async () => {
  const rig = new CallRig({ opening: [says(HELLO)], caller: [QUESTION], answers: [[says("At nine.")]] });
  await rig.answer();
  await rig.at(3000);
  rig.handle?.order({ type: "pause", paused: true });
  await rig.at(20_000);
  expect(spoken(rig)).toEqual([`AI: ${HELLO}`, `HUMAN: ${QUESTION.text}`]);
  expect(rig.dialogue.asked).toEqual([]);
  rig.handle?.order({ type: "pause", paused: false });
  await rig.at(24_000);
  expect(spoken(rig).at(-1)).toBe("AI: At nine.");
  expect(rig.dialogue.asked[0]?.at(-1)).toEqual({ speaker: "caller", text: QUESTION.text });
  await rig.close();
});

test("a paused agent does not end the call for silence, and says what an operator says", async () => {
  const idle = { enabled: true, messages: ["Are you there?"], afterMs: 2000, maxMessages: 1 };
  const rig = new CallRig({ opening: [says(HELLO)], plan: { idle } });
  await rig.answer();
  await rig.at(1500);
  rig.handle?.order({ type: "pause", paused: true });
  await rig.at(15_000);
  rig.handle?.order({ type: "say", text: "Still here." });
  await rig.at(30_000);
  expect(spoken(rig).slice(1)).toEqual(["AI: Still here."]);
  rig.handle?.order({ type: "pause", paused: false });
  await rig.at(34_000);
  expect(spoken(rig).at(-1)).toBe("AI: Are you there?");
  await rig.close();
});

test("an operator's transfer ends the call as theirs; one that fails leaves it to the agent, which is told", async () => {
  for (const outcome of ["transferred", "failed"] as const) {
    const asked: string[] = [];
    const rig = new CallRig({
      opening: [says(HELLO)],
      answers: outcome === "failed" ? [[says("Nobody is there. How else can I help?")]] : [],
      transfer: async ({ to }) => {
        asked.push(to);
        return outcome;
      },
    });
    await rig.answer();
    await rig.at(3000);
    rig.handle?.order({ type: "transfer", to: "+12025550199" });
    if (outcome === "transferred")
      expect(await rig.untilEnd()).toMatchObject({ reason: "transferred", endedBy: "api" });
    else {
      await rig.at(9000);
      expect(spoken(rig).at(-1)).toBe("AI: Nobody is there. How else can I help?");
      expect(rig.dialogue.asked[0]?.at(-1)).toMatchObject({ speaker: "event" });
    }
    expect(asked).toEqual(["+12025550199"]);
    await rig.close();
  }
});
