import { expect, test } from "vitest";
import { createDialogue } from "../../src/dialogue/create-dialogue.ts";
import type { DialogueMove, Exchange } from "../../src/dialogue/dialogue.ts";
import { screeningOf } from "../../src/dialogue/screened-dialogue.ts";
import type { ModelEvent } from "../../src/ports/language-model.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import { planWith } from "./plan.ts";
import { RehearsedModel } from "./rehearsed-model.ts";

const caller = (words: string): Exchange => ({ speaker: "caller", text: words });
const agent = (words: string): Exchange => ({ speaker: "agent", text: words, interrupted: false });
const ASKS = caller("Hi, if you record your name and reason for calling, I'll see if this person is available.");
const text = (piece: string): ModelEvent => ({ type: "text", text: piece });
const done: ModelEvent = { type: "done" };

const respond = async (history: readonly Exchange[], direction: "outbound" | "inbound" = "outbound") => {
  const model = new RehearsedModel([text("This is Robin."), done]);
  const plan = planWith({ direction });
  const dialogue = createDialogue(plan, { models: () => ({ model, modelId: "m" }), clock: new VirtualClock() });
  const moves: DialogueMove[] = [];
  for await (const move of dialogue.respond(history, new AbortController().signal)) moves.push(move);
  const [system, ...messages] = model.requests[0]?.messages ?? [];
  return { moves, system: system?.role === "system" ? system.text : "", messages: JSON.stringify(messages) };
};

test("an assistant that screens calls is told who calls and why", async () => {
  const { moves, system } = await respond([agent("Hello."), ASKS]);
  expect(moves).toEqual([{ type: "say", text: "This is Robin." }]);
  expect(system).toContain("assistant that screens calls");
  expect(system).toContain("You answer for");
});

test("while it asks the person, the agent is silent", async () => {
  const { moves } = await respond([ASKS, agent("This is Robin."), caller("Thanks. Please stay on the line.")]);
  expect(moves).toEqual([]);
});

test("the person who comes on has heard nothing, and is talked to by the agent's own prompt", async () => {
  const history = [ASKS, agent("This is Robin."), caller("Please hold."), caller("Hello, this is Anna.")];
  const { system, messages } = await respond(history);
  expect(system).not.toContain("assistant that screens calls");
  expect(messages).toContain("has heard nothing of you yet");
  expect(messages).toContain("Hello, this is Anna.");
  expect(messages).not.toContain("record your name");
});

test("people are not taken for assistants, nor is anybody later in a call or in one that comes in", async () => {
  expect(screeningOf([caller("Hello?"), caller("Who is calling and what is it about?")]).who).toBe("nobody");
  expect(screeningOf([..."abcde".split("").map(caller), ASKS]).who).toBe("nobody");
  expect((await respond([ASKS], "inbound")).system).not.toContain("assistant that screens calls");
});
