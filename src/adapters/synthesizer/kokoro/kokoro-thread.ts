import { readFile } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import { fliteLetterToSound } from "../english/flite-letter-to-sound.ts";
import { serveSpeech } from "../threaded/serve-speech.ts";
import { kokoroEngine } from "./kokoro-engine.ts";
import { KokoroNetwork } from "./kokoro-network.ts";
import { readVocabulary } from "./tokens.ts";

/** Paths of what the engine needs; `voicePaths` by the voice's own name. */
export type KokoroFiles = Readonly<{
  networkPath: string;
  tokenizerPath: string;
  voicePaths: Readonly<Record<string, string>>;
  flitePath: string;
  threads: number;
}>;

const files = workerData as KokoroFiles;

await serveSpeech(async () => {
  const network = await KokoroNetwork.load(files.networkPath, files.voicePaths, files.threads);
  const vocabulary = readVocabulary(await readFile(files.tokenizerPath, "utf8"));
  const flite = await WebAssembly.compile(await readFile(files.flitePath));
  const engine = kokoroEngine(network, vocabulary, fliteLetterToSound(flite));
  const [voice] = Object.keys(files.voicePaths);
  // The first run allocates and is slow; the first caller should not wait for it.
  if (voice !== undefined)
    await engine.speak({ text: "Hello.", voice, speed: 1, format: { encoding: "linear16", sampleRate: 24_000 } });
  return engine;
});
