import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import model from "../../src/adapters/language-model/model-server/model-server.ts";
import synthesizer from "../../src/adapters/synthesizer/model-server/model-server.ts";
import transcriber from "../../src/adapters/transcriber/model-server/model-server.ts";
import turnDetector from "../../src/adapters/turn-detector/model-server/model-server.ts";
import { languageModelContract } from "../contract/language-model.contract.ts";
import { synthesizerContract } from "../contract/synthesizer.contract.ts";
import { transcriberContract } from "../contract/transcriber.contract.ts";
import { adapterDeps } from "../kit/adapter-deps.ts";
import { runModelServer, type RunningModelServer } from "../model-server/running-model-server.ts";

const TOKEN = "the-token-of-the-model-server";

let hearing: RunningModelServer;
let speaking: RunningModelServer;
const deps = adapterDeps({ clock: new SystemClock() });
const env = (server = speaking) => ({ MODEL_SERVER_URL: server.url, MODEL_SERVER_TOKEN: TOKEN });

beforeAll(async () => {
  [hearing, speaking] = await Promise.all([
    runModelServer("transcriber", { MODEL_SERVER_TOKEN: TOKEN }),
    // Without model files flite speaks, which takes less of a machine that runs tests.
    runModelServer("synthesizer,language-model", { MODEL_SERVER_TOKEN: TOKEN, MODELS_DIR: "/nonexistent" }),
  ]);
});
afterAll(() => Promise.all([hearing.kill(), speaking.kill()]));

transcriberContract("a model server in another process", () => transcriber.create(env(hearing), deps));

synthesizerContract("a model server in another process", { make: () => synthesizer.create(env(), deps), threads: 0 });

languageModelContract("a model server in another process", async () => {
  const made = await model.create(env(), deps);
  return { model: made, modelId: made.models[0]?.id ?? "", expectAnswer: () => undefined, release: () => made.close() };
});

describe("a model server in another process", () => {
  test("is available where it offers something, and tells why not where it does not", async () => {
    expect(await transcriber.available(env(hearing), deps)).toBe(true);
    expect(await turnDetector.available(env(), deps)).toMatch(/does not offer/);
    expect(await model.available({ ...env(), MODEL_SERVER_TOKEN: "another" }, deps)).toMatch(/refuses the token/);
    expect(await model.available({}, deps)).toMatch(/set MODEL_SERVER_URL/);
  });
});
