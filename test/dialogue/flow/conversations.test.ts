import { expect, test } from "vitest";
import { InvalidFlow } from "../../../src/dialogue/flow/compile-flow.ts";
import type { FlowDefinition } from "../../../src/model/versioned-prompt.ts";
import { Conversation } from "./conversation.ts";
import { byWords, FlowModel } from "./flow-model.ts";
import { always, endCall, freeform, functionCall, question, rule, setVariables, transfer } from "./nodes.ts";

const dinner: FlowDefinition = {
  nodes: [
    question(
      "guests",
      { question: "For how many?", questionType: "numeric" },
      rule("greater", { field: "answer", value: "8" }, "too-many"),
      rule("less", { field: "answer", value: "1" }, "guests"),
      always("room"),
    ),
    question(
      "room",
      { question: "Inside or on the terrace?", questionType: "multiple_choice", options: ["Inside", "Terrace"] },
      rule("equal", { field: "answer", value: "terrace" }, "note"),
      always("bye"),
    ),
    setVariables("note", { place: "the {{node.room.answer}}" }, always("bye")),
    endCall("too-many", "We cannot seat {{node.guests.answer}}. Goodbye."),
    endCall("bye", "A table for {{node.guests.answer}} on {{place}}. Goodbye."),
  ],
};

test("a table is booked: numbers and choices are understood without a model, and variables are spoken", async () => {
  const talk = new Conversation(dinner, { plan: { inputs: { place: "the ground floor" } } });
  expect(await talk.open()).toEqual(["For how many?"]);
  expect(await talk.says("We'd be about four, I think.")).toEqual(["guests -> room by 2", "Inside or on the terrace?"]);
  expect(await talk.says("On the terrace, please.")).toEqual([
    "room -> note by 0",
    "note -> bye by 0",
    "A table for 4 on the Terrace. Goodbye.",
    "hang up",
  ]);
  expect(talk.history.flatMap((one) => (one.speaker === "flow" ? [one.data] : []))).toEqual([
    { answer: 4 },
    { answer: "Terrace" },
    { place: "the Terrace" },
  ]);
  expect(talk.model.requests).toEqual([]);
});

test("a large party is refused by the first rule that holds", async () => {
  const talk = new Conversation(dinner);
  await talk.open();
  expect(await talk.says("Twelve of us")).toEqual([
    "guests -> too-many by 0",
    "We cannot seat 12. Goodbye.",
    "hang up",
  ]);
});

test("a question that is not understood is put again twice by the model, and then the flow goes on without an answer", async () => {
  const talk = new Conversation(dinner);
  await talk.open();
  expect(await talk.says("Do you have parking?")).toEqual(["(the model speaks)"]);
  expect(await talk.says("Hm, parking is important.")).toEqual(["(the model speaks)"]);
  expect(await talk.says("I don't know.")).toEqual(["guests -> room by 2", "Inside or on the terrace?"]);
  expect(talk.history.at(-2)).toMatchObject({ speaker: "flow", data: { answer: null } });
  expect(talk.model.judged).toHaveLength(3);
  expect(talk.model.judged[0]?.question).toMatchObject({ text: "For how many?", kind: "number" });
});

test("the script of a deployment without a model is not asked to judge, and the question is put again as it is", async () => {
  const talk = new Conversation(dinner, { model: new FlowModel(undefined, undefined, true) });
  await talk.open();
  expect(await talk.says("Do you have parking?")).toEqual(["For how many?"]);
  expect(await talk.says("two")).toEqual(["guests -> room by 2", "Inside or on the terrace?"]);
  expect(talk.model.requests).toEqual([]);
});

const support: FlowDefinition = {
  globalContext: "You work for {{business}}.",
  nodes: [
    freeform(
      "triage",
      "Find out what they need.",
      rule("language", { value: "the caller wants to cancel the contract" }, "sure"),
      rule("language", { value: "the caller has a technical problem" }, "look-up"),
      rule("language", { value: "the caller wants a person" }, "person"),
    ),
    question(
      "sure",
      { question: "Are you sure?", questionType: "multiple_choice", options: ["Yes", "No"] },
      rule("equal", { field: "answer", value: "YES " }, "bye"),
      always("triage"),
    ),
    functionCall(
      "look-up",
      {
        functionId: "fn-api",
        inputs: [
          { name: "customer", value: "{{customer.id}}" },
          { name: "note", value: "from {{business}}" },
        ],
        outputs: [
          { name: "outage", type: "BOOLEAN" },
          { name: "hours", type: "INTEGER", nullable: true },
          { name: "region", type: "CUSTOM", customFieldJsonSchema: '{"type":"object","required":["name"]}' },
        ],
      },
      rule("equal", { field: "outage", value: "true" }, "outage"),
      rule("equal", { field: "outage", value: "false" }, "triage"),
    ),
    freeform("outage", "Tell them: {{node.look-up.region.name}} is back in {{node.look-up.hours}} hours."),
    transfer("person", { functionId: "fn-transfer", number: "{{desk}}" }),
    endCall("bye"),
  ],
};
const inputs = { business: "Acme", customer: { id: 77 }, desk: "+14155550123" };

test("language rules are judged together in one request, and yes is understood in other words", async () => {
  const talk = new Conversation(support, { plan: { inputs }, model: new FlowModel(byWords) });
  expect(await talk.open()).toEqual(["(the model speaks)"]);
  expect(await talk.says("I want to cancel.")).toEqual(["triage -> sure by 0", "Are you sure?"]);
  expect(talk.model.judged).toHaveLength(1);
  expect(talk.model.judged[0]?.conditions?.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(await talk.says("Yeah, sure.")).toEqual(["sure -> bye by 0", "Goodbye.", "hang up"]);
  const systems = talk.model.requests.map(({ messages: [system] }) => (system?.role === "system" ? system.text : ""));
  expect(systems.every((text) => text.startsWith("You work for Acme."))).toBe(true);
});

test("one transition a turn: after a no the flow is back at the start and waits for the caller", async () => {
  const talk = new Conversation(support, { plan: { inputs }, model: new FlowModel(byWords) });
  await talk.open();
  await talk.says("I want to cancel.");
  expect(await talk.says("No, not really, I have a technical problem.")).toEqual(["(the model speaks)"]);
  expect(await talk.says("No.")).toEqual(["sure -> triage by 1", "(the model speaks)"]);
});

test("a function is called with typed inputs, its outputs decide, and steps into them are spoken", async () => {
  const calls: string[] = [];
  const talk = new Conversation(support, {
    plan: { inputs },
    model: new FlowModel(byWords),
    functions: ({ args }) => {
      calls.push(args);
      return { outage: true, hours: "3", region: { name: "The north" }, secret: 1 };
    },
  });
  await talk.open();
  expect(await talk.says("There is a technical problem.")).toEqual([
    "triage -> look-up by 1",
    'call look_up {"customer":77,"note":"from Acme"}',
    "look-up -> outage by 0",
    "(the model speaks)",
  ]);
  expect(calls).toHaveLength(1);
  const [system] = talk.model.spoke.at(-1)?.messages ?? [];
  expect(system).toMatchObject({ text: expect.stringContaining("Tell them: The north is back in 3 hours.") });
  expect(talk.history.at(-2)).toMatchObject({ data: { outage: true, hours: 3, region: { name: "The north" } } });
});

test("a function that fails yields nulls; no rule holds, and the model goes on with its result in sight", async () => {
  const talk = new Conversation(support, {
    plan: { inputs },
    model: new FlowModel(byWords),
    functions: () => ({ error: "timeout" }),
  });
  await talk.open();
  expect(await talk.says("A technical problem!")).toEqual([
    "triage -> look-up by 1",
    'call look_up {"customer":77,"note":"from Acme"}',
    "(the model speaks)",
  ]);
  expect(await talk.says("And now?")).toEqual(["(the model speaks)"]);
  expect(talk.model.spoke.at(-1)?.messages.some((message) => message.role === "tool")).toBe(true);
});

test("a transfer asks for the stored number, and when it fails the model explains and may connect again", async () => {
  const talk = new Conversation(support, {
    plan: { inputs },
    model: new FlowModel(byWords),
    functions: () => ({ error: "transfer_failed" }),
  });
  await talk.open();
  expect(await talk.says("Give me a person.")).toEqual([
    "triage -> person by 2",
    'call connect {"destination":"+14155550123"}',
    "(the model speaks)",
  ]);
  expect(talk.model.spoke.at(-1)?.tools.map(({ name }) => name)).toEqual(["connect", "end_call"]);
});

const survey: FlowDefinition = {
  openingLineType: "INBOUND_ONLY",
  nodes: [
    question(
      "uses",
      {
        question: "Which do you use: phone, mail or chat?",
        questionType: "multiple_select",
        options: ["Phone", "Mail", "Chat"],
      },
      rule("in", { field: "answer", values: ["mail", "chat"], arrayConditionType: "all" }, "written"),
      rule("equal", { field: "answer", value: "phone", arrayConditionType: "any" }, "spoken"),
      always("none"),
    ),
    question("written", { question: "Why writing?", questionType: "freeform" }, always("bye")),
    question("spoken", { question: "Why talking?", questionType: "freeform" }, always("bye")),
    endCall("none", ""),
    endCall("bye", "Noted: {{node.written.answer}}{{node.spoken.answer}}"),
  ],
};

test.each([
  ["Mail and chat", "uses -> written by 0", "Why writing?"],
  ["the phone and mail", "uses -> spoken by 1", "Why talking?"],
  ["all of them", "uses -> spoken by 1", "Why talking?"],
])("of several choices %j, all or any must fulfil a condition", async (words, move, asked) => {
  const talk = new Conversation(survey, {
    plan: { direction: "inbound", agent: { id: "a", name: "A", language: "en", fillEmptyStringVariables: true } },
  });
  await talk.open();
  expect(await talk.says(words)).toEqual([move, asked]);
  const written = move.includes("written");
  expect(await talk.says("It's easier.")).toEqual([
    `${written ? "written" : "spoken"} -> bye by 0`,
    "Noted: It's easier.",
    "hang up",
  ]);
});

test("nothing chosen fulfils no condition on it, and an empty goodbye is none", async () => {
  const talk = new Conversation(survey, { plan: { direction: "browser" } });
  expect(await talk.open()).toHaveLength(1);
  expect(await talk.says("none of them")).toEqual(["uses -> none by 2", "hang up"]);
});

test("on a call that the agent does not open, it asks its first question when the caller has spoken", async () => {
  const talk = new Conversation(survey, { plan: { direction: "outbound" } });
  expect(await talk.open()).toEqual([]);
  expect(await talk.says("Hello, who is this?")).toEqual(["Which do you use: phone, mail or chat?"]);
  expect(await talk.says("mail")).toEqual(["uses -> written by 0", "Why writing?"]);
});

test("a conversation whose first node is free is routed by the caller's first words when the agent does not open", async () => {
  const talk = new Conversation(
    { ...support, openingLineType: "NONE" },
    { plan: { inputs }, model: new FlowModel(byWords) },
  );
  expect(await talk.open()).toEqual([]);
  expect(await talk.says("I'd like to cancel")).toEqual(["triage -> sure by 0", "Are you sure?"]);
});

test("a flow that cannot be followed is refused when the dialogue is made", () => {
  expect(() => new Conversation({})).toThrow(InvalidFlow);
  expect(() => new Conversation({ nodes: [question("a", {})] })).toThrow(InvalidFlow);
});
