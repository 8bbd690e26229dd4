import fc from "fast-check";
import { expect, test } from "vitest";
import type { Dialogue, DialogueMove, Exchange } from "../../src/dialogue/dialogue.ts";
import { sleep } from "../../src/ports/clock.ts";
import { CallRig } from "../kit/call-rig.ts";
import { hangsUp, says, type Answer } from "../kit/scripted-dialogue.ts";
import type { CallerLine } from "../kit/scripted-engines.ts";
import type { VirtualClock } from "../kit/virtual-clock.ts";

const QUESTION: CallerLine = { text: "What are your opening hours?", fromMs: 1500, untilMs: 3000 };

/** Answers from the history alone, as every dialogue must, and counts how often it is asked. */
class CountingDialogue implements Dialogue {
  asked = 0;
  readonly #clock: VirtualClock;
  readonly #answer: (history: readonly Exchange[]) => Answer;

  constructor(clock: VirtualClock, answer: (history: readonly Exchange[]) => Answer) {
    this.#clock = clock;
    this.#answer = answer;
  }

  open(signal: AbortSignal): AsyncIterable<DialogueMove> {
    return this.#give([says("Hello there.")], signal);
  }

  respond(history: readonly Exchange[], signal: AbortSignal): AsyncIterable<DialogueMove> {
    this.asked += 1;
    return this.#give(this.#answer(history), signal);
  }

  async *#give(answer: Answer, signal: AbortSignal): AsyncGenerator<DialogueMove> {
    for (const move of answer) {
      if (move instanceof Error) throw move;
      if (typeof move === "number") await sleep(this.#clock, move, signal);
      else yield move;
    }
  }
}

const lastWords = (history: readonly Exchange[]): string => {
  const last = history.at(-1);
  return last?.speaker === "caller" ? last.text : "";
};

const spoken = (rig: CallRig): string[] => rig.transcript.map(({ speaker, text }) => `${speaker}: ${text}`);

test("the answer is begun while the end of the turn is waited for, and is heard as soon as the turn is taken", async () => {
  const heardMs: number[] = [];
  for (const speculates of [true, false]) {
    const rig = new CallRig({ speculates, caller: [QUESTION], answers: [[300, says("We open at nine.")]] });
    await rig.answer();
    await rig.at(3650);
    expect(rig.playback.filter(({ fromMs }) => fromMs > 3000)).toEqual([]);
    expect(rig.transcript).toHaveLength(1);
    await rig.at(7000);
    expect(spoken(rig)).toEqual(["AI: Hello there.", `HUMAN: ${QUESTION.text}`, "AI: We open at nine."]);
    expect(rig.turns[1]).toMatchObject({ index: 1, endReason: "silence" });
    expect(rig.turns[1]?.speculative).toBe(speculates ? true : undefined);
    heardMs.push(rig.turns[1]?.heardMs ?? Infinity);
    await rig.close();
  }
  const [begun = 0, waited = 0] = heardMs;
  expect(begun).toBeLessThan(750);
  expect(waited - begun).toBeGreaterThan(300);
});

test("what was begun for a turn that goes on is never heard, written or told, and the whole turn is answered once", async () => {
  const rig = new CallRig({
    speculates: true,
    caller: [
      { text: "I would like to book", fromMs: 1500, untilMs: 2500 },
      { text: "a table for two.", fromMs: 3000, untilMs: 4200 },
    ],
    answers: [[says("What would you like?")], [says("For when?")]],
  });
  await rig.answer();
  await rig.at(7000);
  expect(spoken(rig)).toEqual(["AI: Hello there.", "HUMAN: I would like to book a table for two.", "AI: For when?"]);
  expect(rig.dialogue.asked.map((history) => lastWords(history))).toEqual([
    "I would like to book",
    "I would like to book a table for two.",
  ]);
  expect(rig.playback).toHaveLength(2);
  expect(rig.turns.map(({ index }) => index)).toEqual([0, 1]);
  await rig.close();
});

test("no function runs before the turn is taken, and none at all when the turn goes on", async () => {
  const ran: Readonly<{ id: string; atMs: number }>[] = [];
  const call = (id: string): DialogueMove => ({ type: "call", call: { id, name: "cancel_order", args: "{}" } });
  const rig: CallRig = new CallRig({
    speculates: true,
    caller: [
      { text: "Cancel my order", fromMs: 1500, untilMs: 2500 },
      { text: "number two.", fromMs: 3000, untilMs: 4000 },
    ],
    answers: [[call("wrong")], [call("right")], [says("Done.")]],
    invoke: ({ id }) => {
      ran.push({ id, atMs: rig.now });
      return Promise.resolve('{"ok":true}');
    },
  });
  await rig.answer();
  await rig.at(8000);
  expect(ran.map(({ id }) => id)).toEqual(["right"]);
  expect(ran[0]?.atMs).toBeGreaterThanOrEqual(4000 + 690);
  expect(rig.transcript.flatMap(({ functionCalls }) => functionCalls ?? [])).toHaveLength(1);
  expect(rig.transcript.at(-1)?.text).toBe("Done.");
  await rig.close();
});

test("a flow does not move on by an answer that was thrown away", async () => {
  const move = (toNodeId: string): DialogueMove => ({ type: "move", toNodeId, data: {} });
  const rig = new CallRig({
    speculates: true,
    caller: [
      { text: "Yes", fromMs: 1500, untilMs: 2000 },
      { text: "no, I mean no.", fromMs: 2500, untilMs: 3500 },
      { text: "Thank you.", fromMs: 6500, untilMs: 7300 },
    ],
    answers: [
      [move("booking"), says("Great.")],
      [move("farewell"), says("All right.")],
      [says("Goodbye."), hangsUp],
    ],
  });
  await rig.answer();
  await rig.untilEnd();
  const moves = rig.transcript.flatMap(({ nodeTransition }) => nodeTransition?.toNodeId ?? []);
  expect(moves).toEqual(["farewell"]);
  expect(rig.dialogue.asked[1]?.some(({ speaker }) => speaker === "flow")).toBe(false);
  expect(rig.dialogue.asked[2]?.filter(({ speaker }) => speaker === "flow")).toMatchObject([{ toNodeId: "farewell" }]);
  await rig.close();
});

test("a goodbye that was begun too early ends nothing", async () => {
  const rig = new CallRig({
    speculates: true,
    caller: [
      { text: "That is all", fromMs: 1500, untilMs: 2400 },
      { text: "except for one question.", fromMs: 2900, untilMs: 4200 },
    ],
    answers: [[says("Goodbye."), hangsUp], [says("Go ahead.")]],
  });
  await rig.answer();
  await rig.at(8000);
  expect(rig.end).toBeUndefined();
  expect(rig.transcript.at(-1)?.text).toBe("Go ahead.");
  await rig.close();
});

test("a model that fails before the turn is taken is asked once more", async () => {
  const rig = new CallRig({
    speculates: true,
    caller: [QUESTION],
    answers: [[new Error("scripted")], [says("We open at nine.")]],
  });
  await rig.answer();
  await rig.at(7000);
  expect(rig.end).toBeUndefined();
  expect(rig.transcript.at(-1)?.text).toBe("We open at nine.");
  await rig.close();
});

test("a caller who pauses often costs two calls of the model more than the turn's own, and no more", async () => {
  const caller = Array.from({ length: 8 }, (_, index) => ({
    text: `part ${index},`,
    fromMs: 1500 + index * 1000,
    untilMs: 2000 + index * 1000,
  }));
  let dialogue: CountingDialogue | undefined;
  const rig = new CallRig({
    speculates: true,
    caller,
    dialogue: (clock) => (dialogue = new CountingDialogue(clock, () => [200, says("I see.")])),
  });
  await rig.answer();
  await rig.at(13_000);
  expect(spoken(rig)).toEqual(["AI: Hello there.", `HUMAN: ${caller.map(({ text }) => text).join(" ")}`, "AI: I see."]);
  expect(dialogue?.asked).toBe(3);
  await rig.close();
});

test("a likely end that is none, and an unlikely one, cost nothing where the words say so", async () => {
  const rig = new CallRig({
    speculates: true,
    plan: { endpoint: { type: "SEMANTIC", mode: "DEFAULT" } },
    caller: [
      { text: "I would like to", fromMs: 1500, untilMs: 2500 },
      { text: "I would like to order a pizza please.", fromMs: 3200, untilMs: 4800 },
    ],
    answers: [[says("Which one?")]],
  });
  await rig.answer();
  await rig.at(8000);
  expect(rig.dialogue.asked).toHaveLength(1);
  await rig.close();
});

test("whoever hangs up while an answer is begun leaves nothing behind", async () => {
  const rig = new CallRig({ speculates: true, caller: [QUESTION], answers: [[5000, says("Never heard.")]] });
  await rig.answer();
  await rig.at(3500);
  rig.line.end("hung-up");
  await rig.untilEnd();
  expect(rig.end).toMatchObject({ reason: "counterparty_hangup" });
  expect(rig.transcript.at(-1)).toMatchObject({ speaker: "HUMAN", text: QUESTION.text });
  await rig.close();
});

test("with and without it, the same is said and heard, however the caller pauses and the model dawdles", async () => {
  const turn = fc.record({
    parts: fc.array(fc.constantFrom("yes", "a table", "for two", "my number is", "tomorrow"), {
      minLength: 1,
      maxLength: 3,
    }),
    pauseMs: fc.integer({ min: 250, max: 600 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 900 }),
      async (turns, modelMs) => {
        const caller: CallerLine[] = [];
        let atMs = 1500;
        for (const { parts, pauseMs } of turns) {
          for (const text of parts) {
            caller.push({ text, fromMs: atMs, untilMs: atMs + 600 });
            atMs += 600 + pauseMs;
          }
          atMs += 6000;
        }
        const outcomes: unknown[] = [];
        for (const speculates of [false, true]) {
          const rig = new CallRig({
            speculates,
            caller,
            dialogue: (clock) =>
              new CountingDialogue(clock, (history) => [modelMs, says(`You said: ${lastWords(history)}.`)]),
          });
          await rig.answer();
          await rig.at(atMs);
          outcomes.push({
            said: spoken(rig),
            turns: rig.turns.map(({ index, interrupted }) => ({ index, interrupted })),
          });
          await rig.close();
        }
        expect(outcomes[1]).toEqual(outcomes[0]);
      },
    ),
    { numRuns: 25 },
  );
});
