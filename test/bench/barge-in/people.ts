import type { KokoroVoice } from "../../kit/kokoro-speaker.ts";
import { hiss, resampled, type SpokenVoice } from "../../kit/spoken.ts";
import { envelope } from "../../kit/tones.ts";

/** Somebody who interrupts: a voice, and the rate in samples a second that it is played at; 16,000 leaves it as it is. */
export type Person = Readonly<{ voice: SpokenVoice | KokoroVoice; rate: number }>;

/** The voices of flite as they are, and smaller and larger ones. */
export const FLITE_PEOPLE: readonly Person[] = [
  { voice: "rms", rate: 16_000 },
  { voice: "slt", rate: 16_000 },
  { voice: "kal16", rate: 16_000 },
  { voice: "slt", rate: 14_000 },
  { voice: "rms", rate: 17_600 },
];

/** With voices of Kokoro among them, which are nearer to people's: two women and two men, American and British. */
export const ALL_PEOPLE: readonly Person[] = [
  ...FLITE_PEOPLE,
  { voice: "af_heart", rate: 16_000 },
  { voice: "am_michael", rate: 16_000 },
  { voice: "bf_emma", rate: 16_000 },
  { voice: "bm_george", rate: 16_000 },
];

/** Text as a person's speech, 16 kHz. */
export type Talk = (text: string, voice: Person["voice"]) => Int16Array;

/** Speech of a person, with a room around them. */
export const said = (talk: Talk, text: string, { voice, rate }: Person): Int16Array => {
  const clean = audible(resampled(talk(text, voice), 16_000, rate));
  const noise = hiss(Math.ceil(clean.length / 16), 0.004, rate + text.length);
  return clean.map((sample, index) => Math.max(-32_768, Math.min(32_767, sample + (noise[index] ?? 0))));
};

/** Where a sound is louder than this share of its loudest part, it can be heard. */
const AUDIBLE = 0.02;
const WINDOW_MS = 5;

/** A sound without the silence before and behind it. */
export const audible = (sound: Int16Array): Int16Array => {
  const levels = envelope(sound, 16_000, WINDOW_MS);
  const floor = levels.reduce((most, level) => Math.max(most, level), 0) * AUDIBLE;
  const is = (level: number) => level > floor;
  return sound.slice(levels.findIndex(is) * WINDOW_MS * 16, (levels.findLastIndex(is) + 1) * WINDOW_MS * 16);
};

/** One after another, and from the beginning again. */
export const someoneOf = (people: readonly Person[], index: number): Person =>
  people[index % people.length] ?? { voice: "rms", rate: 16_000 };
