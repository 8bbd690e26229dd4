import { expect, test } from "vitest";
import type { LanguageModel, ModelEvent, ModelMessage, ModelRequest } from "../../src/ports/language-model.ts";

/** One adapter under test. */
export type ContractRig = Readonly<{
  model: LanguageModel;
  modelId: string;
  /** Announces that the next request is to be answered; for adapters with a server behind them. */
  expectAnswer(): void;
  /** Announces that the next request is to hang after its first word; absent when the adapter cannot hang. */
  expectHang?(): void;
  release(): Promise<void>;
}>;

const TOOL = { name: "end_call", description: "Hangs up", parameters: { type: "object", properties: {} } };

/** What every language model does, whatever is behind it. */
export const languageModelContract = (name: string, start: () => Promise<ContractRig>): void => {
  const withRig = async (run: (rig: ContractRig) => Promise<void>): Promise<void> => {
    const rig = await start();
    try {
      await run(rig);
    } finally {
      await rig.release();
    }
  };

  const requestTo = (
    rig: ContractRig,
    messages: readonly ModelMessage[],
    tools: ModelRequest["tools"] = [],
  ): ModelRequest => ({
    model: rig.modelId,
    messages,
    tools,
    options: {},
  });

  const answerOf = async (rig: ContractRig, request: ModelRequest): Promise<readonly ModelEvent[]> => {
    rig.expectAnswer();
    const events: ModelEvent[] = [];
    for await (const event of rig.model.generate(request, new AbortController().signal)) events.push(event);
    return events;
  };

  const expectWhole = (events: readonly ModelEvent[]): void => {
    expect(events.filter((event) => event.type === "done")).toHaveLength(1);
    expect(events.at(-1)?.type).toBe("done");
    expect(events.some((event) => event.type === "text" && event.text.trim() !== "")).toBe(true);
  };

  test(`${name}: an answer has words and ends with one done`, () =>
    withRig(async (rig) => {
      const messages: readonly ModelMessage[] = [
        { role: "system", text: "You are a receptionist." },
        { role: "user", text: "hello there" },
      ];
      expectWhole(await answerOf(rig, requestTo(rig, messages)));
    }));

  test(`${name}: an empty history, odd characters and a bare system message are answered`, () =>
    withRig(async (rig) => {
      expectWhole(await answerOf(rig, requestTo(rig, [])));
      expectWhole(await answerOf(rig, requestTo(rig, [{ role: "system", text: "" }])));
      expectWhole(await answerOf(rig, requestTo(rig, [{ role: "user", text: "ü 预约 🎉 \u0000 \uD800" }])));
    }));

  test(`${name}: tools may be offered, and earlier calls with their results may be in the history`, () =>
    withRig(async (rig) => {
      const messages: readonly ModelMessage[] = [
        { role: "user", text: "when do you open" },
        { role: "assistant", text: "", calls: [{ id: "c1", name: "hours", args: "{}" }] },
        { role: "tool", callId: "c1", name: "hours", result: "from nine" },
      ];
      const events = await answerOf(rig, requestTo(rig, messages, [TOOL]));
      expectWhole(events);
      for (const event of events) if (event.type === "call") expect(event.call.name).toBe(TOOL.name);
    }));

  test(`${name}: without tools nothing is called, even on goodbye`, () =>
    withRig(async (rig) => {
      const events = await answerOf(rig, requestTo(rig, [{ role: "user", text: "goodbye" }]));
      expect(events.some((event) => event.type === "call")).toBe(false);
    }));

  test(`${name}: an aborted signal ends the stream before it begins`, () =>
    withRig(async (rig) => {
      const events: ModelEvent[] = [];
      const request = requestTo(rig, [{ role: "user", text: "hello" }]);
      for await (const event of rig.model.generate(request, AbortSignal.abort())) events.push(event);
      expect(events).toEqual([]);
    }));

  test(`${name}: an abort in the middle ends the stream soon, without done and without an error`, () =>
    withRig(async (rig) => {
      if (rig.expectHang === undefined) rig.expectAnswer();
      else rig.expectHang();
      const controller = new AbortController();
      const events: ModelEvent[] = [];
      const request = requestTo(rig, [{ role: "user", text: "hello" }]);
      for await (const event of rig.model.generate(request, controller.signal)) {
        events.push(event);
        controller.abort();
      }
      expect(events).toHaveLength(1);
      expect(events[0]?.type).toBe("text");
    }));

  test(`${name}: several answers at a time do not mix`, () =>
    withRig(async (rig) => {
      const request = requestTo(rig, [{ role: "user", text: "hello" }]);
      const answers = await Promise.all([answerOf(rig, request), answerOf(rig, request), answerOf(rig, request)]);
      for (const events of answers) expectWhole(events);
      expect(answers[1]).toEqual(answers[0]);
    }));

  test(`${name}: its catalogue names every model once`, () =>
    withRig(async (rig) => {
      const ids = rig.model.models.map((model) => model.id);
      expect(ids).toContain(rig.modelId);
      expect(new Set(ids).size).toBe(ids.length);
    }));
};
