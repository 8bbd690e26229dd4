import { expect, test } from "vitest";
import { FallbackModel } from "../../src/dialogue/fallback-model.ts";
import type { Takeover } from "../../src/model/takeover.ts";
import { sleep, type Clock } from "../../src/ports/clock.ts";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../src/ports/language-model.ts";
import { ProviderError } from "../../src/ports/provider-error.ts";
import { silentLogger } from "../kit/silent-logger.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const DONE: ModelEvent = { type: "done" };
const text = (words: string): ModelEvent => ({ type: "text", text: words });
const down = new ProviderError("timed", "unavailable", "down");
const HEDGE_MS = 700;

/** Waits, then gives an event or fails; each step after the one before. */
type Script = readonly (readonly [afterMs: number, what: ModelEvent | Error])[];

class TimedModel implements LanguageModel {
  readonly name = "timed";
  readonly scripted = false;
  readonly models = [];
  readonly askedAt: number[] = [];
  stopped = 0;
  readonly #clock: Clock;
  readonly #scripts: Script[];

  constructor(clock: Clock, ...scripts: readonly Script[]) {
    this.#clock = clock;
    this.#scripts = [...scripts];
  }

  async *generate(_request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    this.askedAt.push(this.#clock.monotonic());
    let finished = false;
    try {
      for (const [afterMs, what] of this.#scripts.shift() ?? []) {
        await sleep(this.#clock, afterMs, signal);
        if (what instanceof Error) throw what;
        yield what;
      }
      finished = true;
    } finally {
      if (!finished) this.stopped += 1;
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const rig = (first: readonly Script[], second: readonly Script[]) => {
  const clock = new VirtualClock();
  const models = [new TimedModel(clock, ...first), new TimedModel(clock, ...second)] as const;
  const hedges: string[] = [];
  const errors: string[] = [];
  const notes: Takeover[] = [];
  const fallback = new FallbackModel({
    candidates: [
      { model: models[0], modelId: "a" },
      { model: models[1], modelId: "b" },
    ],
    clock,
    logger: silentLogger(),
    metrics: { hedge: (won) => hedges.push(won), providerError: (_port, name) => errors.push(name) },
    hedgeAfterMs: HEDGE_MS,
    tookOver: (takeover) => notes.push(takeover),
  });
  const ask = async (signal = new AbortController().signal) => {
    const events: ModelEvent[] = [];
    const request: ModelRequest = { model: "a", messages: [], tools: [], options: {} };
    const asking = (async () => {
      for await (const event of fallback.generate(request, signal)) events.push(event);
    })();
    let over = false;
    void asking.finally(() => (over = true)).catch(() => undefined);
    await clock.until(() => over, 60_000);
    await asking;
    return events;
  };
  return { clock, models, ask, hedges, errors, notes };
};

test("a model that begins in time is the only one asked", async () => {
  const { ask, models, hedges, clock } = rig(
    [
      [
        [HEDGE_MS - 1, text("Yes.")],
        [0, DONE],
      ],
    ],
    [],
  );
  expect(await ask()).toEqual([text("Yes."), DONE]);
  expect(models[1].askedAt).toEqual([]);
  expect(hedges).toEqual([]);
  expect(clock.pending).toBe(0);
});

test("a slow model gets another one beside it; whoever begins first answers, and the other is stopped", async () => {
  const slow = rig(
    [
      [
        [5000, text("Late.")],
        [0, DONE],
      ],
    ],
    [
      [
        [300, text("Quick.")],
        [100, DONE],
      ],
    ],
  );
  expect(await slow.ask()).toEqual([text("Quick."), DONE]);
  expect(slow.models[1].askedAt).toEqual([HEDGE_MS]);
  expect(slow.models[0].stopped).toBe(1);
  expect(slow.hedges).toEqual(["second"]);
  expect(slow.notes).toEqual([{ part: "model", from: "timed/a", to: "timed/b", why: "late" }]);
  expect(slow.errors).toEqual([]);
  const first = rig(
    [
      [
        [900, text("First.")],
        [0, DONE],
      ],
    ],
    [
      [
        [300, text("Second.")],
        [0, DONE],
      ],
    ],
  );
  expect(await first.ask()).toEqual([text("First."), DONE]);
  expect(first.models[1].stopped).toBe(1);
  expect(first.hedges).toEqual(["first"]);
  expect([slow.clock.pending, first.clock.pending]).toEqual([0, 0]);
});

test("functions are called by one of the two only", async () => {
  const book = (id: string): ModelEvent => ({ type: "call", call: { id, name: "book", args: "{}" } });
  const { ask } = rig(
    [
      [
        [1000, book("a")],
        [0, DONE],
      ],
    ],
    [
      [
        [300, book("b")],
        [0, DONE],
      ],
    ],
  );
  expect(await ask()).toEqual([book("a"), DONE]);
});

test("a model that fails before it begins is followed at once, and its failure is counted once", async () => {
  const { ask, models, errors, notes } = rig(
    [[[100, down]]],
    [
      [
        [300, text("Here.")],
        [0, DONE],
      ],
    ],
  );
  expect(await ask()).toEqual([text("Here."), DONE]);
  expect(models[1].askedAt).toEqual([100]);
  expect(errors).toEqual(["timed"]);
  expect(notes).toEqual([{ part: "model", from: "timed/a", to: "timed/b", why: "failed" }]);
});

test("when the one that won breaks off, the one that it beat goes on", async () => {
  const { ask, models } = rig(
    [
      [[5000, text("Late.")]],
      [
        [10, text(" at nine.")],
        [0, DONE],
      ],
    ],
    [
      [
        [300, text("We open")],
        [50, down],
      ],
    ],
  );
  expect(await ask()).toEqual([text("We open"), text(" at nine."), DONE]);
  expect(models[0].askedAt).toHaveLength(2);
});

test("an abort stops both, and leaves no timer", async () => {
  const { ask, models, clock } = rig([[[9000, text("Late.")]]], [[[9000, text("Later.")]]]);
  const controller = new AbortController();
  clock.setTimer(1000, () => {
    controller.abort();
  });
  expect(await ask(controller.signal)).toEqual([]);
  await clock.settle();
  expect(models.map(({ stopped }) => stopped)).toEqual([1, 1]);
  expect(clock.pending).toBe(0);
});

test("when both fail, the answer fails with the first one's error after all have had their turn", async () => {
  const { ask, models, errors } = rig([[[10, down]]], [[[10, new Error("worse")]], [[10, new Error("worst")]]]);
  await expect(ask()).rejects.toThrow("worst");
  expect(models[1].askedAt).toHaveLength(2);
  expect(errors).toHaveLength(3);
});
