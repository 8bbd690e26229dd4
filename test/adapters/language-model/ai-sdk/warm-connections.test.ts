import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import openaiCompatible from "../../../../src/adapters/language-model/ai-sdk/openai-compatible.ts";
import { WarmConnections } from "../../../../src/adapters/language-model/ai-sdk/warm-connections.ts";
import type { LanguageModel, ModelEvent, ModelRequest } from "../../../../src/ports/language-model.ts";
import { tlsFront } from "../../../kit/tls-front.ts";

const REQUEST: ModelRequest = { model: "m", messages: [{ role: "user", text: "Hello" }], tools: [], options: {} };
const ANSWER = ['{"choices":[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}', "[DONE]"]
  .map((data) => `data: ${data}\n\n`)
  .join("");

let front: Awaited<ReturnType<typeof tlsFront>>;

beforeAll(async () => {
  front = await tlsFront();
});

afterAll(() => {
  front.close();
});

const answerOf = async (model: LanguageModel): Promise<readonly ModelEvent[]> => {
  const events: ModelEvent[] = [];
  for await (const event of model.generate(REQUEST, new AbortController().signal)) events.push(event);
  return events;
};

/** A model behind TLS that counts who connects and who asks. */
const vendor = async () => {
  const server = createServer((request, response) => {
    seen.requests += 1;
    request.resume().on("end", () => response.setHeader("content-type", "text/event-stream").end(ANSWER));
  });
  const seen = { connections: 0, open: 0, requests: 0 };
  server.on("connection", (socket) => {
    seen.connections += 1;
    seen.open += 1;
    socket.on("close", () => (seen.open -= 1));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const plain = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { server, seen, url: await front.before(plain), connected: () => once(server, "connection") };
};

test("a connection that was made ready carries the first request, and sends nothing before it", async () => {
  const { server, seen, url, connected } = await vendor();
  const model = await openaiCompatible.create({ LLM_BASE_URL: url, LLM_MODEL: "m" });
  const ready = connected();
  model.warm?.();
  model.warm?.();
  await ready;
  expect(seen).toEqual({ connections: 1, open: 1, requests: 0 });
  for (let answer = 1; answer <= 3; answer++) {
    const events = await answerOf(model);
    expect(events[0]).toEqual({ type: "text", text: "Hi." });
    expect(seen).toEqual({ connections: 1, open: 1, requests: answer });
    // Its end is seen a moment after the answer's; then one is there that nobody uses.
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    model.warm?.();
  }
  await model.close();
  await expect.poll(() => seen.open).toBe(0);
  server.close();
});

test("without being made ready, the request opens its own connection", async () => {
  const { server, seen, url } = await vendor();
  const model = await openaiCompatible.create({ LLM_BASE_URL: url, LLM_MODEL: "m" });
  await answerOf(model);
  expect(seen).toMatchObject({ connections: 1, requests: 1 });
  await model.close();
  server.close();
});

test("a vendor that is not there is found out by the request alone, and one that hangs up is connected to again", async () => {
  const connections = new WarmConnections();
  connections.warm("https://127.0.0.1:1/v1");
  const { server, seen, url, connected } = await vendor();
  const ready = connected();
  connections.warm(url);
  await ready;
  server.closeAllConnections();
  await expect.poll(() => seen.open).toBe(0);
  const response = await connections.fetch(url, { method: "POST", body: "{}" });
  expect(await response.text()).toBe(ANSWER);
  expect(seen.connections).toBe(2);
  await connections.close();
  server.close();
});
