import { expect, test } from "vitest";
import { createDialogue } from "../../../src/dialogue/create-dialogue.ts";
import type { FlowDefinition } from "../../../src/model/versioned-prompt.ts";
import { CallRig, type RigOptions } from "../../kit/call-rig.ts";
import { LETTER_MS } from "../../kit/scripted-engines.ts";
import { flowPlan, LOOK_UP } from "./conversation.ts";
import { byWords, FlowModel } from "./flow-model.ts";
import { always, endCall, freeform, functionCall, question, rule } from "./nodes.ts";

const rigOf = (flow: FlowDefinition, options: RigOptions, model = new FlowModel(byWords)): CallRig =>
  new CallRig({
    ...options,
    dialogue: (clock) => createDialogue(flowPlan(flow), { models: () => ({ model, modelId: "m" }), clock }),
  });

const told = (rig: CallRig): readonly string[] =>
  rig.transcript.map(({ speaker, text, nodeTransition: move, functionCalls: calls }) => {
    if (move !== undefined) return `${move.fromNodeId ?? ""} -> ${move.toNodeId} by ${move.ruleIndex ?? ""}`;
    return calls === undefined ? `${speaker}: ${text}` : `call ${calls[0]?.name ?? ""}`;
  });

const shop: FlowDefinition = {
  nodes: [
    question(
      "colour",
      { question: "Red or blue?", questionType: "multiple_choice", options: ["Red", "Blue"] },
      rule("equal", { field: "answer", value: "red" }, "size"),
      always("bye"),
    ),
    question(
      "size",
      { question: "And which size do you usually wear, please?", questionType: "numeric" },
      always("bye"),
    ),
    endCall("bye", "Noted. Goodbye."),
  ],
};

test("a flow is followed in a call, and the transcript shows each move with its rule and its data", async () => {
  const rig = rigOf(shop, {
    caller: [
      { text: "The red one.", fromMs: 2000, untilMs: 3000 },
      { text: "Forty two.", fromMs: 9000, untilMs: 10_000 },
    ],
  });
  await rig.answer();
  expect(await rig.untilEnd()).toMatchObject({ reason: "agent_hangup" });
  expect(told(rig)).toEqual([
    "AI: Red or blue?",
    "HUMAN: The red one.",
    "colour -> size by 0",
    "AI: And which size do you usually wear, please?",
    "HUMAN: Forty two.",
    "size -> bye by 0",
    "AI: Noted. Goodbye.",
  ]);
  expect(rig.transcript[2]).toMatchObject({
    speaker: "AI",
    detailType: "node_transition",
    text: "",
    nodeTransition: { fromNodeId: "colour", toNodeId: "size", ruleIndex: 0, transitionData: { answer: "Red" } },
  });
  await rig.close();
});

test.each<readonly [string, number, string]>([
  ["before the answer sounds", 3250, "The red one, no, the blue one."],
  ["before a word of the answer was heard", 3380, "no, the blue one."],
])(
  "a caller who corrects themselves %s has not moved the flow, and is understood anew",
  async (_when, fromMs, turn) => {
    const rig = rigOf(shop, {
      caller: [
        { text: "The red one,", fromMs: 2000, untilMs: 2600 },
        { text: "no, the blue one.", fromMs, untilMs: fromMs + 900 },
      ],
    });
    await rig.answer();
    await rig.untilEnd();
    expect(rig.events.filter(({ type }) => type === "reply-moved")).toHaveLength(2);
    expect(told(rig).filter((line) => line !== "HUMAN: The red one,")).toEqual([
      "AI: Red or blue?",
      `HUMAN: ${turn}`,
      "colour -> bye by 1",
      "AI: Noted. Goodbye.",
    ]);
    await rig.close();
  },
);

test("a question that is interrupted takes the answer that came early, and only what was heard is written", async () => {
  const rig = rigOf(shop, {
    caller: [
      { text: "Red.", fromMs: 2000, untilMs: 2600 },
      { text: "I wear forty two.", fromMs: 5000, untilMs: 6200 },
    ],
  });
  await rig.answer();
  await rig.untilEnd();
  const heard = rig.transcript.find(({ text }) => text.startsWith("And which"))?.text ?? "";
  expect(heard.length).toBeLessThan("And which size do you usually wear, please?".length);
  expect(rig.bargeIns).toEqual(["committed"]);
  expect(told(rig).slice(-3)).toEqual(["HUMAN: I wear forty two.", "size -> bye by 0", "AI: Noted. Goodbye."]);
  await rig.close();
});

test("words that do not answer an interrupted question get the question again, whole", async () => {
  const rig = rigOf(
    shop,
    {
      caller: [
        { text: "Red.", fromMs: 2000, untilMs: 2600 },
        { text: "Hold on a moment there.", fromMs: 5000, untilMs: 6200 },
        { text: "Nine.", fromMs: 13_000, untilMs: 13_600 },
      ],
    },
    new FlowModel(undefined, undefined, true),
  );
  await rig.answer();
  await rig.untilEnd();
  expect(told(rig).slice(-4)).toEqual([
    "AI: And which size do you usually wear, please?",
    "HUMAN: Nine.",
    "size -> bye by 0",
    "AI: Noted. Goodbye.",
  ]);
  await rig.close();
});

const office: FlowDefinition = {
  openingLineType: "NONE",
  nodes: [
    freeform("talk", "Help.", rule("language", { value: "wants billing" }, "look-up")),
    functionCall(
      "look-up",
      { functionId: LOOK_UP.id, outputs: [{ name: "open", type: "BOOLEAN" }] },
      rule("equal", { field: "open", value: "true" }, "bye"),
      always("talk"),
    ),
    endCall("bye", "Your bill is open. Goodbye."),
  ],
};

test("a function runs once, and its outputs lead on", async () => {
  const rig = rigOf(office, {
    caller: [{ text: "It is about billing.", fromMs: 1000, untilMs: 2000 }],
    invoke: () => Promise.resolve('{"open":true}'),
  });
  await rig.answer();
  expect(await rig.untilEnd()).toMatchObject({ reason: "agent_hangup" });
  expect(told(rig)).toEqual([
    "HUMAN: It is about billing.",
    "talk -> look-up by 0",
    "call look_up",
    "look-up -> bye by 0",
    "AI: Your bill is open. Goodbye.",
  ]);
  await rig.close();
});

test("a result that comes after the caller spoke in between is told as soon as nobody speaks", async () => {
  const answered = Promise.withResolvers<string>();
  const rig = rigOf(office, {
    caller: [
      { text: "It is about billing.", fromMs: 1000, untilMs: 2000 },
      { text: "Are you there at all?", fromMs: 5000, untilMs: 6000 },
    ],
    invoke: () => answered.promise,
  });
  await rig.answer();
  const waiting = 8000 + "(the model speaks)".length * LETTER_MS;
  await rig.at(waiting);
  expect(rig.end).toBeUndefined();
  answered.resolve('{"open":true}');
  await rig.untilEnd(10_000);
  expect(told(rig)).toEqual([
    "HUMAN: It is about billing.",
    "talk -> look-up by 0",
    "call look_up",
    "HUMAN: Are you there at all?",
    "AI: (the model speaks)",
    "look-up -> bye by 0",
    "AI: Your bill is open. Goodbye.",
  ]);
  await rig.close();
});

test("a result that comes while the caller coughs is told after the cough", async () => {
  const answered = Promise.withResolvers<string>();
  const rig = rigOf(office, {
    caller: [
      { text: "It is about billing.", fromMs: 1000, untilMs: 2000 },
      { text: "Are you there at all?", fromMs: 5000, untilMs: 6000 },
      { text: "", fromMs: 9000, untilMs: 9600 },
    ],
    invoke: () => answered.promise,
  });
  await rig.answer();
  await rig.at(9300);
  answered.resolve('{"open":true}');
  await rig.untilEnd(10_000);
  expect(told(rig).at(-1)).toBe("AI: Your bill is open. Goodbye.");
  await rig.close();
});

test("an opening that has to be made anew for another line moves and calls only once", async () => {
  const calls: string[] = [];
  const first: FlowDefinition = {
    nodes: [
      functionCall("look-up", { functionId: LOOK_UP.id, outputs: [{ name: "open", type: "BOOLEAN" }] }, always("bye")),
      endCall("bye", "Goodbye."),
    ],
  };
  const rig = rigOf(first, {
    line: { format: { encoding: "linear16", sampleRate: 16_000 } },
    invoke: (call) => {
      calls.push(call.id);
      return Promise.resolve("{}");
    },
  });
  await rig.answer();
  await rig.untilEnd();
  expect(calls).toEqual(["flow_0"]);
  expect(told(rig)).toEqual(["call look_up", "look-up -> bye by 0", "AI: Goodbye."]);
  await rig.close();
});
