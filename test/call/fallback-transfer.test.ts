import { expect, test } from "vitest";
import { planCall } from "../../src/dials/plan-call.ts";
import { ENGINES } from "../kit/api-rig.ts";
import { CallRig, type RigOptions } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";

const NUMBER = "+12025550199";
const ASKS = { text: "Is it open?", fromMs: 1500, untilMs: 2200 };

const failing = (outcome: "transferred" | "failed", more: RigOptions = {}) => {
  const asked: string[] = [];
  const rig = new CallRig({
    plan: { fallbackTransfer: NUMBER },
    caller: [ASKS],
    answers: [[new Error("no model")]],
    transfer: ({ to }) => {
      asked.push(to);
      return Promise.resolve(outcome);
    },
    ...more,
  });
  return { rig, asked };
};

const lastWords = (rig: CallRig) => rig.transcript.at(-1)?.text ?? "";

test("a caller whose agent cannot go on is connected with somebody", async () => {
  const { rig, asked } = failing("transferred");
  await rig.answer();
  expect(await rig.untilEnd()).toMatchObject({ reason: "transferred", endedBy: "agent" });
  expect(asked).toEqual([NUMBER]);
  expect(lastWords(rig)).toMatch(/technical trouble.*connecting you/u);
  await rig.close();
});

test("a model that says nothing for eight seconds is one, and one that stops in the middle too", async () => {
  for (const answer of [[60_000], [says("It is. And "), 60_000]]) {
    const { rig, asked } = failing("transferred", { answers: [answer] });
    await rig.answer();
    await rig.untilEnd();
    expect(asked).toEqual([NUMBER]);
    expect(rig.now).toBeLessThan(25_000);
    await rig.close();
  }
});

test("where nobody picks up the call ends with an apology, and is not connected twice", async () => {
  const { rig, asked } = failing("failed");
  await rig.answer();
  expect(await rig.untilEnd()).toMatchObject({ reason: "model_failed", endedBy: "system" });
  expect(asked).toEqual([NUMBER]);
  expect(lastWords(rig)).toContain("have to end this call");
  await rig.close();
});

test("what the caller says over the announcement changes nothing", async () => {
  const over = { text: "Hello? Hello? Can you hear me?", fromMs: 4500, untilMs: 7000 };
  const { rig, asked } = failing("transferred", { caller: [ASKS, over] });
  await rig.answer();
  expect(await rig.untilEnd()).toMatchObject({ reason: "transferred" });
  expect(asked).toHaveLength(1);
  await rig.close();
});

test("the number stands in the plan, unless nobody is ever connected with it", () => {
  const planned = (transferNumber: string) =>
    planCall({
      dialId: "d1",
      workspaceId: "w1",
      agent: { id: "a1", name: "Anna", language: "en", fallbacks: { transferNumber } },
      prompt: { id: "p1", name: "First", agentType: "STANDARD", prompt: "You are Anna.", aiModelId: "scripted" },
      functions: [],
      from: { id: "n1", number: "+12025550100", type: "PSTN" },
      toNumber: "+12025550123",
      request: { callAgentId: "a1" },
      engines: ENGINES,
      warnings: [],
    });
  expect(planned(NUMBER)).toMatchObject({ fallbackTransfer: NUMBER, warnings: [] });
  const refused = planned("+19005551234");
  expect(refused.fallbackTransfer).toBeUndefined();
  expect(refused.warnings).toEqual([expect.stringContaining("fallbacks.transferNumber is not used")]);
});
