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
