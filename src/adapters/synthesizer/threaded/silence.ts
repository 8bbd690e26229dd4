/** Silence that stays before the first sound, so that a soft onset is not cut, in milliseconds. */
const KEPT_MS = 20;

/** Level above which a sample is sound: −46 dB below full scale, well over the engines' noise floor. */
const THRESHOLD = 160;

/** Sound without the silence at its beginning, and how much was cut, in milliseconds. Pure silence stays as it is. */
export const trimSilence = (
  samples: Int16Array,
  sampleRate: number,
): Readonly<{ samples: Int16Array; cutMs: number }> => {
  const onset = samples.findIndex((sample) => Math.abs(sample) > THRESHOLD);
  const cut = Math.max(0, onset - Math.round((KEPT_MS * sampleRate) / 1000));
  return { samples: samples.subarray(cut), cutMs: (cut / sampleRate) * 1000 };
};
