import { expect, test } from "vitest";
import { createDialogue } from "../../src/dialogue/create-dialogue.ts";
import type { Dialogue, DialogueMove, Exchange } from "../../src/dialogue/dialogue.ts";
import { FillerDialogue } from "../../src/dialogue/filler-dialogue.ts";
import { sleep } from "../../src/ports/clock.ts";
import type { CallPlan } from "../../src/model/call-plan.ts";
import { CallRig, testPlan } from "../kit/call-rig.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import { flowPlan } from "./flow/conversation.ts";
import { planWith } from "./plan.ts";
import { RehearsedModel } from "./rehearsed-model.ts";

type Step = DialogueMove | number | Error;

/** Moves, and milliseconds to wait before the next. */
const dialogueOf = (clock: VirtualClock, steps: readonly Step[]): Dialogue => {
  async function* play(_: unknown, signal: AbortSignal): AsyncGenerator<DialogueMove> {
    for (const step of steps)
      if (typeof step === "number") await sleep(clock, step, signal);
      else if (step instanceof Error) throw step;
      else yield step;
  }
  return { open: (signal) => play(undefined, signal), respond: play };
};

const say = (text: string): DialogueMove => ({ type: "say", text });

const rig = (
  steps: readonly Step[],
  { afterMs, messages } = { afterMs: 1500, messages: ["One moment.", "Still here."] },
) => {
  const clock = new VirtualClock();
  const dialogue = new FillerDialogue(dialogueOf(clock, steps), { afterMs, messages: () => messages }, clock);
  const heard: (readonly [number, string])[] = [];
  const controller = new AbortController();
  const run = async (moves: AsyncIterable<DialogueMove>) => {
    for await (const move of moves) heard.push([clock.monotonic(), move.type === "say" ? move.text.trim() : move.type]);
  };
  return { clock, dialogue, heard, controller, respond: () => run(dialogue.respond([], controller.signal)), run };
};

test("a quick answer is passed on as it is", async () => {
  const { clock, heard, respond } = rig([
    1400,
    say("Hello."),
    say(" Bye."),
    { type: "hang-up", reason: "agent_hangup" },
  ]);
  const responding = respond();
  await clock.advance(1400);
  await responding;
  expect(heard).toEqual([
    [1400, "Hello."],
    [1400, "Bye."],
    [1400, "hang-up"],
  ]);
  expect(clock.pending).toBe(0);
});

test("an answer that keeps people waiting is bridged with the agent's own words, in turn", async () => {
  const { clock, heard, respond } = rig([5000, say("Hello.")], {
    afterMs: 1000,
    messages: ["Un momento.", "Sigo aquí."],
  });
  const responding = respond();
  await clock.advance(5000);
  await responding;
  expect(heard.map(([, text]) => text)).toEqual(["Un momento.", "Sigo aquí.", "Hello."]);
  expect(heard[0]?.[0]).toBe(1000);
});

test("nobody hears nothing for more than two and a half seconds, and after eight the answer has failed", async () => {
  const { clock, heard, respond } = rig([60_000]);
  const failing = respond().catch(String);
  await clock.advance(8000);
  expect(await failing).toContain("8000 ms");
  let until = 0;
  for (const [at, text] of heard) {
    expect(at - until).toBeLessThanOrEqual(2500);
    until = at + text.length * 60;
  }
  expect(8000 - until).toBeLessThanOrEqual(2500);
  expect(clock.pending).toBe(1);
});

test("an answer that stops in the middle is bridged once what was said is over", async () => {
  const { clock, heard, respond } = rig([say("We open at nine every day, and close at "), 6000, say("five.")]);
  const responding = respond();
  await clock.advance(6000);
  await responding;
  expect(heard[1]?.[1]).toBe("… One moment.");
  expect(heard[1]?.[0]).toBeGreaterThan(26 * 60 + 1400);
  expect(heard.at(-1)).toEqual([6000, "five."]);
});

test("words that wait for the end of their clause are not heard, so that an answer that drips in is bridged too", async () => {
  const drops = "We open at nine and close at five.".split(/(?<=\s)/u).flatMap((word) => [1300, say(word)]);
  const { clock, heard, respond } = rig(drops);
  const responding = respond();
  await clock.advance(8 * 1300);
  await responding;
  expect(heard.filter(([, text]) => /moment|here/u.test(text)).map(([atMs]) => atMs)).toEqual([1500, 4520, 7900]);
  expect(heard.filter(([, text]) => !/moment|here/u.test(text)).map(([, text]) => text)).toEqual(
    "We open at nine and close at five.".split(" "),
  );
});

test("moves of a flow pass at once and are no words", async () => {
  const move: DialogueMove = { type: "move", toNodeId: "b", data: {} };
  const { clock, heard, respond } = rig([1000, move, 1000, say("Hello.")]);
  const responding = respond();
  await clock.advance(2000);
  await responding;
  expect(heard).toEqual([
    [1000, "move"],
    [1500, "One moment."],
    [2000, "Hello."],
  ]);
});

test("the opening waits for nobody, failures stay failures, and an abort ends it at once", async () => {
  const opening = rig([5000, say("Hello.")]);
  const opened = opening.run(opening.dialogue.open(opening.controller.signal));
  await opening.clock.advance(5000);
  await opened;
  expect(opening.heard).toEqual([[5000, "Hello."]]);
  await expect(rig([new Error("down")]).respond()).rejects.toThrow("down");
  const aborted = rig([60_000]);
  const ended = aborted.respond().catch((error: unknown) => error);
  await aborted.clock.advance(100);
  aborted.controller.abort(new Error("interrupted"));
  await aborted.clock.advance(0);
  expect(await ended).toBeDefined();
  expect(aborted.clock.pending).toBe(0);
});

const FLOW = {
  nodes: [
    {
      id: "size",
      type: "question",
      nodeData: { question: "Small or large?", questionType: "multiple_choice", options: ["small", "large"] },
      transitionRules: [{ conditionType: "always" as const, transitionNodeId: "bye" }],
    },
    { id: "bye", type: "end_call", nodeData: { message: "Bye." } },
  ],
};

test("words that were only bridged are still to be answered by a flow, and a bridge is no question", async () => {
  const plan: CallPlan = flowPlan(FLOW, { filler: { afterMs: 1500, messages: ["One moment."] } });
  const clock = new VirtualClock();
  const dialogue = createDialogue(plan, { models: () => ({ model: new RehearsedModel(), modelId: "m" }), clock });
  const history: readonly Exchange[] = [
    { speaker: "agent", text: "Small or large?", interrupted: false },
    { speaker: "caller", text: "large" },
    { speaker: "agent", text: "One mom", interrupted: true },
    { speaker: "caller", text: "please" },
  ];
  const moves: DialogueMove[] = [];
  for await (const move of dialogue.respond(history, new AbortController().signal)) moves.push(move);
  expect(moves[0]).toMatchObject({ type: "move", toNodeId: "bye", data: { answer: "large" } });
});

test("a model that hangs is bridged in a call, and after eight seconds apologized for", async () => {
  const plan = {
    ...testPlan,
    ...planWith({ openingLine: "Hello." }),
    filler: { afterMs: 1500, messages: ["One moment."] },
  };
  const model = new RehearsedModel(["hang"]);
  const call = new CallRig({
    plan,
    dialogue: (clock) => createDialogue(plan, { models: () => ({ model, modelId: "m" }), clock }),
    caller: [{ text: "What are your hours?", fromMs: 3000, untilMs: 4000 }],
  });
  await call.answer();
  await call.clock.advance(30_000);
  const said = call.transcript.filter(({ speaker }) => speaker === "AI").map(({ text }) => text);
  expect(said[0]).toBe("Hello.");
  expect(said[1]).toMatch(/^One moment\./u);
  expect(said[2]).toMatch(/technical trouble/u);
  expect(call.end).toMatchObject({ reason: "model_failed" });
});
