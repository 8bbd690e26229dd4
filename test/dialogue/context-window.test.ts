import { expect, test } from "vitest";
import openaiCompatible from "../../src/adapters/language-model/ai-sdk/openai-compatible.ts";
import { fitMessages, withinWindow } from "../../src/dialogue/context-window.ts";
import type { Exchange } from "../../src/dialogue/dialogue.ts";

const caller = (text: string): Exchange => ({ speaker: "caller", text });
const CALL: readonly Exchange[] = Array.from({ length: 100 }, (_, index) => 3 * index).flatMap((index) => [
  caller(`${index} ${"what about Tuesday ".repeat(10)}`),
  { speaker: "agent", text: "Let me see.", interrupted: false, calls: [{ id: `c${index}`, name: "see", args: "{}" }] },
  { speaker: "function", callId: `c${index}`, name: "see", result: `{"free":${"1".repeat(100)}}` },
]);
const SYSTEM = { role: "system", text: `You are Robin. ${"Be kind. ".repeat(200)}` } as const;

const messagesIn = async (tokens: string | undefined, history = CALL) => {
  const env = { LLM_BASE_URL: "http://localhost:1/v1", LLM_MODEL: "small" };
  const model = await openaiCompatible.create(tokens === undefined ? env : { ...env, LLM_CONTEXT_TOKENS: tokens });
  return withinWindow({ model, modelId: "small" }, SYSTEM, history, []);
};

test.each(["2048", "4096", "8192"])(
  "of a long call as much as fits into %s tokens goes to the model",
  async (tokens) => {
    const messages = await messagesIn(tokens);
    const size = JSON.stringify(messages).length;
    expect(messages[0]).toEqual(SYSTEM);
    expect(JSON.stringify(messages[1])).toContain("The beginning of the call is left out");
    expect(JSON.stringify(messages)).toContain('"297 what');
    // Names of fields and marks take some characters beside the words.
    expect(size).toBeLessThan(Number(tokens) * 4);
    expect(size).toBeGreaterThan(Math.min(Number(tokens) * 1.2, 10_000));
    const called = messages.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
    const told = messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
    expect(told).toEqual(called.map(({ id }) => id));
  },
);

test("a model whose window is not known is sent more, and signs that are tokens of their own count as such", async () => {
  expect(JSON.stringify(await messagesIn(undefined)).length).toBeGreaterThan(30_000);
  const chinese = Array.from({ length: 300 }, (_, index) => caller(`${index} ${"你们星期二几点开门".repeat(10)}`));
  const sent = JSON.stringify(await messagesIn("8192", chinese)).length - SYSTEM.text.length;
  expect(sent).toBeLessThan(8192);
});

test("what was made for one model is cut to what another one in its place reads", async () => {
  const model = { models: [{ id: "tiny", name: "Tiny", contextTokens: 2048, modelOptions: [] }] };
  const made = [...(await messagesIn(undefined))];
  const fitted = fitMessages({ model, modelId: "tiny" }, made, []);
  expect(JSON.stringify(fitted).length).toBeLessThan(2048 * 4);
  expect(fitted[0]).toEqual(SYSTEM);
  expect(fitted[1]).toMatchObject({
    role: "user",
    text: expect.stringContaining("The beginning of the call is left out"),
  });
  expect(fitted.at(-1)).toEqual(made.at(-1));
  const called = fitted.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
  const told = fitted.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
  expect(told).toEqual(called.map(({ id }) => id));
  const short = made.slice(0, 3);
  expect(fitMessages({ model, modelId: "tiny" }, short, [])).toBe(short);
  expect(fitMessages({ model, modelId: "unknown" }, made, [])).toBe(made);
});

test("a window that is no number is refused with what to do", async () => {
  const env = { LLM_BASE_URL: "http://localhost:1/v1", LLM_MODEL: "small", LLM_CONTEXT_TOKENS: "many" };
  expect(await openaiCompatible.available(env)).toContain("LLM_CONTEXT_TOKENS");
});
