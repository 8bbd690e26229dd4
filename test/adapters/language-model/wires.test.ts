import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MAX_ANSWER } from "../../../src/adapters/language-model/ai-sdk/sdk-model.ts";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../../src/ports/language-model.ts";
import { ProviderError } from "../../../src/ports/provider-error.ts";
import { languageModelContract } from "../../contract/language-model.contract.ts";
import { wireCases } from "../../contract/wire-cases.ts";
import { BREAK, CompletionsServer, HALF_CLOSE, HOLD, STALL, type Script } from "./completions-server.ts";
import { WIRES, type Wire } from "./wires.ts";

const answerOf = (wire: Wire, ...pieces: readonly string[]): Script => ({
  chunks: [...wire.head, ...pieces.map((piece) => wire.text(piece)), ...wire.tail],
});

for (const wire of WIRES)
  languageModelContract(wire.name, async () => {
    const server = await CompletionsServer.start();
    const model = await wire.connect(server.baseUrl);
    return {
      model,
      modelId: wire.modelId,
      expectAnswer: () => {
        server.play(answerOf(wire, "Hel", "lo", " there."));
      },
      expectHang: () => {
        server.play({ chunks: [...wire.head, wire.text("Well"), STALL] });
      },
      release: async () => {
        await model.close();
        await server.close();
      },
    };
  });

describe.each(WIRES)("$name", (wire) => {
  const { covers, complete } = wireCases();
  let server: CompletionsServer;
  let model: LanguageModel;

  beforeEach(async () => {
    server = await CompletionsServer.start();
    model = await wire.connect(server.baseUrl);
  });

  afterEach(async () => {
    await model.close();
    await server.close();
  });

  const collect = async (change: Partial<ModelRequest> = {}): Promise<readonly ModelEvent[]> => {
    const request = {
      model: wire.modelId,
      messages: [{ role: "user", text: "hello" }],
      tools: [],
      options: {},
    } as const;
    const events: ModelEvent[] = [];
    for await (const event of model.generate({ ...request, ...change }, new AbortController().signal))
      events.push(event);
    return events;
  };

  const failureOf = async (script: Script): Promise<ProviderError> => {
    server.play(script);
    const outcome = await collect().catch((error: unknown) => error);
    if (!(outcome instanceof ProviderError)) throw new TypeError("no provider's error", { cause: outcome });
    expect(JSON.stringify(outcome) + String(outcome.stack) + String(outcome.cause)).not.toContain("secret");
    return outcome;
  };

  const said = (events: readonly ModelEvent[]): string =>
    events.map((event) => (event.type === "text" ? event.text : "")).join("");

  covers(
    "connect",
    "finalize",
    "unicode",
  )("an answer of single characters in single bytes, in any script, stays whole and tells what it cost", async () => {
    const text = "Größe 预约 🎉 naïve";
    const bytes = Buffer.from(Array.from(text, (letter) => wire.text(letter)).join(""));
    server.play({ chunks: [...wire.head, ...Array.from(bytes, (byte) => Uint8Array.of(byte)), ...wire.tail] });
    const events = await collect();
    expect(said(events)).toBe(text);
    expect(events.at(-1)).toEqual({ type: "done", inputTokens: 7, outputTokens: 3 });
  });

  covers("stream", "slow")("words are passed on before the rest of a slow answer is there", async () => {
    server.play({ chunks: [...wire.head, wire.text("Well"), HOLD, wire.text(", yes."), ...wire.tail] });
    const request = {
      model: wire.modelId,
      messages: [{ role: "user", text: "hello" } as const],
      tools: [],
      options: {},
    };
    const events = model.generate(request, new AbortController().signal)[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { type: "text", text: "Well" } });
    await server.holding(1);
    server.release();
    expect(await events.next()).toMatchObject({ value: { type: "text", text: ", yes." } });
    expect(await events.next()).toMatchObject({ value: { type: "done" } });
  });

  covers("interleave")("two answers at a time are kept apart", async () => {
    server.play(
      { chunks: [...wire.head, wire.text("One"), HOLD, wire.text(" two."), ...wire.tail] },
      { chunks: [...wire.head, wire.text("Three"), HOLD, wire.text(" four."), ...wire.tail] },
    );
    const both = Promise.all([collect(), collect()]);
    await server.holding(2);
    server.release();
    expect((await both).map((events) => said(events)).toSorted()).toEqual(["One two.", "Three four."]);
  });

  covers("reconnect")(
    "the next request after a break is answered, and one that finds nobody fails at once",
    async () => {
      expect((await failureOf({ chunks: [BREAK] })).kind).toBe("unavailable");
      server.play(answerOf(wire, "Here."));
      expect(said(await collect())).toBe("Here.");
      await server.close();
      expect(await collect().catch((error: unknown) => error)).toMatchObject({
        kind: "unavailable",
        provider: wire.name,
      });
      server = await CompletionsServer.start();
    },
  );

  test("two functions at once come after the text, each whole, also one that was never offered", async () => {
    const calls = [
      { id: "c1", name: "look_up", args: ['{"id"', ":7}"] },
      { id: "c2", name: "invented", args: ["{}"] },
    ];
    server.play({ chunks: [...wire.head, wire.text("One moment."), ...wire.calls(calls), ...wire.tail] });
    const tools = [{ name: "look_up", description: "Looks up", parameters: { type: "object", properties: {} } }];
    const events = await collect({ tools });
    expect(events[0]).toEqual({ type: "text", text: "One moment." });
    const called = events.flatMap((event) => (event.type === "call" ? [event.call] : []));
    expect(called.map(({ name, args }) => [name, JSON.parse(args) as unknown])).toEqual([
      ["look_up", { id: 7 }],
      ["invented", {}],
    ]);
    expect(new Set(called.map(({ id }) => id)).size).toBe(2);
  });

  // Where a format carries arguments as a value, they cannot be broken, only wrong.
  const wrongArgs = wire.argsAreText ? '{"id": seven' : '{"id":"seven"}';

  test("arguments that make no sense are passed on for the call to refuse, and can be told to the model again", async () => {
    const broken = { id: "c1", name: "look_up", args: [wrongArgs] };
    server.play({ chunks: [...wire.head, ...wire.calls([broken]), ...wire.tail] }, answerOf(wire, "Sorry."));
    const tools = [{ name: "look_up", description: "Looks up", parameters: { type: "object", properties: {} } }];
    const [first] = await collect({ tools });
    expect(first).toEqual({ type: "call", call: { id: expect.anything(), name: "look_up", args: wrongArgs } });
    const history = [
      { role: "user", text: "look it up" },
      { role: "assistant", text: "", calls: [{ id: "c1", name: "look_up", args: wrongArgs }] },
      { role: "tool", callId: "c1", name: "look_up", result: '{"error":"invalid_arguments"}' },
    ] as const;
    expect(said(await collect({ tools, messages: history }))).toBe("Sorry.");
  });

  test("an empty answer is empty, and one without end is cut off", async () => {
    server.play(answerOf(wire));
    expect(said(await collect())).toBe("");
    const piece = "word ".repeat(1000);
    server.play(answerOf(wire, ...Array.from({ length: 40 }, () => piece)));
    const events = await collect();
    expect(said(events).length).toBeLessThan(MAX_ANSWER + piece.length + 1);
    expect(events.at(-1)).toEqual({ type: "done" });
  });

  covers("401", "429", "5xx").each([
    [401, "auth"],
    [400, "rejected"],
    [429, "rate-limited"],
    [500, "unavailable"],
    [529, "unavailable"],
  ] as const)("status %i is %s, and is asked for once", async (status, kind) => {
    const body = JSON.stringify({ type: "error", error: { message: "secret", type: "x", code: 1, status: "X" } });
    const error = await failureOf({ status, contentType: "application/json", chunks: [body] });
    expect(error).toMatchObject({ kind, provider: wire.name });
    expect(server.requests).toHaveLength(1);
  });

  covers("garbage", "half-closed")(
    "garbage, a broken connection, an early end and an overload in the stream are unavailable",
    async () => {
      const start = [...wire.head, wire.text("Well")];
      for (const rest of [
        ["data: {secret\n\n", ...wire.tail],
        [BREAK],
        [HALF_CLOSE],
        [wire.overloaded],
        ["<html>secret</html>\n\n"],
      ] as const)
        expect((await failureOf({ chunks: [...start, ...rest] })).kind).toBe("unavailable");
      expect((await failureOf({ contentType: "text/html", chunks: ["<html>secret</html>"] })).kind).toBe("unavailable");
    },
  );

  covers("stall", "cancel")("a model that stalls is let go of as soon as nobody waits for it", async () => {
    server.play({ chunks: [...wire.head, wire.text("Well"), STALL] });
    const controller = new AbortController();
    const request = {
      model: wire.modelId,
      messages: [{ role: "user", text: "hello" }],
      tools: [],
      options: {},
    } as const;
    const events = model.generate(request, controller.signal)[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { type: "text", text: "Well" } });
    const next = events.next();
    controller.abort();
    expect(await next).toMatchObject({ done: true });
    await server.clientsLeft();
  });

  test("the request carries the key, the instructions, and only the options that were set", async () => {
    server.play(answerOf(wire, "ok"));
    const messages = [
      { role: "system", text: "Be brief." },
      { role: "user", text: "hello" },
    ] as const;
    await collect({ messages, options: { temperature: "0.2", max_tokens: "50", top_p: "" } });
    const [seen] = server.requests;
    expect(wire.keyOf(seen!)).toBe("Bearer key-1");
    expect(wire.systemOf(seen!.body)).toBe("Be brief.");
    const options = wire.optionsOf(seen!.body);
    expect(options).toMatchObject({ temperature: 0.2, max_tokens: 50 });
    expect(options["top_p"]).toBeUndefined();
  });

  test("an answer of a schema is asked for in the vendor's own way", async () => {
    server.play(answerOf(wire, '{"booked":true}'));
    const answer = { type: "object", properties: { booked: { type: "boolean" } }, required: ["booked"] };
    await collect({ answer });
    expect(JSON.stringify(server.requests[0]?.body)).toContain('"booked":{"type":"boolean"}');
  });

  test("its models have options with defaults of their own types", () => {
    expect(model.scripted).toBe(false);
    for (const { modelOptions } of model.models)
      for (const option of modelOptions)
        if (option.valueType !== "STRING") expect(Number.isFinite(Number(option.default))).toBe(true);
  });

  complete();
});
