import { expect, test } from "vitest";
import { createDialogue } from "../../../src/dialogue/create-dialogue.ts";
import type { FlowDefinition } from "../../../src/model/versioned-prompt.ts";
import { CallRig } from "../../kit/call-rig.ts";
import { Conversation, flowPlan } from "./conversation.ts";
import { byWords, FlowModel } from "./flow-model.ts";
import { always, endCall, pressDigits, question, rule } from "./nodes.ts";

const hotline: FlowDefinition = {
  nodes: [
    question("which", { question: "Sales or support?", questionType: "freeform" }, always("menu")),
    pressDigits("menu", "2", always("account")),
    pressDigits("account", "{{account}}#", rule("equal", { field: "ready", value: "yes" }, "bye"), always("bye")),
    endCall("bye", "Done."),
  ],
};

test("keys of several nodes are pressed one after another, with macros filled", async () => {
  const talk = new Conversation(hotline, { plan: { inputs: { account: "12-34" } } });
  await talk.open();
  expect(await talk.says("Support.")).toEqual([
    "which -> menu by 0",
    "press 2",
    "menu -> account by 0",
    "press 1234#",
    "account -> bye by 1",
    "Done.",
    "hang up",
  ]);
});

test("what is no key is not pressed, and the flow goes on", async () => {
  const talk = new Conversation(hotline, { plan: { inputs: { account: "none" } } });
  await talk.open();
  expect(await talk.says("Support.")).toEqual([
    "which -> menu by 0",
    "press 2",
    "menu -> account by 0",
    "account -> bye by 1",
    "Done.",
    "hang up",
  ]);
});

const waiting: FlowDefinition = {
  openingLineType: "NONE",
  nodes: [pressDigits("menu", "2", rule("equal", { field: "never", value: "set" }, "bye")), endCall("bye", "Done.")],
};

test("a node presses once however often the other side speaks, and anew when an answer was dropped", async () => {
  const talk = new Conversation(waiting);
  expect(await talk.open()).toEqual([]);
  expect(await talk.saysAndGoesOn("For support")).toEqual(["press 2"]);
  expect(await talk.says("For support press two.")).toEqual(["press 2"]);
  expect(await talk.says("Please hold.")).toEqual([]);
  expect(await talk.says("Please hold on.")).toEqual([]);
});

test("in a call, moves and keys stand in the transcript in their order", async () => {
  const model = new FlowModel(byWords);
  const rig = new CallRig({
    caller: [{ text: "Support.", fromMs: 2500, untilMs: 3000 }],
    dialogue: (clock) =>
      createDialogue(flowPlan(hotline, { inputs: { account: "7" } }), {
        models: () => ({ model, modelId: "m" }),
        clock,
      }),
  });
  await rig.answer();
  expect(await rig.untilEnd()).toMatchObject({ reason: "agent_hangup" });
  expect(
    rig.transcript.map(({ text, nodeTransition, functionCalls }) => {
      if (nodeTransition !== undefined) return `to ${nodeTransition.toNodeId}`;
      return functionCalls === undefined ? text : (functionCalls[0]?.args ?? "");
    }),
  ).toEqual([
    "Sales or support?",
    "Support.",
    "to menu",
    '{"digits":"2"}',
    "to account",
    '{"digits":"7#"}',
    "to bye",
    "Done.",
  ]);
  await rig.close();
});
