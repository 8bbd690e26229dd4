import { readFile } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import { serveSpeech } from "../threaded/serve-speech.ts";
import { fliteEngine } from "./flite-engine.ts";

const { enginePath } = workerData as Readonly<{ enginePath: string }>;

await serveSpeech(async () => {
  const engine = fliteEngine(await WebAssembly.compile(await readFile(enginePath)));
  // The first sentence compiles what it runs through, which takes more than twice the sentence's time; no caller shall wait for that.
  await engine.speak({ text: "Ready.", voice: "rms", speed: 1, format: { encoding: "mulaw", sampleRate: 8000 } });
  return engine;
});
