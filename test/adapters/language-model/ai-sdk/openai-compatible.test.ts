import { afterEach, beforeEach, expect, test } from "vitest";
import descriptor from "../../../../src/adapters/language-model/ai-sdk/openai-compatible.ts";
import { MAX_ANSWER } from "../../../../src/adapters/language-model/ai-sdk/sdk-model.ts";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../../../src/ports/language-model.ts";
import { ProviderError, type ProviderErrorKind } from "../../../../src/ports/provider-error.ts";
import { languageModelContract } from "../../../contract/language-model.contract.ts";
import {
  answer,
  BREAK,
  CompletionsServer,
  delta,
  DONE,
  finished,
  STALL,
  usage,
  type Script,
} from "../completions-server.ts";

let server: CompletionsServer;
let model: LanguageModel;

beforeEach(async () => {
  server = await CompletionsServer.start();
  const env = { LLM_BASE_URL: server.baseUrl, LLM_MODEL: "small, large", LLM_API_KEY: "sk-test" };
  model = await descriptor.create(env);
});

afterEach(async () => {
  await model.close();
  await server.close();
});

const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "small",
  messages: [{ role: "user", text: "hello" }],
  tools: [],
  options: {},
  ...change,
});

const collect = async (change: Partial<ModelRequest> = {}): Promise<readonly ModelEvent[]> => {
  const events: ModelEvent[] = [];
  for await (const event of model.generate(request(change), new AbortController().signal)) events.push(event);
  return events;
};

const said = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");

const failureOf = async (script: Script): Promise<ProviderError> => {
  server.play(script);
  const outcome = await collect().catch((error: unknown) => error);
  if (outcome instanceof ProviderError) return outcome;
  throw new Error("the answer did not fail as a provider's error", { cause: outcome });
};

languageModelContract("openai-compatible", async () => {
  const own = await CompletionsServer.start();
  const made = await descriptor.create({ LLM_BASE_URL: own.baseUrl, LLM_MODEL: "small" });
  return {
    model: made,
    modelId: "small",
    expectAnswer: () => {
      own.play(answer("Hel", "lo", " there."));
    },
    expectHang: () => {
      own.play({ chunks: [delta({ content: "Well" }), STALL] });
    },
    release: async () => {
      await made.close();
      await own.close();
    },
  };
});

test("text streams piece by piece and ends with what it cost", async () => {
  server.play(answer("Hello", ", how can I", " help?"));
  expect(await collect()).toEqual([
    { type: "text", text: "Hello" },
    { type: "text", text: ", how can I" },
    { type: "text", text: " help?" },
    { type: "done", inputTokens: 7, outputTokens: 3 },
  ]);
});

test("the request carries key, messages, tools and only the options that were set", async () => {
  server.play(answer("ok"));
  await collect({
    messages: [
      { role: "system", text: "Be brief." },
      { role: "user", text: "look it up" },
      { role: "assistant", text: "One moment.", calls: [{ id: "c1", name: "look_up", args: '{"id":7}' }] },
      { role: "tool", callId: "c1", name: "look_up", result: '{"found":true}' },
    ],
    tools: [{ name: "look_up", description: "Looks up", parameters: { type: "object", properties: {} } }],
    options: { temperature: "0.2", max_tokens: "50", top_p: "", reasoning_effort: "low" },
  });
  const [seen] = server.requests;
  expect(seen?.path).toBe("/v1/chat/completions");
  expect(seen?.authorization).toBe("Bearer sk-test");
  expect(seen?.body).toMatchObject({
    model: "small",
    stream: true,
    temperature: 0.2,
    max_tokens: 50,
    reasoning_effort: "low",
    stream_options: { include_usage: true },
  });
  expect(seen?.body).not.toHaveProperty("top_p");
  expect(seen?.body["messages"]).toMatchObject([
    { role: "system", content: "Be brief." },
    { role: "user" },
    { role: "assistant", tool_calls: [{ id: "c1", function: { name: "look_up", arguments: '{"id":7}' } }] },
    { role: "tool", tool_call_id: "c1", content: '{"found":true}' },
  ]);
  expect(seen?.body["tools"]).toMatchObject([{ type: "function", function: { name: "look_up" } }]);
});

test("a call that comes in pieces is put together, after the text", async () => {
  const piece = (change: Record<string, unknown>) => delta({ tool_calls: [{ index: 0, ...change }] });
  server.play({
    chunks: [
      delta({ content: "One moment." }),
      piece({ id: "c9", type: "function", function: { name: "look_up", arguments: "" } }),
      piece({ function: { arguments: '{"id"' } }),
      piece({ function: { arguments: ":7}" } }),
      finished("tool_calls"),
      DONE,
    ],
  });
  expect((await collect()).slice(0, 2)).toEqual([
    { type: "text", text: "One moment." },
    { type: "call", call: { id: "c9", name: "look_up", args: '{"id":7}' } },
  ]);
});

test("characters that are split between network chunks stay whole", async () => {
  const bytes = Buffer.from(delta({ content: "Größe 预约 🎉" }));
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  server.play({ chunks: [...single, finished(), DONE] });
  expect(said(await collect())).toBe("Größe 预约 🎉");
});

test("several events in one chunk, comments and carriage returns are all understood", async () => {
  const text = (delta({ content: "a" }) + delta({ content: "b" })).replaceAll("\n", "\r\n");
  server.play({ chunks: [`: keep-alive\r\n\r\n${text}${finished()}${DONE}`] });
  expect(said(await collect())).toBe("ab");
});

test("a model's thoughts are not part of its answer", async () => {
  server.play(answer("<thi", "nk>The caller wants", " x</th", "ink>\n\n", "Hello <b>."));
  expect(said(await collect())).toBe("Hello <b>.");
});

const byStatus: readonly [number, ProviderErrorKind, boolean][] = [
  [401, "auth", false],
  [403, "auth", false],
  [404, "rejected", false],
  [400, "rejected", false],
  [408, "timeout", true],
  [429, "rate-limited", true],
  [500, "unavailable", true],
  [503, "unavailable", true],
];

test.each(byStatus)("status %i is %s", async (status, kind, retryable) => {
  const body = JSON.stringify({ error: { message: "secret prompt words", type: "x", code: "y" } });
  const error = await failureOf({ status, contentType: "application/json", chunks: [body] });
  expect(error).toMatchObject({ kind, retryable, provider: "openai-compatible" });
  expect(server.requests).toHaveLength(1);
  expect(JSON.stringify(error) + String(error.stack) + String(error.cause)).not.toContain("secret");
});

test("an endpoint that nobody listens at is unavailable", async () => {
  const gone = await CompletionsServer.start();
  const unreachable = await descriptor.create({ LLM_BASE_URL: gone.baseUrl, LLM_MODEL: "m" });
  await gone.close();
  const events = unreachable.generate(request(), new AbortController().signal)[Symbol.asyncIterator]();
  await expect(events.next()).rejects.toMatchObject({ kind: "unavailable", cause: { code: "ECONNREFUSED" } });
});

test("an answer that breaks off is unavailable, whether the connection breaks or ends", async () => {
  const start = delta({ content: "Well" });
  const call = delta({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: '{"a"' } }] });
  expect(await failureOf({ chunks: [start, BREAK] })).toMatchObject({ kind: "unavailable" });
  expect(await failureOf({ chunks: [start, call] })).toMatchObject({ kind: "unavailable" });
  expect(await failureOf({ chunks: [] })).toMatchObject({ kind: "unavailable" });
});

test("an event that is no JSON fails the answer without quoting it", async () => {
  const error = await failureOf({ chunks: ["data: {secret\n\n", finished(), DONE] });
  expect(error.kind).toBe("unavailable");
  expect(String(error.stack) + String(error.cause)).not.toContain("secret");
});

test("an error inside the stream is judged by its code", async () => {
  const event = (error: Record<string, unknown>) => `data: ${JSON.stringify({ error })}\n\n`;
  expect(await failureOf({ chunks: [event({ message: "slow down", code: 429 })] })).toMatchObject({
    kind: "rate-limited",
  });
  expect(await failureOf({ chunks: [event({ message: "overloaded" })] })).toMatchObject({ kind: "unavailable" });
});

test("an answer without end is cut off", async () => {
  const piece = "word ".repeat(1000);
  server.play(answer(...Array.from({ length: 40 }, () => piece)));
  const events = await collect();
  expect(said(events).length).toBeLessThan(MAX_ANSWER + piece.length + 1);
  expect(events.at(-1)).toEqual({ type: "done" });
});

test("a reader that stops early lets go of the connection", async () => {
  server.play({ chunks: [delta({ content: "Well" }), STALL] });
  const events = model.generate(request(), new AbortController().signal)[Symbol.asyncIterator]();
  expect(await events.next()).toMatchObject({ value: { type: "text", text: "Well" } });
  await events.return?.();
  await server.clientsLeft();
});

test("closing the provider ends what is running with an error", async () => {
  server.play({ chunks: [delta({ content: "Well" }), STALL] });
  const events = model.generate(request(), new AbortController().signal)[Symbol.asyncIterator]();
  await events.next();
  const [next] = await Promise.allSettled([events.next(), model.close()]);
  expect(next).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
  await server.clientsLeft();
});

test("it offers the configured models with their options, and says what is missing", async () => {
  expect(model.models.map((entry) => entry.id)).toEqual(["small", "large"]);
  expect(model.scripted).toBe(false);
  for (const option of model.models[0]?.modelOptions ?? [])
    if (option.valueType !== "STRING") expect(Number.isFinite(Number(option.default))).toBe(true);
  expect(await descriptor.available({ LLM_BASE_URL: "http://x/v1", LLM_MODEL: "m" })).toBe(true);
  expect(await descriptor.available({ LLM_MODEL: "m" })).toContain("LLM_BASE_URL");
  expect(await descriptor.available({ LLM_BASE_URL: "ftp://x", LLM_MODEL: "m" })).toContain("LLM_BASE_URL");
  expect(await descriptor.available({ LLM_BASE_URL: "http://x/v1", LLM_MODEL: " , " })).toContain("LLM_MODEL");
});

test("usage that a server leaves out is left out", async () => {
  server.play(
    { chunks: [delta({ content: "a" }), finished(), DONE] },
    { chunks: [delta({ content: "a" }), finished(), usage(1, 2)] },
  );
  expect((await collect()).at(-1)).toEqual({ type: "done" });
  expect((await collect()).at(-1)).toEqual({ type: "done", inputTokens: 1, outputTokens: 2 });
});
