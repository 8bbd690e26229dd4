import { expect, test } from "vitest";
import { announceFunctions, startedMessages } from "../../src/dials/announce-function.ts";
import { AnnouncedDialogue } from "../../src/dialogue/announced-dialogue.ts";
import type { DialogueMove } from "../../src/dialogue/dialogue.ts";
import { planCall } from "../../src/dials/plan-call.ts";
import type { FunctionDefinition } from "../../src/model/function-definition.ts";
import { ENGINES } from "../kit/api-rig.ts";
import { testAgent, testFunction, testPhoneNumber, testPlan, testPrompt } from "../kit/dial-plans.ts";
import { ScriptedDialogue, says, type Answer } from "../kit/scripted-dialogue.ts";
import { SeededRandom } from "../kit/seeded-random.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const find: FunctionDefinition = {
  id: "f1",
  name: "find",
  description: "",
  type: "api",
  allowedNumbers: [],
  apiPath: "https://example.com",
  lifecycleMessages: { started: ["One moment, {{name}}.", "Let me see."] },
};
const connect = { ...testFunction("f2"), name: "connect" };

const override = (started: string[]) => ({
  ...testAgent(),
  linkedFunctionDefinitions: [
    { functionDefinitionId: "f1", lifecycleMessagesOverride: { started } },
    { functionDefinitionId: "f2" },
  ],
});

test("a function's messages have their macros filled, and the agent's own go first", () => {
  expect(startedMessages(testAgent(), [find, connect], { name: "Ada" })).toEqual({
    f1: ["One moment, Ada.", "Let me see."],
  });
  expect(startedMessages(override(["Wait, {{name}}."]), [find], { name: "Ada" })).toEqual({ f1: ["Wait, Ada."] });
  expect(startedMessages(override([]), [find], {})).toEqual({});
  expect(startedMessages(override(["  ", "{{gone}}"]), [find], {})).toEqual({ f1: ["{{gone}}"] });
  const empty = { ...override(["{{gone}}"]), fillEmptyStringVariables: true };
  expect(startedMessages(empty, [find], {})).toEqual({});
  expect(startedMessages(override(["{{name}}"]), [find], { name: "x".repeat(500_000) })).toEqual({});
});

const moves = async (answer: Answer, parts: Parameters<typeof testPlan>[0]) => {
  const plan = testPlan({ functions: [find, connect], ...parts });
  const inner = new ScriptedDialogue(new VirtualClock(), [], [answer]);
  const dialogue = new AnnouncedDialogue(inner, announceFunctions(plan, new SeededRandom(3)), () =>
    Promise.resolve(undefined),
  );
  const made: DialogueMove[] = [];
  for await (const move of dialogue.respond([], new AbortController().signal)) made.push(move);
  return made.map((move) => {
    if (move.type === "say") return move.text;
    return move.type === "call" ? move.call.name : move.type;
  });
};

const call = (name: string, args = "{}") => ({ type: "call", call: { id: name, name, args } }) as const;
const CONNECT = call("connect", '{"destination":"+12025550199"}');
const messages = { dialId: "d1", startedMessages: { f1: ["Let me see."], f2: ["I'll connect you."] } };

test("what a function says follows what the agent says, once in an answer", async () => {
  expect(await moves([says("Sure."), call("find"), call("find"), CONNECT], messages)).toEqual([
    "Sure.",
    "find",
    " Let me see. ",
    "find",
    "connect",
    "I'll connect you. ",
  ]);
});

test("one of several messages is picked, each of them sometimes", async () => {
  const started = ["a.", "b.", "c."];
  const announce = announceFunctions(
    testPlan({ dialId: "d1", functions: [find], startedMessages: { f1: started } }),
    new SeededRandom(1),
  );
  const picked = new Set(Array.from({ length: 60 }, () => announce({ id: "1", name: "find", args: "" }, false, [])));
  expect(picked).toEqual(new Set(started));
});

test("nobody is connected in silence, and nothing is announced that will not happen", async () => {
  const plain = { dialId: "d1" };
  expect(await moves([CONNECT], plain)).toEqual(["connect", "One moment, please. I'm connecting you now. "]);
  expect(await moves([CONNECT], { ...plain, language: "de-AT" })).toEqual([
    "connect",
    "Einen Moment bitte, ich verbinde Sie. ",
  ]);
  expect(await moves([says("I'll put you through."), CONNECT], plain)).toEqual(["I'll put you through.", "connect"]);
  expect(await moves([call("connect", '{"destination":"+19005550100"}')], messages)).toEqual(["connect"]);
  expect(await moves([call("find"), call("unknown")], plain)).toEqual(["find", "unknown"]);
});

test("the plan carries the messages, and tells of numbers that nobody is ever connected to", () => {
  const plan = planCall({
    dialId: "d1",
    workspaceId: "w1",
    agent: { ...testAgent(), language: "en" },
    prompt: { ...testPrompt(), aiModelId: "scripted" },
    functions: [find, { ...connect, allowedNumbers: [{ number: "911" }, { number: "+19005550100" }] }],
    from: testPhoneNumber(),
    toNumber: "+12025550123",
    request: { callAgentId: "agent-1", callAgentInput: { name: "Ada" } },
    engines: ENGINES,
    warnings: [],
  });
  expect(plan.startedMessages).toEqual({ f1: ["One moment, Ada.", "Let me see."] });
  expect(plan.warnings).toEqual([
    expect.stringContaining("Emergency numbers are never rung."),
    expect.stringContaining("Premium rate numbers are never rung."),
  ]);
});
