import { expect, test } from "vitest";
import { TimedModel } from "../../src/dialogue/timed-model.ts";
import type { ModelEvent, ModelRequest } from "../../src/ports/language-model.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import { RehearsedModel, type Rehearsal } from "./rehearsed-model.ts";

const REQUEST: ModelRequest = { model: "large", messages: [{ role: "user", text: "hello" }], tools: [], options: {} };

const rig = (...answers: readonly Rehearsal[]) => {
  const clock = new VirtualClock();
  const counted: string[] = [];
  const metrics = { modelBegan: (provider: string, ms: number) => counted.push(`${provider} ${ms}`) };
  const model = new TimedModel(new RehearsedModel(...answers).by(clock), clock, metrics);
  const ask = async (request = REQUEST) => {
    const events: ModelEvent[] = [];
    for await (const event of model.generate(request, new AbortController().signal)) events.push(event);
    return events;
  };
  return { clock, counted, ask };
};

test("how long a model took to begin is counted once an answer, whatever it begins with", async () => {
  const text: ModelEvent = { type: "text", text: "Hello." };
  const call: ModelEvent = { type: "call", call: { id: "c", name: "book", args: "{}" } };
  const { clock, counted, ask } = rig([2500, text, 100, text, { type: "done" }], [40, call, { type: "done" }]);
  const first = ask();
  await clock.advance(2600);
  expect(await first).toEqual([text, text, { type: "done" }]);
  const second = ask();
  await clock.advance(40);
  await second;
  expect(counted).toEqual(["rehearsed/large 2500", "rehearsed/large 40"]);
});

test("an answer that never begins, and one that nobody on the line waits for, are not counted", async () => {
  const { counted, ask } = rig([{ type: "text", text: "" }, { type: "done" }], [{ type: "text", text: "{}" }]);
  await ask();
  await ask({ ...REQUEST, answer: {} });
  expect(counted).toEqual([]);
});
