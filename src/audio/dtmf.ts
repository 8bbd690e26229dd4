const LOW = [697, 770, 852, 941];
const HIGH = [1209, 1336, 1477];

/** The two frequencies of each key in Hz, by ITU-T Q.23. */
export const KEY_FREQUENCIES: ReadonlyMap<string, readonly [low: number, high: number]> = new Map(
  ["123", "456", "789", "*0#"].flatMap((keys, row) =>
    Array.from(keys, (key, column) => [key, [LOW[row] ?? 0, HIGH[column] ?? 0]] as const),
  ),
);

/**
 * The sound of one key: its two tones for 100 ms, then 80 ms of silence; for `,` two seconds of silence, as modems pause. Q.24 asks
 * receivers for 40 ms of each. Each tone has an amplitude of −10 dB of full scale, −7 dBm0 on a telephone line, the nominal level
 * of a telephone; both together stay 4 dB below clipping.
 */
export const keySound = (key: string, sampleRate: number): Int16Array => {
  const frequencies = KEY_FREQUENCIES.get(key);
  if (frequencies === undefined) return new Int16Array(Math.round((sampleRate * PAUSE_MS) / 1000));
  const sound = new Int16Array(Math.round((sampleRate * (TONE_MS + GAP_MS)) / 1000));
  const toneLength = Math.round((sampleRate * TONE_MS) / 1000);
  const [low, high] = frequencies.map((frequency) => (2 * Math.PI * frequency) / sampleRate);
  for (let index = 0; index < toneLength; index++)
    sound[index] = Math.round(AMPLITUDE * (Math.sin((low ?? 0) * index) + Math.sin((high ?? 0) * index)));
  return sound;
};

const TONE_MS = 100;
const GAP_MS = 80;
const PAUSE_MS = 2000;
const AMPLITUDE = 32_767 * 10 ** (-10 / 20);
