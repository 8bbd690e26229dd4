import { expect, test } from "vitest";
import { decodeMulaw } from "../../src/audio/g711.ts";
import { levelDbfs } from "../../src/audio/level.ts";
import { planCall } from "../../src/dials/plan-call.ts";
import type { Agent } from "../../src/model/agent.ts";
import type { CreateDial } from "../../src/model/dial.ts";
import { ENGINES } from "../kit/api-rig.ts";
import { CallRig } from "../kit/call-rig.ts";

/** A call, in virtual time, after a plan that was made of an agent and a request. */
const called = async (agent: Partial<Agent>, request: Partial<CreateDial> = {}): Promise<CallRig> => {
  const plan = planCall({
    dialId: "d1",
    workspaceId: "w1",
    agent: { id: "a1", name: "Anna", language: "en", ...agent },
    prompt: { id: "p1", name: "First", agentType: "STANDARD", prompt: "You are Anna.", aiModelId: "scripted" },
    functions: [],
    from: { id: "n1", number: "+12025550100", type: "PSTN", carrier: "loopback" },
    toNumber: "+12025550123",
    request: { callAgentId: "a1", ...request },
    engines: ENGINES,
    warnings: [],
  });
  const rig = new CallRig({ plan });
  await rig.answer();
  return rig;
};

test.for<[string, Partial<Agent>, Partial<CreateDial>, number]>([
  ["the agent's maximum", { maxDurationSeconds: 90 }, {}, 90_000],
  ["the dial's time-out", {}, { timeoutMinutes: 2 }, 120_000],
  ["the smaller of both", { maxDurationSeconds: 90 }, { timeoutMinutes: 1 }, 60_000],
])("a call ends to the millisecond at %s", async ([, agent, request, endsMs]) => {
  const rig = await called(agent, request);
  await rig.at(endsMs - 1);
  expect(rig.end).toBeUndefined();
  await rig.at(endsMs);
  expect(rig.end).toMatchObject({ reason: "max_duration", endedBy: "system" });
  await rig.close();
});

test("a silent caller is asked with the agent's idle messages, after its silence, as often as it says", async () => {
  const messages = ["Hello?", "Is anybody there?"];
  const rig = await called({
    idleMessageConfig: { enabled: true, messages, idleDurationMilliseconds: 4000, maxIdleMessages: 3 },
  });
  expect(await rig.untilEnd()).toMatchObject({ reason: "idle", endedBy: "agent" });
  expect(rig.transcript.slice(1).map(({ text }) => messages.includes(text))).toEqual([true, true, true]);
  const [opening, first] = rig.playback;
  expect((first?.fromMs ?? 0) - (opening?.untilMs ?? 0)).toBeCloseTo(4000 + 100, -2);
  await rig.close();
});

test.for([-200, -60, 60])("a volume of %i tenths of a decibel is that much on the line", async (voiceVolumeLevel) => {
  const levelOf = async (request: Partial<CreateDial>): Promise<number> => {
    const rig = await called({}, request);
    await rig.at(3000);
    const level = levelDbfs(Int16Array.from(rig.line.heard.flatMap(({ payload }) => [...decodeMulaw(payload)])));
    await rig.close();
    return level;
  };
  const change = (await levelOf({ voiceVolumeLevel })) - (await levelOf({}));
  expect(Math.abs(change - voiceVolumeLevel / 10)).toBeLessThan(0.5);
});
