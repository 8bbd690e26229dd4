/** Sound without the silence around it, with the places where it was. */
export type TrimmedSound = Readonly<{
  samples: Int16Array;
  /** What was cut off before, in milliseconds. */
  cutMs: number;
  /** Where the last sound is in what is left, in milliseconds. */
  soundEndMs: number;
}>;

/** Silence that stays before the first sound, so that a soft onset is not cut, in milliseconds. */
const LEAD_MS = 20;

/** Amplitude above which a sample is sound: 52 dB below full scale, over the engines' noise floor and under soft onsets. */
const THRESHOLD = 80;

/** Pauses after what was said, in milliseconds: as long as people make them in unhurried speech. */
const SENTENCE_PAUSE_MS = 280;
const CLAUSE_PAUSE_MS = 150;
const WORD_PAUSE_MS = 40;

/** Cuts the silence at both ends down; how much stays at the end follows from how the text ends. Pure silence becomes nothing. */
export const trimSilence = (samples: Int16Array, sampleRate: number, text: string): TrimmedSound => {
  const perMs = sampleRate / 1000;
  const isSound = (sample: number) => Math.abs(sample) > THRESHOLD;
  const onset = samples.findIndex(isSound);
  if (onset < 0) return { samples: samples.subarray(0, 0), cutMs: 0, soundEndMs: 0 };
  const start = Math.max(0, onset - Math.round(LEAD_MS * perMs));
  const soundEnd = samples.findLastIndex(isSound) + 1;
  const end = Math.min(samples.length, soundEnd + Math.round(pauseMsAfter(text) * perMs));
  return { samples: samples.subarray(start, end), cutMs: start / perMs, soundEndMs: (soundEnd - start) / perMs };
};

const pauseMsAfter = (text: string): number => {
  if (/[.!?…]["')\]”’]*\s*$/u.test(text)) return SENTENCE_PAUSE_MS;
  return /[,;:—–-]["')\]”’]*\s*$/u.test(text) ? CLAUSE_PAUSE_MS : WORD_PAUSE_MS;
};
