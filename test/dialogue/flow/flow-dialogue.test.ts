import fc from "fast-check";
import { expect, test } from "vitest";
import type { DialogueMove, Exchange } from "../../../src/dialogue/dialogue.ts";
import { cyclesOf } from "../../../src/dialogue/flow/check-graph.ts";
import { FlowDialogue } from "../../../src/dialogue/flow/flow-dialogue.ts";
import { opensCall } from "../../../src/dialogue/flow/opens-call.ts";
import type { FlowDefinition, FlowNode } from "../../../src/model/versioned-prompt.ts";
import { VirtualClock } from "../../kit/virtual-clock.ts";
import { collect, Conversation, flowPlan, lines } from "./conversation.ts";
import { byWords, FlowModel } from "./flow-model.ts";
import { always, endCall, freeform, functionCall, question, rule, setVariables } from "./nodes.ts";

const COLOURS = { question: "Red or blue?", questionType: "multiple_choice", options: ["Red", "Blue"] };
const twoQuestions: FlowDefinition = {
  nodes: [
    question("colour", COLOURS, rule("equal", { field: "answer", value: "red" }, "size"), always("bye")),
    question("size", { question: "Which size do you wear?", questionType: "numeric" }, always("bye")),
    endCall("bye", "Bye."),
  ],
};

test("an answer that is dropped before it is heard leaves the flow where it was", async () => {
  const talk = new Conversation(twoQuestions);
  await talk.open();
  expect(await talk.saysAndGoesOn("red")).toEqual(["colour -> size by 0", "Which size do you wear?"]);
  expect(await talk.says("red, sorry, I mean blue")).toEqual(["(the model speaks)"]);
  expect(await talk.says("blue")).toEqual(["colour -> bye by 1", "Bye.", "hang up"]);
});

test("a question that was interrupted is answered by what fits it, and is said again whole for what does not", async () => {
  const answers = new Conversation(twoQuestions, { model: new FlowModel(undefined, undefined, true) });
  await answers.open();
  await answers.interrupts("red", 2);
  expect(answers.history.at(-1)).toMatchObject({ text: "Which size", interrupted: true });
  expect(await answers.says("forty two")).toEqual(["size -> bye by 0", "Bye.", "hang up"]);
  const talks = new Conversation(twoQuestions, { model: new FlowModel(undefined, undefined, true) });
  await talks.open();
  await talks.interrupts("red", 2);
  expect(await talks.says("wait, there is somebody at the door")).toEqual(["Which size do you wear?"]);
  for (let again = 0; again < 2; again++) expect(await talks.says("what?")).toEqual(["Which size do you wear?"]);
  expect(await talks.says("what?")).toEqual(["size -> bye by 0", "Bye.", "hang up"]);
});

test("a question of which nothing was heard is said, whatever the caller said meanwhile", async () => {
  const talk = new Conversation(twoQuestions);
  await talk.open();
  await talk.interrupts("red", 0);
  expect(await talk.says("seven")).toEqual(["Which size do you wear?"]);
});

test("a caller who only says that they are there has not answered the question", async () => {
  const idle = { enabled: true, messages: ["Are you still there?"], afterMs: 10_000, maxMessages: 2 };
  const talk = new Conversation(
    {
      nodes: [
        question(
          "q",
          { question: "Do you smoke?", questionType: "multiple_choice", options: ["Yes", "No"] },
          always("bye"),
        ),
        endCall("bye", "Bye."),
      ],
    },
    { plan: { idle } },
  );
  await talk.open();
  talk.idle("Are you still there?");
  expect(await talk.says("Yes, I'm here.")).toEqual(["Do you smoke?"]);
  talk.idle("Are you still there?");
  expect(await talk.says("No.")).toEqual(["q -> bye by 0", "Bye.", "hang up"]);
});

const office: FlowDefinition = {
  nodes: [
    freeform("talk", "Help.", rule("language", { value: "wants billing" }, "look-up"), always("talk")),
    functionCall(
      "look-up",
      { functionId: "fn-api", outputs: [{ name: "open", type: "BOOLEAN" }] },
      rule("equal", { field: "open", value: "true" }, "bye"),
    ),
    endCall("bye", "Bye."),
  ],
};

test("a caller who speaks while a function runs is answered, and the function is not called again", async () => {
  const talk = new Conversation(office, { model: new FlowModel(byWords) });
  await talk.open();
  await talk.interrupts("billing please", 0);
  const called = talk.history.at(-1);
  expect(called).toMatchObject({ speaker: "agent", calls: [{ name: "look_up" }] });
  expect(await talk.says("hello?")).toEqual(["(the model speaks)"]);
  expect(talk.model.spoke.at(-1)?.tools).toEqual([]);
  const callId = called?.speaker === "agent" ? (called.calls?.[0]?.id ?? "") : "";
  talk.history = [...talk.history, { speaker: "function", callId, name: "look_up", result: '{"open":true}' }];
  const late = await collect(talk.dialogue.respond(talk.history, talk.signal));
  expect(lines(late)).toEqual(["look-up -> bye by 0", "Bye.", "hang up"]);
});

test.each<readonly [string, () => string | Error | null]>([
  ["fails", () => new Error("down")],
  ["hangs", () => null],
  ["talks instead of judging", () => "Of course!"],
  ["never stops", () => "[1,".repeat(50_000)],
])("a model that %s when it judges lets no condition in words hold, and the flow goes on", async (_what, judge) => {
  const model = new FlowModel(judge);
  const flow: FlowDefinition = {
    nodes: [
      freeform("talk", "Help.", rule("language", { value: "w" }, "bye"), always("next")),
      question("next", COLOURS, always("bye")),
      endCall("bye", "Bye."),
    ],
  };
  const talk = new Conversation(flow, { model });
  await talk.open();
  const answered = talk.says("hello");
  await talk.clock.advance(10_000);
  expect(await answered).toEqual(["talk -> next by 1", "Red or blue?"]);
  expect(model.judged.length).toBeLessThanOrEqual(2);
});

test("a model that has no words for a question in time leaves it to the question's own", async () => {
  const silent = new Conversation(twoQuestions, { model: new FlowModel(undefined, () => null) });
  await silent.open();
  const answered = silent.says("green");
  await silent.clock.advance(4000);
  expect(await answered).toEqual(["Red or blue?"]);
  expect(silent.clock.pending).toBe(0);
});

test("the same words about the same history are judged once", async () => {
  const talk = new Conversation(office, { model: new FlowModel(byWords) });
  await talk.open();
  const first = await talk.saysAndGoesOn("billing");
  expect(await talk.saysAndGoesOn("billing")).toEqual(first);
  expect(talk.model.judged).toHaveLength(1);
  await talk.saysAndGoesOn("billing, and quickly");
  expect(talk.model.judged).toHaveLength(2);
});

test("an abort ends an answer without an error, while judging and while speaking", async () => {
  const { dialogue, history, clock } = new Conversation(office, {
    model: new FlowModel(
      () => null,
      () => null,
    ),
  });
  const heard: readonly Exchange[] = [
    ...history,
    { speaker: "agent", text: "Hello.", interrupted: false },
    { speaker: "caller", text: "billing" },
  ];
  for (const past of [heard, []]) {
    const controller = new AbortController();
    const answer = collect(dialogue.respond(past, controller.signal));
    await clock.settle();
    controller.abort();
    expect(await answer).toEqual([]);
    await clock.settle();
    expect(clock.pending).toBe(0);
  }
});

test("two hundred nodes in a row are passed in one answer", async () => {
  const nodes = Array.from({ length: 200 }, (_none, index): FlowNode => {
    const id = `n${index}`;
    if (index === 199) return endCall(id, "{{n0}} to {{n198}}");
    return setVariables(id, { [id]: index }, rule("equal", { field: id, value: String(index) }, `n${index + 1}`));
  });
  const talk = new Conversation({ nodes });
  const opening = await talk.open();
  expect(opening.slice(-2)).toEqual(["0 to 198", "hang up"]);
  expect(opening).toHaveLength(201);
});

test("an unchecked flow that goes round in circles stops, and the model speaks", async () => {
  const talk = new Conversation({ nodes: [setVariables("a", {}, always("b")), setVariables("b", {}, always("a"))] });
  expect((await talk.open()).at(-1)).toBe("(the model speaks)");
});

test.each<readonly [FlowDefinition, readonly [inbound: boolean, outbound: boolean]]>([
  [{}, [true, true]],
  [{ aiOpen: false }, [false, false]],
  [{ aiOpen: true }, [true, true]],
  [{ openingLineType: "NONE", aiOpen: true }, [false, false]],
  [{ openingLineType: "INBOUND_ONLY", aiOpen: true }, [true, false]],
  [{ openingLineType: "INBOUND_OUTBOUND", aiOpen: false }, [true, true]],
])("%j opens inbound and outbound calls: %j; a browser counts as inbound", (flow, [inbound, outbound]) => {
  expect(opensCall(flow, "inbound")).toBe(inbound);
  expect(opensCall(flow, "browser")).toBe(inbound);
  expect(opensCall(flow, "outbound")).toBe(outbound);
});

const NODE_IDS = ["a", "b", "c", "d", "e"];
const target = fc.constantFrom(...NODE_IDS);
const anyRule = fc.oneof(
  target.map(always),
  fc
    .tuple(fc.constantFrom("red", "blue", "3", "true"), target)
    .map(([value, to]) => rule("equal", { field: "answer", value }, to)),
  fc
    .tuple(fc.constantFrom("node.a.answer", "{{node.b.answer}}", "v"), target)
    .map(([field, to]) => rule("in", { field, values: ["Red", "3"] }, to)),
  target.map((to) => rule("language", { value: "wants blue" }, to)),
);
const rules = fc.array(anyRule, { maxLength: 3 });
const anyNode = (id: string): fc.Arbitrary<FlowNode> =>
  fc.oneof(
    rules.map((made) => question(id, COLOURS, ...made)),
    rules.map((made) => question(id, { question: "How many?", questionType: "numeric" }, ...made)),
    rules.map((made) => freeform(id, "Talk about {{v}}.", ...made)),
    rules.map((made) => setVariables(id, { v: "{{node.a.answer}}" }, ...made)),
    rules.map((made) =>
      functionCall(id, { functionId: "fn-api", outputs: [{ name: "answer", type: "STRING" }] }, ...made),
    ),
    fc.constant(endCall(id, "Bye.")),
  );
const anyFlow = fc.tuple(...NODE_IDS.map(anyNode)).map((nodes): FlowDefinition => ({ nodes }));
const followed = anyFlow.filter(({ nodes }) => cyclesOf(nodes ?? []).length === 0);
const turn = fc.record({
  words: fc.constantFrom("red", "the blue one", "three", "what?", "", "red and blue", "(pressed 1)"),
  how: fc.constantFrom("heard", "dropped", "cut"),
  result: fc.constantFrom('{"answer":"red"}', "{}", "broken", '{"error":"x"}'),
});

test("the same call takes the same way, dropped answers change nothing, and each turn asks the model a bounded number of times", async () => {
  await fc.assert(
    fc.asyncProperty(followed, fc.array(turn, { maxLength: 6 }), async (flow, turns) => {
      const walk = async (drop: boolean) => {
        const told: (readonly string[])[] = [];
        let result = "{}";
        const talk = new Conversation(flow, { model: new FlowModel(byWords), functions: () => result });
        told.push(await talk.open());
        for (const each of turns) {
          ({ result } = each);
          if (told.flat().includes("hang up")) break;
          if (drop && each.how === "dropped") await talk.saysAndGoesOn(`${each.words} and`);
          const before = talk.model.requests.length;
          told.push(each.how === "cut" ? await talk.interrupts(each.words, 1) : await talk.says(each.words));
          // Two attempts at each node's judgement, once more after each function, and the words.
          expect(talk.model.requests.length - before).toBeLessThanOrEqual(4 * NODE_IDS.length + 6);
        }
        return { told, moves: talk.history.filter(({ speaker }) => speaker === "flow") };
      };
      const once = await walk(false);
      expect(await walk(true)).toEqual(once);
      expect(await walk(false)).toEqual(once);
    }),
    { numRuns: 150 },
  );
}, 30_000);

test("any history is answered without an error", async () => {
  const exchange: fc.Arbitrary<Exchange> = fc.oneof(
    fc.constantFrom("red", "hm", "").map((text) => ({ speaker: "caller" as const, text })),
    fc.tuple(fc.constantFrom("Red or blue?", ""), fc.boolean()).map(([text, interrupted]) => ({
      speaker: "agent" as const,
      text,
      interrupted,
      calls: [{ id: "flow_1", name: "look_up", args: "{}" }],
    })),
    fc.constant({ speaker: "function" as const, callId: "flow_1", name: "look_up", result: "{}" }),
    fc.constant({ speaker: "event" as const, text: "silence" }),
    fc.tuple(fc.constantFrom(...NODE_IDS, "nowhere"), fc.jsonValue()).map(([toNodeId, value]) => ({
      speaker: "flow" as const,
      toNodeId,
      data: { answer: value },
    })),
  );
  await fc.assert(
    fc.asyncProperty(anyFlow, fc.array(exchange, { maxLength: 8 }), async (flow, history) => {
      const chosen = { model: new FlowModel(byWords), modelId: "m" };
      const dialogue = new FlowDialogue(flowPlan(flow), { chosen, clock: new VirtualClock() });
      const moves: readonly DialogueMove[] = await collect(dialogue.respond(history, new AbortController().signal));
      expect(moves.filter(({ type }) => type === "call").length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 200 },
  );
});
