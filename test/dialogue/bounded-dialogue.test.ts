import { expect, test } from "vitest";
import { BoundedDialogue, MAX_SPOKEN_LENGTH } from "../../src/dialogue/bounded-dialogue.ts";
import type { DialogueMove } from "../../src/dialogue/dialogue.ts";

const CALL: DialogueMove = { type: "call", call: { id: "1", name: "look_up", args: "{}" } };

const answerOf = async (...moves: DialogueMove[]) => {
  const each = async function* (): AsyncGenerator<DialogueMove> {
    yield* moves;
  };
  const dialogue = new BoundedDialogue({ open: each, respond: each });
  const signal = new AbortController().signal;
  const opened = await allOf(dialogue.open(signal));
  expect(await allOf(dialogue.respond([], signal))).toEqual(opened);
  return opened;
};

const allOf = async (moves: AsyncIterable<DialogueMove>): Promise<DialogueMove[]> => {
  const all: DialogueMove[] = [];
  for await (const move of moves) all.push(move);
  return all;
};

const say = (text: string): DialogueMove => ({ type: "say", text });

test("an answer without an end is spoken up to a word near the bound, and does all that it does", async () => {
  const long = "word ".repeat(MAX_SPOKEN_LENGTH / 5 - 1);
  const moves = await answerOf(say(long), say("and so on and on"), CALL, say(" for ever"), { ...CALL });
  expect(moves).toEqual([say(long), say("and"), CALL, CALL]);
});

test("a usual answer is left as it is", async () => {
  expect(await answerOf(say("Good "), say("morning."), CALL)).toEqual([say("Good "), say("morning."), CALL]);
});
