import { logMel, MELS } from "../../../audio/log-mel.ts";

/** The network looks at eight seconds, in columns of 10 ms. */
export const WINDOW_MS = 8000;
export const WINDOW_SAMPLES = WINDOW_MS * 16;
export const SHAPE = [1, MELS, WINDOW_MS / 10] as const;

/**
 * What the network is given: the last eight seconds, silence in front of shorter ones, brought to mean 0 and variance 1 (the silence
 * included, as in its training), as a log-mel spectrogram.
 */
export const featuresOf = (samples: Int16Array): Float32Array => {
  const recent = samples.subarray(Math.max(0, samples.length - WINDOW_SAMPLES));
  const sound = new Float32Array(WINDOW_SAMPLES);
  for (let index = 0; index < recent.length; index++)
    sound[WINDOW_SAMPLES - recent.length + index] = (recent[index] ?? 0) / 32_768;
  let mean = 0;
  for (const sample of sound) mean += sample / WINDOW_SAMPLES;
  let variance = 0;
  for (const sample of sound) variance += (sample - mean) ** 2 / WINDOW_SAMPLES;
  const scale = 1 / Math.sqrt(variance + 1e-7);
  return logMel(sound.map((sample) => (sample - mean) * scale));
};
