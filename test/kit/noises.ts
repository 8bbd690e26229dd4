import { concat, silence, tone } from "./tones.ts";

/** Sounds of a room that are no speech; 16 kHz, made anew from the seed. */
export const NOISES: Readonly<Record<string, (seed: number) => Int16Array>> = {
  cough: (seed) => concat(burst(seed, 170, 700, 1800), silence(140, RATE), burst(seed + 1, 210, 500, 1500)),
  door: (seed) => concat(burst(seed, 90, 40, 160, 0.9), silence(60, RATE), burst(seed + 1, 60, 60, 220, 0.5)),
  music: () => concat(...[0, 5, 7, 0, -4, 3, 7, 12].map((step) => chord(220 * 2 ** (step / 12), 300))),
  keyboard: (seed) =>
    concat(
      ...Array.from({ length: 7 }, (_, key) =>
        concat(burst(seed + key, 25, 1500, 3600, 0.35), silence(90 + 17 * (key % 3), RATE)),
      ),
    ),
  breath: (seed) => burst(seed, 500, 300, 2500, 0.06),
  ringing: () =>
    concat(
      ...[0, 1].map(() => concat(mixed(tone(440, 700, RATE, 0.25), tone(480, 700, RATE, 0.25)), silence(300, RATE))),
    ),
};

const RATE = 16_000;

/** Noise between two frequencies that is there at once and fades. */
const burst = (seed: number, ms: number, lowHz: number, highHz: number, amplitude = 0.6): Int16Array => {
  let state = (seed * 2_654_435_761) >>> 0;
  let [low, high] = [0, 0];
  const length = Math.round((ms * RATE) / 1000);
  const lowShare = 1 - Math.exp((-2 * Math.PI * lowHz) / RATE);
  const highShare = 1 - Math.exp((-2 * Math.PI * highHz) / RATE);
  const sound = Float64Array.from({ length }, (_, index) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const white = state / 2 ** 31 - 1;
    high += highShare * (white - high);
    low += lowShare * (high - low);
    const rise = Math.min(1, index / (0.005 * RATE));
    return (high - low) * rise * Math.exp((-3 * index) / length);
  });
  const loudest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-9);
  return Int16Array.from(sound, (sample) => Math.round((sample / loudest) * amplitude * 32_767));
};

/** Three notes with overtones, struck and fading. */
const chord = (frequency: number, ms: number): Int16Array => {
  const parts = [1, 1.26, 1.5].flatMap((ratio) =>
    [1, 2, 3].map((overtone) => tone(frequency * ratio * overtone, ms, RATE, 0.09 / overtone)),
  );
  const struck = mixed(...parts);
  return struck.map((sample, index) => Math.round(sample * Math.exp((-1.5 * index) / struck.length)));
};

const mixed = (...sounds: readonly Int16Array[]): Int16Array =>
  Int16Array.from({ length: Math.max(...sounds.map(({ length }) => length)) }, (_, index) =>
    sounds.reduce((sum, sound) => sum + (sound[index] ?? 0), 0),
  );
