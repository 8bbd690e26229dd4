import { readFile } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import { serveSpeech } from "../threaded/serve-speech.ts";
import { fliteEngine } from "./flite-engine.ts";

const { enginePath } = workerData as Readonly<{ enginePath: string }>;

await serveSpeech(async () => fliteEngine(await WebAssembly.compile(await readFile(enginePath))));
