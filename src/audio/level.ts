/** Level that stands for digital silence, below the noise of 16 bits. */
export const SILENCE_DBFS = -120;

/** Mean power in dB relative to a full-scale square wave: 0 loudest, a full-scale sine is −3, silence {@link SILENCE_DBFS}. */
export const levelDbfs = (samples: Int16Array): number => {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum === 0 ? SILENCE_DBFS : 10 * Math.log10(sum / samples.length / (32_768 * 32_768));
};

/**
 * Samples made louder or softer by `db` decibels. What would pass three quarters of full scale is bent towards it instead
 * of cut off, so that +30 dB still sounds like speech. 0 dB returns the same samples.
 */
export const applyGain = (samples: Int16Array, db: number): Int16Array => {
  if (db === 0) return samples;
  const factor = 10 ** (db / 20);
  const louder = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index++) louder[index] = softClip((samples[index] as number) * factor);
  return louder;
};

const KNEE = 24_576;
const HEADROOM = 32_767 - KNEE;

/** A value on the scale of 16-bit samples, bent towards full scale where it passes three quarters of it. */
export const softClip = (value: number): number => {
  const magnitude = Math.abs(value);
  if (magnitude <= KNEE) return Math.round(value);
  return Math.round(Math.sign(value) * (KNEE + HEADROOM * Math.tanh((magnitude - KNEE) / HEADROOM)));
};
