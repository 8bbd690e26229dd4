import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SystemClock } from "../../../src/adapters/clock/system.ts";
import { MoonshineRecognizer } from "../../../src/adapters/transcriber/local/recognizer.ts";
import { tokenTable } from "../../../src/adapters/transcriber/local/token-table.ts";
import { SileroDetector } from "../../../src/adapters/vad/silero/detector.ts";
import { prosodyOf, type Prosody } from "../../../src/endpointing/prosody.ts";
import { closedGate, DEFAULT_THRESHOLDS, observe } from "../../../src/endpointing/speech-gate.ts";
import { pulledModels } from "../../kit/pulled-models.ts";
import { concat } from "../../kit/tones.ts";
import { listenTo } from "../../kit/vad-listening.ts";
import type { Kind } from "./phrase.ts";
import type { Sample } from "./sound-set.ts";

/** A moment at which the detector found that the caller had fallen silent. Times in milliseconds of the sample. */
export type Stop = Readonly<{
  lastVoicedMs: number;
  /** When the detector knew. */
  detectedMs: number;
  /** When it knew that the caller spoke again; absent at the last stop. */
  resumedMs?: number;
  /** All words of the turn so far, by the local transcriber. */
  text: string;
  prosody: Prosody;
}>;

/** What the engines made of a sample. */
export type Observation = Readonly<{
  kind: Kind;
  asked: string;
  spoken: string;
  voice: string;
  snrDb: number;
  endMs: number;
  pauses: readonly Readonly<{ fromMs: number; untilMs: number }>[];
  stops: readonly Stop[];
}>;

/** Sound before the onset that a transcriber is given, as in a call. */
const PRE_ROLL_MS = 500;
/** Sound that is looked at for its melody, as in a call. */
const PROSODY_MS = 1500;

/** Lets the real detector and the real transcriber hear the samples. Texts are kept in the temporary folder. */
export class Observer {
  readonly #detector: SileroDetector;
  readonly #recognizer: MoonshineRecognizer;
  readonly #clock = new SystemClock();
  readonly #folder: string;
  /** How long each text took that was decoded now. */
  readonly decodeMs: number[] = [];

  private constructor(detector: SileroDetector, recognizer: MoonshineRecognizer, folder: string) {
    this.#detector = detector;
    this.#recognizer = recognizer;
    this.#folder = folder;
  }

  static async start(): Promise<Observer> {
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
    const clock = new SystemClock();
    const detector = new SileroDetector(silero, clock);
    await detector.start();
    const folder = join(tmpdir(), "call-engine-bench-turns");
    await mkdir(folder, { recursive: true });
    return new Observer(detector, await MoonshineRecognizer.load({ encoder, decoder, tokens }), folder);
  }

  async observe(sample: Sample): Promise<Observation> {
    const { answers } = await listenTo(this.#detector, this.#clock, sample.sound);
    const spans: { from: number; to: number }[] = [];
    const stops: Stop[] = [];
    let gate = closedGate;
    let onsetMs = 0;
    for (const { probability, endMs } of answers) {
      const observed = observe(gate, probability, endMs, DEFAULT_THRESHOLDS);
      gate = observed.gate;
      if (observed.change?.type === "started") {
        onsetMs = observed.change.onsetMs;
        const last = stops.pop();
        if (last !== undefined) stops.push({ ...last, resumedMs: endMs });
      } else if (observed.change?.type === "ended") {
        const { lastVoicedMs } = observed.change;
        const from = Math.max(spans.at(-1)?.to ?? 0, (onsetMs - PRE_ROLL_MS) * 16);
        spans.push({ from, to: endMs * 16 });
        const text = await this.#decode(concat(...spans.map((span) => sample.sound.subarray(span.from, span.to))));
        const voiced = sample.sound.subarray(Math.max(0, lastVoicedMs - PROSODY_MS) * 16, lastVoicedMs * 16);
        stops.push({ lastVoicedMs, detectedMs: endMs, text, prosody: prosodyOf(voiced, 16_000) });
      }
    }
    const { phrase, voice, snrDb, endMs, pauses } = sample;
    return { kind: phrase.kind, asked: phrase.asked, spoken: phrase.text, voice, snrDb, endMs, pauses, stops };
  }

  close(): Promise<void> {
    return this.#detector.close();
  }

  async #decode(sound: Int16Array): Promise<string> {
    const key = createHash("sha256")
      .update(new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength))
      .digest("hex");
    const file = join(this.#folder, `${key.slice(0, 32)}.txt`);
    const known = await readFile(file, "utf8").catch(() => undefined);
    if (known !== undefined) return known;
    const startMs = this.#clock.monotonic();
    const text = await this.#recognizer.decode(sound);
    this.decodeMs.push(this.#clock.monotonic() - startMs);
    await writeFile(file, text);
    return text;
  }
}
