import { readFile } from "node:fs/promises";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { loadLexicon, type Lexicon } from "../../../src/adapters/transcriber/local/lexicon.ts";
import { MoonshineRecognizer } from "../../../src/adapters/transcriber/local/recognizer.ts";
import { tokenTable } from "../../../src/adapters/transcriber/local/token-table.ts";
import { LocalTranscriber } from "../../../src/adapters/transcriber/local/transcriber.ts";
import { SileroDetector } from "../../../src/adapters/vad/silero/detector.ts";
import { LockstepClock, LockstepRecognizer, LockstepVad } from "../../kit/lockstep.ts";
import { pulledModels } from "../../kit/pulled-models.ts";
import type { Engines } from "./heard-call.ts";

/** A text takes this long, in milliseconds: Moonshine base on one core of a small machine. */
const DECODE_MS = 150;

/** The local engines that hear, for calls in virtual time. */
export class HearingEngines {
  readonly #detector: SileroDetector;
  readonly #recognizer: MoonshineRecognizer;
  readonly #lexicon: Lexicon;

  private constructor(detector: SileroDetector, recognizer: MoonshineRecognizer, lexicon: Lexicon) {
    this.#detector = detector;
    this.#recognizer = recognizer;
    this.#lexicon = lexicon;
  }

  static async start(): Promise<HearingEngines> {
    const files = await pulledModels("vad", "transcriber");
    const [silero, encoder, decoder] = await Promise.all(
      ["silero-v6.onnx", "moonshine-base-encoder.onnx", "moonshine-base-decoder.onnx"].map((name) => files.find(name)),
    );
    const tokens = await files.derive("moonshine-tokens-1.txt", ["moonshine-base-decoder.onnx"], async () => {
      const { default: llama } = await import("llama-tokenizer-js");
      return Buffer.from(tokenTable(llama.vocabById), "utf8");
    });
    if (silero === undefined || encoder === undefined || decoder === undefined || tokens === undefined)
      throw new Error("the models are not there; get them with: bin/call-engine models pull");
    const detector = new SileroDetector(silero, new SystemClock());
    await detector.start();
    const recognizer = await MoonshineRecognizer.load({ encoder, decoder, tokens });
    return new HearingEngines(detector, recognizer, await loadLexicon(await readFile(tokens, "utf8")));
  }

  /** For one call; `words` without which the caller is heard and not understood. */
  forCall(words: boolean): Engines {
    const clock = new LockstepClock();
    const vad = new LockstepVad(this.#detector, clock);
    if (!words) return { clock, vad };
    const recognizer = new LockstepRecognizer(this.#recognizer, clock, DECODE_MS);
    return { clock, vad, transcriber: new LocalTranscriber(recognizer, this.#lexicon, 2) };
  }

  close(): Promise<void> {
    return this.#detector.close();
  }
}
