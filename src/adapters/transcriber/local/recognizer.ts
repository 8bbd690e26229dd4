import sherpa from "sherpa-onnx-node";
import type { OfflineRecognizer } from "sherpa-onnx-node";
import { HEARING_RATE } from "../../../ports/vad.ts";
import { isImplausible, tidy } from "./hypothesis.ts";

/** Files of one size of Moonshine. */
export type MoonshineFiles = Readonly<{ encoder: string; decoder: string; tokens: string }>;

/** What the stream needs of an engine; a test may put a scripted one in its place. */
export interface Recognizer {
  /** The text of a stretch of sound in one pass; may be empty where a second look would find words. */
  glance(sound: Int16Array): Promise<string>;
  /** The text of a stretch of sound, looked at again in other forms while nothing is found. */
  decode(sound: Int16Array): Promise<string>;
}

/** How a stretch of sound is prepared: its loudest sample is brought to `peak` (as it is when undefined), silence is put around it. */
type Form = Readonly<{ peak: number | undefined; leadMs: number; tailMs: number }>;

/**
 * Moonshine sometimes ends its text before the first word, on short sounds above all (11 of 42 recordings of digits and phrases in
 * the first form). Looking again at another loudness and length finds the words; this order left none of the 42 empty.
 */
const FIRST_FORM: Form = { peak: 0.9, leadMs: 100, tailMs: 200 };
const OTHER_FORMS: readonly Form[] = [
  { peak: undefined, leadMs: 0, tailMs: 0 },
  { peak: 0.5, leadMs: 0, tailMs: 0 },
  { peak: 0.9, leadMs: 0, tailMs: 500 },
  { peak: 0.3, leadMs: 50, tailMs: 0 },
];

/** Sound whose loudest sample stays below −60 dBFS holds nothing that a person would hear. */
const FAINTEST_PEAK = 33;

/** Moonshine (English) by sherpa-onnx. Decodes on libuv's threads, several at a time if need be. */
export class MoonshineRecognizer implements Recognizer {
  readonly #recognizer: OfflineRecognizer;

  private constructor(recognizer: OfflineRecognizer) {
    this.#recognizer = recognizer;
  }

  static async load(files: MoonshineFiles): Promise<MoonshineRecognizer> {
    const recognizer = await sherpa.OfflineRecognizer.createAsync({
      modelConfig: {
        moonshine: { encoder: files.encoder, mergedDecoder: files.decoder },
        tokens: files.tokens,
        // One thread each: two threads on two busy hyperthreads are slower than one, and calls run side by side anyway.
        numThreads: 1,
        provider: "cpu",
        debug: 0,
      },
    });
    return new MoonshineRecognizer(recognizer);
  }

  glance(sound: Int16Array): Promise<string> {
    return this.#pass(sound, FIRST_FORM, peakOf(sound));
  }

  async decode(sound: Int16Array): Promise<string> {
    const peak = peakOf(sound);
    const text = await this.#pass(sound, FIRST_FORM, peak);
    if (text !== "" || peak < FAINTEST_PEAK) return text;
    for (const form of OTHER_FORMS) {
      const found = await this.#pass(sound, form, peak);
      if (found !== "") return found;
    }
    return "";
  }

  async #pass(sound: Int16Array, form: Form, peak: number): Promise<string> {
    if (peak < FAINTEST_PEAK) return "";
    const stream = this.#recognizer.createStream();
    stream.acceptWaveform({ samples: prepare(sound, form, peak), sampleRate: HEARING_RATE });
    const { text } = await this.#recognizer.decodeAsync(stream);
    const tidied = tidy(text);
    return isImplausible(tidied, sound.length / HEARING_RATE) ? "" : tidied;
  }
}

const peakOf = (sound: Int16Array): number => {
  let peak = 0;
  for (const sample of sound) peak = Math.max(peak, Math.abs(sample));
  return peak;
};

const prepare = (sound: Int16Array, form: Form, peak: number): Float32Array => {
  const gain = form.peak === undefined ? 1 / 32_768 : form.peak / peak;
  const lead = (form.leadMs * HEARING_RATE) / 1000;
  const samples = new Float32Array(lead + sound.length + (form.tailMs * HEARING_RATE) / 1000);
  for (let index = 0; index < sound.length; index++) samples[lead + index] = (sound[index] ?? 0) * gain;
  return samples;
};
