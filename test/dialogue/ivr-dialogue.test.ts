import fc from "fast-check";
import { expect, test } from "vitest";
import { createDialogue } from "../../src/dialogue/create-dialogue.ts";
import type { DialogueMove, Exchange } from "../../src/dialogue/dialogue.ts";
import { readKeys } from "../../src/dialogue/keys.ts";
import type { VersionedPrompt } from "../../src/model/versioned-prompt.ts";
import type { ModelEvent } from "../../src/ports/language-model.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import { planWith } from "./plan.ts";
import { RehearsedModel, type Rehearsal } from "./rehearsed-model.ts";

const text = (piece: string): ModelEvent => ({ type: "text", text: piece });
const call = (name: string, args = "{}"): ModelEvent => ({ type: "call", call: { id: "c", name, args } });
const done: ModelEvent = { type: "done" };

const caller = (words: string): Exchange => ({ speaker: "caller", text: words });
const MENU = [caller("For {{x}} support, press two.")];

/** What comes of one answer of the model to a history, and what the model was asked. */
const respond = async (history: readonly Exchange[], ...answer: Rehearsal) => {
  const model = new RehearsedModel(answer);
  const chosen: (string | undefined)[] = [];
  const models = (id: string | undefined) => {
    chosen.push(id);
    return { model, modelId: id ?? "default" };
  };
  const ivrPrompt: VersionedPrompt = {
    id: "p2",
    name: "Menu",
    agentType: "STANDARD",
    prompt: "Reach support of {{business}}.",
    aiModelId: "small",
    modelOptionValues: [{ optionId: "temperature", value: "0" }],
  };
  const plan = planWith({ ivrPrompt, inputs: { business: "Acme" } });
  const dialogue = createDialogue(plan, { models, clock: new VirtualClock() });
  const moves: DialogueMove[] = [];
  for await (const move of dialogue.respond(history, new AbortController().signal)) moves.push(move);
  const [request] = model.requests;
  const [system] = request?.messages ?? [];
  return { moves, request, system: system?.role === "system" ? system.text : "" };
};

test("while a menu is on the line its prompt speaks, by its own model and options, with tools for menus only", async () => {
  const { moves, request, system } = await respond(MENU, call("press_digits", '{"digits":"2"}'), done);
  expect(moves).toEqual([{ type: "press-digits", digits: "2" }]);
  expect(system).toContain("Reach support of Acme.");
  expect(system).toContain("automated phone menu");
  expect(request?.model).toBe("small");
  expect(request?.options).toEqual({ temperature: "0" });
  expect(request?.tools.map(({ name }) => name)).toEqual(["press_digits", "wait", "end_call"]);
});

test("with a person the main prompt speaks, and knows nothing of the menu", async () => {
  const history = [...MENU, caller("Hello, this is Anna speaking.")];
  const { moves, request, system } = await respond(history, text("Hi Anna."), done);
  expect(moves).toEqual([{ type: "say", text: "Hi Anna." }]);
  expect(system).toContain("You answer for Acme.");
  expect(request?.model).toBe("default");
  expect(JSON.stringify(request?.messages)).not.toContain("press two");
  expect(JSON.stringify(request?.messages)).toContain("connected you to a person");
});

test.each<readonly [string, Rehearsal, readonly DialogueMove[]]>([
  ["waits when asked to", [call("wait"), done], []],
  ["waits when it has nothing to say", [text(" "), done], []],
  ["keeps its thoughts to itself", [text("Let me press."), call("wait"), done], []],
  ["says what a menu asks for", [text("Bill"), text("ing."), done], [{ type: "say", text: "Billing." }]],
  [
    "presses numbers that are no text",
    [call("press_digits", '{"digits":12}'), done],
    [{ type: "press-digits", digits: "12" }],
  ],
  [
    "presses a number without its blanks",
    [call("press_digits", '{"digits":"12-34 #"}'), done],
    [{ type: "press-digits", digits: "1234#" }],
  ],
  [
    "is told when it presses what is no key",
    [call("press_digits", '{"digits":"two"}'), done],
    [{ type: "call", call: { id: "c", name: "press_digits", args: '{"digits":"two"}' } }],
  ],
  [
    "is told when its arguments are none",
    [call("press_digits", "{"), done],
    [{ type: "call", call: { id: "c", name: "press_digits", args: "{" } }],
  ],
  ["hangs up on a machine without a goodbye", [call("end_call"), done], [{ type: "hang-up", reason: "agent_hangup" }]],
])("a model that navigates a menu %s", async (_, answer, moves) => {
  expect((await respond(MENU, ...answer)).moves).toEqual(moves);
});

test.each([
  ["1", "1"],
  [" (555) 010-0123 # ", "5550100123#"],
  [",,1", ",,1"],
  ["*0#", "*0#"],
  ["", undefined],
  [",", undefined],
  ["1A", undefined],
  ["1".repeat(32), "1".repeat(32)],
  ["1".repeat(33), undefined],
])("the keys of %j are %j", (given, keys) => {
  expect(readKeys(given)).toBe(keys);
});

test("whatever is given, keys are 1 to 32 of those that a telephone has", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9*#, -]{0,40}$/u)), (given) => {
      const keys = readKeys(given);
      if (keys !== undefined) expect(keys).toMatch(/^[0-9*#,]{1,32}$/u);
    }),
  );
});
