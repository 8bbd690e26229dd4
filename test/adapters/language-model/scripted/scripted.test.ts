import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { classify, INTENTS, type Meaning } from "../../../../src/adapters/language-model/scripted/classify.ts";
import { Embedder } from "../../../../src/adapters/language-model/scripted/embedder.ts";
import { EXAMPLES, type Intent } from "../../../../src/adapters/language-model/scripted/intents.ts";
import { normalize } from "../../../../src/adapters/language-model/scripted/normalize.ts";
import { ScriptedModel } from "../../../../src/adapters/language-model/scripted/scripted-model.ts";
import descriptor from "../../../../src/adapters/language-model/scripted/scripted.ts";
import type { ModelMessage } from "../../../../src/ports/language-model.ts";
import { languageModelContract } from "../../../contract/language-model.contract.ts";
import { VirtualClock } from "../../../kit/virtual-clock.ts";
import { adapterDeps } from "../adapter-deps.ts";
import { Caller, END_CALL } from "./caller.ts";
import { PRACTISED, UNSEEN, type Phrasing } from "./phrasings.ts";

// Monday, 5 January 2026, nine in the morning where the tests run.
const MONDAY = new Date(2026, 0, 5, 9, 0).getTime();

let model: ScriptedModel;
let embedder: Embedder;
const examples = new Map<Intent, readonly Meaning[]>();

beforeAll(async () => {
  model = await ScriptedModel.start(new VirtualClock(MONDAY), adapterDeps().logger);
  embedder = await Embedder.start(new VirtualClock());
  for (const intent of INTENTS)
    examples.set(intent, await embedder.embed(EXAMPLES[intent].map((text) => normalize(text))));
});

afterAll(async () => {
  await model.close();
  await embedder.close();
});

languageModelContract("scripted", async () => ({
  model,
  modelId: "scripted-appointments",
  expectAnswer: () => undefined,
  release: () => Promise.resolve(),
}));

test("a booking asks for what is missing, reads it back and is confirmed", async () => {
  const caller = new Caller(model);
  expect((await caller.say()).said).toContain("scripted demo agent of Blue Dental");
  expect((await caller.say("Hi, uh, I'd like to book an appointment.")).said).toContain("Which day");
  expect((await caller.say("Thursday")).said).toContain("What time");
  expect((await caller.say("to thirty")).said).toContain("What name");
  const summary = "Maria Lopez on Thursday, January eighth at two thirty in the afternoon. Is that right?";
  expect((await caller.say("It's Maria Lopez.")).said).toContain(summary);
  expect((await caller.say("yes that's right")).said).toContain("You're booked on Thursday, January eighth");
  const farewell = await caller.say("No, that's all, thanks.");
  expect(farewell.said).toContain("Goodbye");
  expect(caller.ended).toBe(true);
});

test("all details in one sentence leave only the confirmation", async () => {
  const caller = new Caller(model);
  const turn = await caller.talk("my name is John Smith can i come in tomorrow at half past ten");
  expect(turn.said).toContain("John Smith on Tuesday, January sixth at ten thirty in the morning. Is that right?");
});

test("a correction changes what it names and is read back again", async () => {
  const caller = new Caller(model);
  await caller.talk("book me in for tuesday at four", "Ann Lee");
  expect((await caller.say("no, Thursday")).said).toContain("Thursday, January eighth at four in the afternoon");
  expect((await caller.say("no the time is wrong")).said).toContain("What time");
  expect((await caller.say("eleven")).said).toContain("Thursday, January eighth at eleven in the morning");
  expect((await caller.say("No, it's Anne Leigh.")).said).toContain("Anne Leigh on Thursday");
  expect((await caller.talk("perfect", "no bye")).calls).toEqual(["end_call"]);
});

test("a change of mind leaves everything as it is", async () => {
  const caller = new Caller(model);
  await caller.talk("i want to book an appointment", "friday");
  expect((await caller.say("actually never mind")).said).toContain("leave everything as it is");
  expect((await caller.say("i need to cancel my appointment instead")).said).toContain("What name");
  expect((await caller.say("jones")).said).toContain("So I cancel the appointment of Jones. Is that right?");
  expect((await caller.say("no")).said).toContain("leave it as it is");
  expect((await caller.say("goodbye")).calls).toEqual(["end_call"]);
});

test("an appointment is moved, also to the time that it had", async () => {
  const caller = new Caller(model);
  await caller.talk("I need to move my appointment", "Smith", "from Tuesday to Friday");
  const turn = await caller.say("same time please");
  expect(turn.said).toContain("Friday, January ninth at the same time as before. Is that right?");
  expect((await caller.say("yep")).said).toContain("I've moved it");
  expect((await caller.talk("thank you", "no")).calls).toEqual(["end_call"]);
});

test("an appointment that was just made is moved and cancelled without asking for the name again", async () => {
  const caller = new Caller(model);
  await caller.talk("book an appointment on monday at ten", "Anna", "yes");
  const moved = await caller.say("actually can we move it to wednesday");
  expect(moved.said).toContain("Anna. The new one is on Wednesday, January seventh at ten in the morning");
  await caller.say("yes");
  expect((await caller.say("sorry please cancel my appointment")).said).toContain("cancel the appointment of Anna");
  expect((await caller.say("yes please")).said).toContain("cancelled");
  expect((await caller.say("that's it bye")).calls).toEqual(["end_call"]);
});

test("questions are answered in the middle of a booking, which then goes on", async () => {
  const caller = new Caller(model);
  await caller.talk("i want to make an appointment");
  expect((await caller.say("when are you open")).said).toMatch(/Monday to Friday from nine .* Which day/u);
  expect((await caller.say("how much does it cost")).said).toMatch(/dollars\. Which day/u);
  expect((await caller.say("where are you")).said).toMatch(/Market Street.* Which day/u);
  expect((await caller.say("are you a robot")).said).toMatch(/scripted demo agent.*not a person.* Which day/u);
  expect((await caller.say("tomorrow")).said).toContain("What time");
  expect((await caller.say("never mind bye")).calls).toEqual(["end_call"]);
});

test("days and times at which nobody is there are refused with the reason", async () => {
  const caller = new Caller(model);
  expect((await caller.say("book me in for sunday")).said).toContain("closed on Sundays. Which day");
  expect((await caller.say("yesterday")).said).toContain("already passed. Which day");
  expect((await caller.say("saturday then")).said).toContain("What time");
  expect((await caller.say("at four")).said).toContain("between ten in the morning and one thirty in the afternoon");
  expect((await caller.say("eleven")).said).toContain("What name");
  expect((await caller.talk("kim lee", "correct", "nothing else")).calls).toEqual(["end_call"]);
});

test("silence is asked about, and ends the call when it lasts", async () => {
  const caller = new Caller(model);
  const silence = "[the caller has been silent for 10 s]";
  await caller.talk("book me in for friday");
  expect((await caller.say(silence)).said).toBe("Are you still there? What time suits you?");
  expect((await caller.talk("sorry yes i'm here", silence, silence)).calls).toEqual([]);
  const last = await caller.say(silence);
  expect(last.said).toContain("Goodbye");
  expect(last.calls).toEqual(["end_call"]);
});

test("what makes no sense is asked again, and then with an example", async () => {
  const caller = new Caller(model);
  expect((await caller.say("purple monkey dishwasher")).said).toContain("could you say that another way");
  expect((await caller.say("the quarterly report")).said).toContain("I can book, move or cancel");
  expect((await caller.say("ok book an appointment then")).said).toContain("Which day");
  expect((await caller.say("flibbertigibbet")).said).toContain("I didn't catch the day");
  expect((await caller.say("bye")).calls).toEqual(["end_call"]);
});

test("the last answer is repeated on request, and patience is granted", async () => {
  const caller = new Caller(model);
  const first = await caller.talk("book me in for friday at nine");
  expect((await caller.say("what did you say")).said).toBe(first.said);
  expect((await caller.say("hold on a second")).said).toContain("take your time");
  expect((await caller.talk("peter pan", "yes", "no thank you")).calls).toEqual(["end_call"]);
});

test("an interruption loses nothing that the caller said", async () => {
  const caller = new Caller(model);
  await caller.say("i'd like to book an appointment for monday", () => "I can");
  const note = "[You were interrupted there; nothing of your answer after that was heard.]";
  expect((await caller.say(`${note}\nat ten thirty`)).said).toContain("What name");
  expect((await caller.say("i want to\nchange the day")).said).toContain("Which day");
});

test("a person is asked for by the transfer that is offered, and otherwise refused kindly", async () => {
  const alone = new Caller(model);
  expect(await alone.talk("let me speak to a human")).toMatchObject({ calls: [] });
  const parameters = { type: "object", properties: { destination: { enum: ["+15550100"] } } };
  const tools = [END_CALL, { name: "transfer", description: "Connects", parameters }];
  const helped = new Caller(model, "", tools);
  expect(await helped.talk("let me speak to a human")).toMatchObject({ calls: ["transfer"] });
});

test("without end_call the agent says goodbye and hangs up nothing", async () => {
  const caller = new Caller(model, "", []);
  expect(await caller.talk("goodbye")).toMatchObject({ calls: [] });
});

test("a telephone number is read back digit by digit", async () => {
  const caller = new Caller(model);
  await caller.talk("book me in for friday at nine");
  const turn = await caller.say("call me Jane Doe and my number is five five five 123 4567");
  expect(turn.said).toContain("five five five, one two three, four five six seven");
  expect(turn.said).toContain("Jane Doe on Friday");
});

const wrongOf = async (phrasings: readonly Phrasing[]): Promise<readonly string[]> => {
  const wrong: string[] = [];
  for (const [text, intent] of phrasings) {
    const plain = normalize(text);
    const [meaning] = await embedder.embed([plain]);
    if (classify(plain, meaning, examples).intent !== intent) wrong.push(text);
  }
  return wrong;
};

test("of phrasings that the classifier has never met, more than 85 of 100 are understood", async () => {
  const known = new Set(Object.values(EXAMPLES).flat());
  for (const [text] of UNSEEN) expect(known).not.toContain(text);
  expect(UNSEEN.length).toBeGreaterThanOrEqual(60);
  const wrong = await wrongOf(UNSEEN);
  expect(wrong.length / UNSEEN.length).toBeLessThan(0.15);
});

test("of the phrasings that it was practised on, 97 of 100 are understood", async () => {
  const wrong = await wrongOf(PRACTISED);
  expect(wrong.length / PRACTISED.length).toBeLessThan(0.03);
});

const words = fc.constantFrom(
  ..."book,thursday,no,yes,at,ten,to,thirty,cancel,move,bye,my name is,Ann,the 31st,555 123 4567".split(","),
  ..."\n,[silence],uh,what,25:99,0,half past,quarter to one,February 30,🎉,]".split(","),
);
const line = fc.oneof(
  fc.array(words, { maxLength: 6 }).map((list) => list.join(" ")),
  fc.string(),
);
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  line.map((text) => ({ role: "user" as const, text })),
  line.map((text) => ({ role: "assistant" as const, text })),
  line.map((text) => ({ role: "system" as const, text })),
  fc.constant({ role: "tool" as const, callId: "c", name: "transfer", result: "failed" }),
);

test("whatever comes in, something is said, and the answer ends with done", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (messages) => {
      const events = [];
      const request = { model: "x", messages, tools: [END_CALL], options: {} };
      for await (const event of model.generate(request, new AbortController().signal)) events.push(event);
      expect(events[0]?.type).toBe("text");
      expect(events.at(-1)).toEqual({ type: "done" });
      const said = events.map((event) => (event.type === "text" ? event.text : "")).join("");
      expect(said).not.toMatch(/undefined|NaN|null|Invalid/u);
    }),
    { numRuns: 60 },
  );
});

test("the descriptor makes it labelled as what it is, and without its thread keywords still carry a conversation", async () => {
  expect(await descriptor.available()).toBe(true);
  const made = await descriptor.create({}, adapterDeps(new VirtualClock(MONDAY)));
  expect(made.scripted).toBe(true);
  expect(made.models).toMatchObject([{ id: "scripted-appointments" }]);
  expect(made.models[0]?.name).toContain("scripted, not a language model");
  await made.close();
  const caller = new Caller(made);
  const turn = await caller.talk("I'd like to book an appointment", "tomorrow at ten", "Ann Lee", "yes", "bye");
  expect(turn.calls).toEqual(["end_call"]);
});
