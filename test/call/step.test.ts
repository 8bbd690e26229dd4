import fc from "fast-check";
import { expect, test } from "vitest";
import type { CallEvent, CallHappening } from "../../src/call/events.ts";
import { compileRules } from "../../src/call/rules.ts";
import { initialState, type CallState } from "../../src/call/state.ts";
import { step } from "../../src/call/step.ts";
import { CallRig, testPlan } from "../kit/call-rig.ts";
import { hangsUp, says } from "../kit/scripted-dialogue.ts";

const rules = compileRules(
  { ...testPlan, idle: { enabled: true, messages: ["Hello?"], afterMs: 3000, maxMessages: 2 } },
  { speculates: true },
);

const word = fc.constantFrom("", "yes", "mm-hm", "stop", "I would like to", "a table for two please", "hello?");
const reply = fc.integer({ min: 0, max: 6 });

/** Any event at all, in any order, with numbers that are near enough to hit. */
const happening: fc.Arbitrary<CallHappening> = fc.oneof(
  fc.constantFrom<CallHappening>(
    { type: "answered" },
    { type: "flushed" },
    { type: "line-gone", why: "hung-up" },
    { type: "line-gone", why: "lost" },
    { type: "hearing-failed", part: "vad" },
    { type: "hang-up", reason: "operator_hangup", endedBy: "api" },
    { type: "hang-up", reason: "worker_lost", endedBy: "system", politely: true },
    { type: "digit", digit: "5" },
  ),
  fc.record({ type: fc.constant("speech-started" as const), onsetMs: fc.integer({ min: 0, max: 5000 }) }),
  fc.record({ type: fc.constant("speech-ended" as const), lastVoicedMs: fc.integer({ min: 0, max: 5000 }) }),
  fc.record({
    type: fc.constant("transcript" as const),
    utterance: fc.integer({ min: 1, max: 4 }),
    text: word,
    final: fc.boolean(),
    startMs: fc.integer({ min: 0, max: 5000 }),
    endMs: fc.integer({ min: 0, max: 5000 }),
  }),
  fc.record({ type: fc.constant("reply-said" as const), reply, text: word }),
  fc.record({
    type: fc.constant("reply-stage" as const),
    reply,
    stage: fc.constantFrom("first-token" as const, "first-audio" as const),
  }),
  fc.record({
    type: fc.constant("reply-called" as const),
    reply,
    call: fc.constant({ id: "c", name: "f", args: "{}" }),
  }),
  fc.record({
    type: fc.constant("function-result" as const),
    reply,
    callId: fc.constant("c"),
    name: fc.constant("f"),
    result: fc.constant("{}"),
  }),
  fc.record({ type: fc.constant("reply-complete" as const), reply }),
  fc.record({
    type: fc.constant("reply-hangs-up" as const),
    reply,
    reason: fc.constant("agent_hangup" as const),
  }),
  fc.record({
    type: fc.constant("reply-failed" as const),
    reply,
    part: fc.constantFrom("model" as const, "synthesizer" as const),
  }),
  fc.record({ type: fc.constant("playback-started" as const), reply, startMs: fc.integer({ min: 0, max: 5000 }) }),
  fc.record({ type: fc.constant("playback-progress" as const), reply }),
  fc.record({ type: fc.constant("playback-drained" as const), reply }),
  fc.record({
    type: fc.constant("timer" as const),
    name: fc.constantFrom(
      "endpoint" as const,
      "transcript",
      "barge-in",
      "false-alarm",
      "digits",
      "idle",
      "model",
      "goodbye",
    ),
  }),
);

const events: fc.Arbitrary<readonly CallEvent[]> = fc
  .array(fc.tuple(happening, fc.integer({ min: 0, max: 400 }), fc.option(fc.tuple(reply, word), { nil: undefined })), {
    maxLength: 80,
  })
  .map((list) => {
    let at = 0;
    return list.map(([event, wait, heard]) => {
      at += wait;
      const stamp = heard === undefined ? undefined : { reply: heard[0], text: heard[1], endMs: at };
      return { ...event, at, heard: stamp, voicedUntilMs: at };
    });
  });

const run = (list: readonly CallEvent[]) => {
  let state: CallState = initialState;
  return list.map((event) => {
    const next = step(rules, state, event);
    state = next.state;
    return next;
  });
};

test("whatever happens in whatever order: one ending at most, nothing after it, entries without holes, one reply at a time", () => {
  fc.assert(
    fc.property(events, (list) => {
      const results = run(list);
      const effects = results.flatMap((result) => result.effects);
      const ends = effects.filter((effect) => effect.type === "end");
      expect(ends.length).toBeLessThanOrEqual(1);
      const endedAt = results.findIndex((result) => result.state.phase === "ended");
      if (endedAt >= 0) for (const later of results.slice(endedAt + 1)) expect(later.effects).toEqual([]);
      let written = 0;
      let running: number | undefined;
      for (const effect of effects) {
        if (effect.type === "write") {
          expect(effect.index).toBeLessThanOrEqual(written);
          written = Math.max(written, effect.index + 1);
          expect(effect.entry.endTimeMs).toBeGreaterThanOrEqual(effect.entry.startTimeMs);
        }
        if (effect.type === "start-reply") {
          expect(effect.reply).toBeGreaterThan(running ?? -1);
          running = effect.reply;
        }
        if (effect.type === "set-timer") expect(effect.ms).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 2000 },
  );
});

test("words that the voice detector missed are given the time that any words are", () => {
  const hello = { reply: 0, text: "", endMs: 0 };
  const event = (at: number, what: CallHappening): CallEvent => ({ ...what, at, heard: hello, voicedUntilMs: 0 });
  const results = run([
    event(0, { type: "answered" }),
    event(10, { type: "reply-complete", reply: 0 }),
    event(20, { type: "playback-drained", reply: 0 }),
    event(5000, { type: "transcript", utterance: 1, text: "I would like", final: false, startMs: 4200, endMs: 4900 }),
  ]);
  const waits = (results.at(-1)?.effects ?? []).flatMap((effect) =>
    effect.type === "set-timer" && effect.name === "endpoint" ? [effect.ms] : [],
  );
  expect(waits).toEqual([600]);
});

test("a step changes nothing that it was given", () => {
  fc.assert(
    fc.property(events, (list) => {
      let state: CallState = deepFreeze(structuredClone(initialState));
      for (const event of list) state = deepFreeze(step(rules, state, deepFreeze(event)).state);
    }),
    { numRuns: 300 },
  );
});

test("the events of a call replay it exactly", async () => {
  const rig = new CallRig({
    caller: [
      { text: "What are your opening hours?", fromMs: 1500, untilMs: 3000 },
      { text: "No, wait, I mean on Sunday.", fromMs: 4200, untilMs: 5600 },
    ],
    answers: [
      [200, says("We open at nine and close at five, every day of the week.")],
      [200, says("Goodbye."), hangsUp],
    ],
  });
  await rig.answer();
  await rig.untilEnd();
  let state: CallState = initialState;
  const writes: unknown[] = [];
  let end: unknown;
  for (const event of rig.events) {
    const next = step(rig.rules, state, event);
    state = next.state;
    for (const effect of next.effects) {
      if (effect.type === "write") writes[effect.index] = effect.entry;
      if (effect.type === "end") end = effect.end;
    }
  }
  expect(writes).toEqual(rig.transcript);
  expect(end).toEqual(rig.end);
  await rig.close();
});

const deepFreeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
};

test("an apology that fails too ends the call, instead of being followed by another", () => {
  let state = initialState;
  const happen = (event: CallHappening) => {
    const at = 1000;
    ({ state } = step(rules, state, { ...event, at, heard: { reply: 0, text: "", endMs: 0 }, voicedUntilMs: 0 }));
  };
  happen({ type: "answered" });
  for (let failures = 0; failures < 3 && state.phase !== "ended"; failures++)
    happen({ type: "reply-failed", reply: state.reply?.id ?? 0, part: "model" });
  expect(state).toMatchObject({ phase: "ended", ending: { reason: "model_failed" } });
});
