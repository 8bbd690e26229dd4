import { afterEach, beforeEach, expect, test } from "vitest";
import { startModelsAlone, type RunningModels } from "../../src/app/engines.ts";
import { readConfig } from "../../src/config.ts";
import type { ChosenModel } from "../../src/dialogue/prompt-dialogue.ts";
import { answer, CompletionsServer, STALL } from "../adapters/language-model/completions-server.ts";
import type { Takeover } from "../../src/model/takeover.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

let server: CompletionsServer;
let clock: VirtualClock;
const running: RunningModels[] = [];

beforeEach(async () => {
  server = await CompletionsServer.start();
  clock = new VirtualClock();
});

afterEach(async () => {
  for (const models of running.splice(0)) await models.close();
  await server.close();
});

const start = async (more: Readonly<Record<string, string>> = {}): Promise<RunningModels> => {
  const env = { LLM_BASE_URL: server.baseUrl, LLM_MODEL: "small, large, old", ...more };
  const models = await startModelsAlone(readConfig(env), env, adapterDeps({ clock }));
  running.push(models);
  return models;
};

const ask = async ({ model, modelId }: ChosenModel): Promise<string> => {
  const request = { model: modelId, messages: [{ role: "user", text: "hi" }], tools: [], options: {} } as const;
  let said = "";
  for await (const event of model.generate(request, new AbortController().signal))
    if (event.type === "text") said += event.text;
  return said;
};

const asked = (): readonly unknown[] => server.requests.map(({ body }) => body["model"]);

test("an agent's own models stand behind its prompt's, else those of the deployment", async () => {
  const models = await start({ LLM_FALLBACKS: "large" });
  server.play({ status: 503, chunks: [] }, answer("From the deployment's."));
  expect(await ask(models.modelFor(undefined))).toBe("From the deployment's.");
  server.play({ status: 503, chunks: [] }, answer("From the agent's."));
  expect(await ask(models.modelFor("large", ["old", "unknown", "large"]))).toBe("From the agent's.");
  expect(asked()).toEqual(["small", "large", "large", "old"]);
});

test("a second model is asked beside a slow first one where the deployment says so", async () => {
  const models = await start({ LLM_FALLBACKS: "large", LLM_HEDGE_MS: "100" });
  const notes: Takeover[] = [];
  server.play({ chunks: [STALL] }, answer("Quick."));
  const asking = ask(models.modelFor(undefined, [], (takeover) => notes.push(takeover)));
  while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(100);
  expect(await asking).toBe("Quick.");
  await server.clientsLeft();
  expect(notes).toEqual([
    { part: "model", from: "openai-compatible/small", to: "openai-compatible/large", why: "late" },
  ]);
});

test("without others a model that fails has failed", async () => {
  const models = await start();
  server.play({ status: 503, chunks: [] });
  await expect(ask(models.modelFor("gone"))).rejects.toThrow("503");
  expect(asked()).toEqual(["small"]);
});

test("a model behind the others that nobody offers is told at the start", async () => {
  await expect(start({ LLM_FALLBACKS: "large, huge" })).rejects.toThrow("LLM_FALLBACKS names huge");
});
