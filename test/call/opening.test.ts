import { expect, test } from "vitest";
import type { DialogueMove } from "../../src/dialogue/dialogue.ts";
import { CallRig } from "../kit/call-rig.ts";
import { says } from "../kit/scripted-dialogue.ts";

const call: DialogueMove = { type: "call", call: { id: "call-1", name: "who", args: "{}" } };

test("a line of another format than expected hears the opening in its own, and nothing is done or written twice", async () => {
  const invoked: string[] = [];
  const rig = new CallRig({
    opening: [{ type: "move", toNodeId: "start", data: {} }, says("Hello there."), call],
    answers: [[says("Good morning.")]],
    line: { format: { encoding: "linear16", sampleRate: 16_000 } },
    invoke: ({ id }) => {
      invoked.push(id);
      return Promise.resolve({ type: "result", result: "{}" });
    },
  });
  await rig.answer();
  await rig.at(4000);
  expect(invoked).toEqual(["call-1"]);
  expect(rig.transcript.map(({ detailType, text }) => detailType ?? text)).toEqual([
    "node_transition",
    "function",
    "Hello there.",
    "Good morning.",
  ]);
  expect(rig.line.heard[0]?.payload.length).toBe(640);
  await rig.close();
});

test.each(["far-end", "none"] as const)(
  "an opening that took a second to think of while the phone rang is heard at once when somebody answers (queue: %s)",
  async (queue) => {
    const rig = new CallRig({ opening: [1000, says("Hello there, this is the front desk.")], line: { queue } });
    await rig.answer();
    await rig.at(100);
    expect(rig.playback[0]?.fromMs).toBeLessThanOrEqual(40);
    await rig.at(6000);
    expect(rig.transcript.map(({ text }) => text)).toEqual(["Hello there, this is the front desk."]);
    await rig.close();
  },
);

test("an opening that could not be made while the phone rang is apologized for", async () => {
  const rig = new CallRig({ opening: [new Error("no model")] });
  await rig.answer();
  const end = await rig.untilEnd(20_000);
  expect(end.reason).toBe("model_failed");
  expect(rig.transcript[0]?.text).toMatch(/^I'm sorry/u);
  await rig.close();
});

test("an opening that is not thought of yet has eight seconds from the answer", async () => {
  const rig = new CallRig({ opening: [30_000, says("Too late.")] });
  await rig.answer(1000);
  await rig.at(7990);
  expect(rig.playback).toEqual([]);
  const end = await rig.untilEnd(20_000);
  expect(end.reason).toBe("model_failed");
  expect(rig.transcript).toHaveLength(1);
  await rig.close();
});

test("an agent that does not open waits for the caller, and asks whether they are there", async () => {
  const idle = { enabled: true, messages: ["Hello?"], afterMs: 3000, maxMessages: 1 };
  const rig = new CallRig({ opening: [], plan: { idle } });
  await rig.answer();
  expect((await rig.untilEnd(20_000)).reason).toBe("idle");
  expect(rig.transcript.map(({ text }) => text)).toEqual(["Hello?"]);
  await rig.close();
});

test("a caller who speaks before the opening is ready is let finish", async () => {
  const rig = new CallRig({
    opening: [3500, says("Hello, this is the office of somebody you know.")],
    caller: [{ text: "Is anybody there at all?", fromMs: 500, untilMs: 2500 }],
    answers: [[says("Yes.")]],
  });
  await rig.answer(1000);
  await rig.at(9000);
  expect(rig.transcript.map(({ text }) => text)).toContain("Is anybody there at all?");
  expect(rig.transcript.at(-1)?.text).toBe("Yes.");
  await rig.close();
});

test.for([
  ["is still being thought of", [100_000, says("Hello.")]],
  ["is longer than what is made ahead", [says("This sentence is said over and over again. ".repeat(20))]],
] as const)("a phone that nobody answers leaves nothing behind when the opening %s", async ([, opening]) => {
  const rig = new CallRig({ opening });
  await rig.clock.advance(45_000);
  await rig.close();
});

test("a call that is let go of in the middle still says that it ended", async () => {
  const rig = new CallRig();
  await rig.answer();
  await rig.at(300);
  await rig.discard();
  expect(await rig.untilEnd(10)).toEqual({ reason: "worker_lost", endedBy: "system", fault: "platform" });
  await rig.close();
});
