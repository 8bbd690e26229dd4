import { beforeAll, expect, test } from "vitest";
import kokoro from "../../../src/adapters/synthesizer/kokoro/kokoro.ts";
import type { ModelFiles } from "../../../src/ports/model-files.ts";
import { synthesizerContract } from "../../contract/synthesizer.contract.ts";
import { adapterDeps } from "../../kit/adapter-deps.ts";
import { pulledModels, PULL_TIMEOUT_MS } from "../../kit/pulled-models.ts";

let modelFiles: ModelFiles;
beforeAll(async () => {
  modelFiles = await pulledModels("synthesizer");
}, PULL_TIMEOUT_MS);

test("kokoro says what is missing when nothing was pulled", async () => {
  expect(await kokoro.available({}, adapterDeps())).toMatch(
    /kokoro-q8\.onnx is not here; run `call-engine models pull`/u,
  );
  await expect(kokoro.create({}, adapterDeps())).rejects.toThrow(/call-engine models pull/u);
});

test("kokoro offers every voice that was pulled, with its pace as an option", async () => {
  const deps = adapterDeps({ modelFiles });
  expect(await kokoro.available({}, deps)).toBe(true);
  const synthesizer = await kokoro.create({ KOKORO_THREADS: "1" }, deps);
  expect(synthesizer.voices[0]).toEqual({
    id: "kokoro-af_heart",
    name: "Heart",
    voiceType: "kokoro",
    voiceTier: "PREMIUM",
    description: "American female, warm.",
    voiceOptions: [{ id: "speed", name: "Speed", valueType: "FLOAT", default: "1" }],
  });
  expect(synthesizer.voices.length).toBe(11);
  await synthesizer.close();
}, 60_000);

synthesizerContract("kokoro", { make: () => kokoro.create({}, adapterDeps({ modelFiles })), threads: 1 });
