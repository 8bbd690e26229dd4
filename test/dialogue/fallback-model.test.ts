import { expect, test } from "vitest";
import { FallbackModel, FIRST_TOKEN_MS } from "../../src/dialogue/fallback-model.ts";
import { Breakers } from "../../src/kit/breakers.ts";
import type { Takeover } from "../../src/model/takeover.ts";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../src/ports/language-model.ts";
import { ProviderError } from "../../src/ports/provider-error.ts";
import { countingMetrics } from "../kit/counting-metrics.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";
import { RehearsedModel, type Rehearsal } from "./rehearsed-model.ts";

const DONE: ModelEvent = { type: "done" };
const text = (words: string): ModelEvent => ({ type: "text", text: words });
const call = (id: string): ModelEvent => ({ type: "call", call: { id, name: "book", args: "{}" } });
const down = new ProviderError("rehearsed", "unavailable", "down");

const REQUEST: ModelRequest = {
  model: "first",
  messages: [{ role: "user", text: "hello" }],
  tools: [],
  options: { temperature: "1", effort: "low" },
};

const option = (id: string) => ({ id, name: id, valueType: "STRING" as const, default: "" });

const rig = (...rehearsals: readonly (readonly Rehearsal[])[]) => {
  const clock = new VirtualClock();
  const { metrics } = countingMetrics();
  const models = rehearsals.map((answers) => new RehearsedModel(...answers).by(clock));
  const catalogue = [{ id: "m1", name: "m1", modelOptions: [option("temperature")] }];
  const candidates = models.map((model, index) => {
    const shown: LanguageModel = Object.assign(model, { models: index === 0 ? [] : catalogue });
    return { model: shown, modelId: `m${Math.min(index, 1)}` };
  });
  const fallback = new FallbackModel({ candidates, clock, logger: silentLogger(), metrics });
  const ask = async (signal = new AbortController().signal) => {
    const events: ModelEvent[] = [];
    for await (const event of fallback.generate(REQUEST, signal)) events.push(event);
    return events;
  };
  return { clock, models, ask, fallback };
};

const said = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");

test("a model that answers is the only one asked, with all its options", async () => {
  const { ask, models } = rig([[text("Hello."), DONE]], []);
  expect(await ask()).toEqual([text("Hello."), DONE]);
  expect(models[0]?.requests[0]).toEqual({ ...REQUEST, model: "m0" });
});

test("a model that fails at once is followed at once, by one that is asked the same with the options that it has", async () => {
  const { ask, models, clock } = rig([[down]], [[text("Hello."), DONE]]);
  expect(said(await ask())).toBe("Hello.");
  expect(clock.monotonic()).toBe(0);
  expect(models[1]?.requests[0]).toEqual({ ...REQUEST, model: "m1", options: { temperature: "1" } });
});

test("a model that does not begin is given up after four seconds, and rests for the next turns", async () => {
  const { ask, models, clock } = rig(
    [["hang"], [text("I am back."), DONE]],
    [
      [text("Hi."), DONE],
      [text("Yes."), DONE],
    ],
  );
  const asking = ask();
  await clock.advance(FIRST_TOKEN_MS - 1);
  expect(models[1]?.requests).toHaveLength(0);
  await clock.advance(1);
  expect(said(await asking)).toBe("Hi.");
  expect(models[0]?.stopped).toBe(1);
  expect(said(await ask())).toBe("Yes.");
  await clock.advance(30_000);
  expect(said(await ask())).toBe("I am back.");
  expect(clock.pending).toBe(0);
});

test("a model that breaks off is continued from its last word, and what is repeated is left out", async () => {
  const { ask, models } = rig(
    [[text("We open at nine "), text("and close at"), down]],
    [[text("We op"), text("en at nine and close at five"), text(" today."), DONE]],
  );
  expect(said(await ask())).toBe("We open at nine and close at five today.");
  expect(models[1]?.requests[0]?.messages).toEqual([
    { role: "user", text: "hello" },
    { role: "assistant", text: "We open at nine and close at" },
    { role: "user", text: expect.stringContaining("repeat nothing") },
  ]);
});

test("a model that stalls in the middle is continued, also by one that repeats only the last words, or none", async () => {
  const { ask, clock } = rig([[text("We open at nine and close"), "hang"]], [[text("and close at five."), DONE]]);
  const asking = ask();
  await clock.advance(4000);
  expect(said(await asking)).toBe("We open at nine and close at five.");
  const other = rig([[text("We close"), down]], [[text("at five."), DONE]]);
  expect(said(await other.ask())).toBe("We close at five.");
});

test("a model that drips is given up when it is four seconds behind speech, however short its pauses are", async () => {
  const { ask, clock, models } = rig(
    [
      [
        text("We "),
        1300,
        text("open "),
        1300,
        text("at "),
        1300,
        text("nine "),
        1300,
        text("and "),
        1300,
        text("close "),
      ],
    ],
    [[text("We open at nine and close at five."), DONE]],
  );
  const asking = ask();
  for (let steps = 0; steps < 60; steps++) await clock.advance(100);
  expect(said(await asking).replaceAll(/ +/gu, " ")).toBe("We open at nine and close at five.");
  expect(models[0]?.stopped).toBe(1);
});

test("functions that were called are not called again when the model breaks off behind them: they are the answer", async () => {
  const { ask, models } = rig([[call("a"), down]], [[call("b"), DONE]]);
  expect(await ask()).toEqual([call("a"), DONE]);
  expect(models[1]?.requests).toEqual([]);
});

test("an answer that just stops, or is empty, is a failure; what comes behind its end is nobody's", async () => {
  const stopped = rig([[text("We open")]], [[text(" at nine."), DONE, text("And more."), DONE]]);
  expect(await stopped.ask()).toEqual([text("We open"), text(" at nine."), DONE]);
  const empty = rig([[text(""), DONE]], [[text("Hello."), DONE]]);
  expect(said(await empty.ask())).toBe("Hello.");
});

test("a model that keeps failing is left out by all calls at once, and asked when nobody else is left", async () => {
  const clock = new VirtualClock();
  const breakers = new Breakers({ clock, logger: silentLogger() });
  const bad = new RehearsedModel([down], [down], [down], [text("Back."), DONE]);
  const good = new RehearsedModel(...Array.from({ length: 4 }, () => [text("Hi."), DONE]), [down]);
  const candidates = [
    { model: bad, modelId: "bad" },
    { model: good, modelId: "good" },
  ];
  const breakerOf = ({ modelId }: { modelId: string }) => breakers.of("model", modelId);
  const notes: Takeover[] = [];
  const newCall = async () => {
    const tookOver = (one: Takeover) => notes.push(one);
    const model = new FallbackModel({ candidates, clock, logger: silentLogger(), breakerOf, tookOver });
    let words = "";
    for await (const event of model.generate(REQUEST, new AbortController().signal))
      if (event.type === "text") words += event.text;
    return words;
  };
  for (let calls = 0; calls < 4; calls++) expect(await newCall()).toBe("Hi.");
  expect(bad.requests).toHaveLength(3);
  const between = { part: "model", from: "rehearsed/bad", to: "rehearsed/good" };
  expect(notes).toEqual([
    ...Array.from({ length: 3 }, () => ({ ...between, why: "failed" })),
    { ...between, why: "down" },
  ]);
  expect(await newCall()).toBe("Back.");
});

test("the last model's failure is the answer's, and it has no limit of its own", async () => {
  const { ask, clock } = rig([[down]], [["hang"]]);
  const controller = new AbortController();
  const asking = ask(controller.signal);
  await clock.advance(60_000);
  controller.abort();
  expect(await asking).toEqual([]);
  await expect(rig([[down]], [[new Error("worse")]]).ask()).rejects.toThrow("worse");
});

test("an abort ends it without an error and asks nobody else", async () => {
  const { ask, models, clock } = rig([["hang"]], []);
  const controller = new AbortController();
  const asking = ask(controller.signal);
  await clock.advance(100);
  controller.abort();
  expect(await asking).toEqual([]);
  expect(models[1]?.requests).toEqual([]);
  expect(clock.pending).toBeLessThanOrEqual(1);
});
