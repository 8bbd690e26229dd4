import { expect, test } from "vitest";
import { Takeovers } from "../../src/call/takeovers.ts";
import type { Takeover } from "../../src/model/takeover.ts";
import { CallRig } from "../kit/call-rig.ts";
import { hangsUp, says } from "../kit/scripted-dialogue.ts";

const model: Takeover = { part: "model", from: "acme/small", to: "other/large", why: "failed" };
const transcriber: Takeover = { part: "transcriber", from: "acme", to: "local", why: "late" };

test("a turn's record names the providers that took over in it, and those that did so before it began", async () => {
  const takeovers = new Takeovers();
  const rig = new CallRig({
    takeovers,
    caller: [
      { text: "Is it open?", fromMs: 2500, untilMs: 3000 },
      { text: "Thanks.", fromMs: 9000, untilMs: 9400 },
    ],
    answers: [[says("Yes, it is open until five o'clock today.")], [says("Bye."), hangsUp]],
  });
  await rig.answer();
  await rig.at(3100);
  takeovers.note(transcriber);
  await rig.at(5000);
  takeovers.note(model);
  await rig.untilEnd();
  expect(rig.turns.map(({ fallbacks }) => fallbacks)).toEqual([undefined, [transcriber, model], undefined]);
  await rig.close();
});

test("what happened while the phone rang belongs to the opening, and a turn's record has a bound", async () => {
  const takeovers = new Takeovers();
  const rig = new CallRig({ takeovers, opening: [says("Hello there."), hangsUp] });
  takeovers.note(model);
  await rig.answer();
  for (let count = 0; count < 50; count++) takeovers.note(transcriber);
  await rig.untilEnd();
  expect(rig.turns[0]?.fallbacks?.[0]).toEqual(model);
  expect(rig.turns[0]?.fallbacks).toHaveLength(20);
  await rig.close();
});

test("who took over in an answer that nobody heard is named by the one that was heard instead", async () => {
  const takeovers = new Takeovers();
  const rig = new CallRig({
    takeovers,
    caller: [
      { text: "Is it open?", fromMs: 2500, untilMs: 3000 },
      { text: "On Sunday, I mean.", fromMs: 5000, untilMs: 5600 },
    ],
    answers: [
      [3000, says("Yes, it is.")],
      [says("No, not on Sunday."), hangsUp],
    ],
  });
  await rig.answer();
  await rig.at(4500);
  takeovers.note(model);
  await rig.untilEnd();
  expect(rig.turns.map(({ fallbacks }) => fallbacks)).toEqual([undefined, [model]]);
  await rig.close();
});

test("who took over while a caller hung up, before any answer was heard, stands in a turn of its own", async () => {
  const takeovers = new Takeovers();
  const rig = new CallRig({
    takeovers,
    caller: [{ text: "Is it open?", fromMs: 2500, untilMs: 3000 }],
    answers: [[6000, says("Yes, it is.")]],
  });
  await rig.answer();
  await rig.at(4500);
  takeovers.note(model);
  takeovers.note(transcriber);
  await rig.at(5000);
  rig.line.end("hung-up");
  await rig.untilEnd();
  const last = rig.turns.at(-1);
  expect(rig.turns).toHaveLength(2);
  expect(last).toEqual({
    index: 1,
    startMs: last?.startMs,
    endReason: "ended",
    interrupted: false,
    fallbacks: [model, transcriber],
  });
  expect(last?.startMs).toBeGreaterThanOrEqual(5000);
  await rig.close();
});

test("what happened while the phone rang is kept when the opening has to be made anew for another line", async () => {
  const takeovers = new Takeovers();
  const rig = new CallRig({
    takeovers,
    opening: [says("Hello there."), hangsUp],
    line: { format: { encoding: "linear16", sampleRate: 16_000 } },
  });
  takeovers.note(model);
  await rig.answer();
  await rig.untilEnd();
  expect(rig.turns.map(({ fallbacks }) => fallbacks)).toEqual([[model]]);
  await rig.close();
});
