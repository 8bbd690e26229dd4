import { SeededRandom } from "../../kit/seeded-random.ts";
import { KOKORO_VOICES, KokoroSpeaker, type KokoroVoice } from "../../kit/kokoro-speaker.ts";
import { hiss, makeSpeaker, overTelephone, type SpokenVoice } from "../../kit/spoken.ts";
import { concat, envelope, silence } from "../../kit/tones.ts";
import type { Phrase } from "./phrase.ts";

/** A spoken phrase as it comes out of a telephone line, 16 kHz, with its labels in milliseconds. */
export type Sample = Readonly<{
  phrase: Phrase;
  voice: Voice;
  snrDb: number;
  sound: Int16Array;
  /** Silences inside the turn, in order. */
  pauses: readonly Readonly<{ fromMs: number; untilMs: number }>[];
  /** Where the last sound of the turn ended. */
  endMs: number;
}>;

type Voice = SpokenVoice | KokoroVoice;
type Talk = (text: string, voice: Voice) => Promise<Int16Array>;

/** Who speaks a set: the voices of flite, those of Kokoro, which have a melody, or all of them. */
export const PEOPLE: Readonly<Record<string, readonly Voice[]>> = {
  flite: ["rms", "slt", "kal16"],
  kokoro: KOKORO_VOICES,
  all: ["rms", "af_heart", "am_michael", "slt", "bf_emma", "bm_george", "kal16", "af_bella", "am_puck"],
};
const SNR_DB = [60, 30, 20] as const;
const LEAD_MS = 400;
/** Longer than any policy waits. */
const TAIL_MS = 5000;

/**
 * Speaks every phrase with `voices` of the people's voices. The whole phrase is spoken at once, with commas where it pauses, so that the
 * voice goes on as voices do; the silence that is there then is stretched. Lengths of pauses are spread evenly on a logarithmic
 * scale around 600 ms (σ 0.6, 250 to 3000), as in spontaneous speech.
 */
export const makeSoundSet = async (
  phrases: readonly Phrase[],
  seed: number,
  voices = 2,
  people: readonly Voice[] = PEOPLE["flite"] ?? [],
): Promise<readonly Sample[]> => {
  const flite = await makeSpeaker();
  const kokoro = new KokoroSpeaker();
  const talk: Talk = async (text, voice) => (isKokoro(voice) ? kokoro.speak(text, voice) : flite(text, voice));
  const random = new SeededRandom(seed);
  const samples: Sample[] = [];
  for (const phrase of phrases) {
    const first = Math.floor(random.fraction() * people.length);
    for (let turn = 0; turn < voices; turn++) {
      const voice = people[(first + turn) % people.length] ?? "rms";
      const snrDb = SNR_DB[Math.floor(random.fraction() * SNR_DB.length)] ?? 60;
      samples.push(await makeSample(phrase, voice, snrDb, talk, random));
    }
  }
  await kokoro.close();
  return samples;
};

const isKokoro = (voice: Voice): voice is KokoroVoice => KOKORO_VOICES.some((known) => known === voice);

const makeSample = async (
  phrase: Phrase,
  voice: Voice,
  snrDb: number,
  talk: Talk,
  random: SeededRandom,
): Promise<Sample> => {
  const parts = phrase.text.split("|").map((part) => part.trim().replace(/,$/u, ""));
  const stretches = await spokenParts(parts, voice, talk);
  const pieces: Int16Array[] = [silence(LEAD_MS, 16_000)];
  const pauses: { fromMs: number; untilMs: number }[] = [];
  let atMs = LEAD_MS;
  for (const [index, stretch] of stretches.entries()) {
    if (index > 0) {
      const ms = pauseMs(random);
      pauses.push({ fromMs: atMs, untilMs: atMs + ms });
      pieces.push(silence(ms, 16_000));
      atMs += ms;
    }
    pieces.push(stretch);
    atMs += stretch.length / 16;
  }
  const clean = concat(...pieces, silence(TAIL_MS, 16_000));
  return {
    phrase,
    voice,
    snrDb,
    sound: overTelephone(withNoise(clean, snrDb, Math.floor(random.fraction() * 2 ** 31))),
    pauses,
    endMs: atMs,
  };
};

/** One sound a part, without silence around them. Where the voice made no pause of its own, every part is spoken alone. */
const spokenParts = async (parts: readonly string[], voice: Voice, talk: Talk): Promise<readonly Int16Array[]> => {
  const whole = await talk(parts.join(", "), voice);
  const [first, last] = loudRange(whole);
  const quiet = quietRuns(whole.subarray(first, last));
  if (parts.length === 1) return [whole.slice(first, last)];
  const chosen = cutsBetween(parts, quiet, last - first);
  if (chosen === undefined) {
    const alone: Int16Array[] = [];
    for (const part of parts) alone.push(trimmed(await talk(`${part},`, voice)));
    return alone;
  }
  const cuts = [...chosen, { from: last - first, to: last - first }];
  let from = 0;
  return cuts.map((cut) => {
    const piece = whole.slice(first + from, first + cut.from);
    from = cut.to;
    return piece;
  });
};

const trimmed = (sound: Int16Array): Int16Array => sound.slice(...loudRange(sound));

type Run = Readonly<{ from: number; to: number }>;

const WINDOW_MS = 5;
const SHORTEST_RUN_MS = 70;

/** The quiet run nearest to where each cut should be by the letters before it. */
const cutsBetween = (parts: readonly string[], quiet: readonly Run[], length: number): readonly Run[] | undefined => {
  const letters = parts.map((part) => part.replaceAll(/\W/gu, "").length);
  const total = letters.reduce((sum, count) => sum + count, 0);
  const found: Run[] = [];
  let before = 0;
  for (const count of letters.slice(0, -1)) {
    before += count;
    const expected = (before / total) * length;
    const near = quiet
      .filter((run) => run.from > (found.at(-1)?.to ?? 0))
      .filter((run) => Math.abs((run.from + run.to) / 2 - expected) < 0.25 * length)
      .toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (near === undefined) return undefined;
    found.push(near);
  }
  return found;
};

const loudRange = (sound: Int16Array): readonly [number, number] => {
  const levels = envelope(sound, 16_000, WINDOW_MS);
  const floor = Math.max(...levels) * 0.02;
  const step = WINDOW_MS * 16;
  return [
    levels.findIndex((level) => level > floor) * step,
    (levels.findLastIndex((level) => level > floor) + 1) * step,
  ];
};

const quietRuns = (sound: Int16Array): readonly Run[] => {
  const levels = envelope(sound, 16_000, WINDOW_MS);
  const floor = Math.max(...levels) * 0.02;
  const step = WINDOW_MS * 16;
  const runs: Run[] = [];
  let from: number | undefined;
  for (const [index, level] of [...levels, 1].entries()) {
    if (level <= floor) from ??= index;
    else if (from !== undefined) {
      if ((index - from) * WINDOW_MS >= SHORTEST_RUN_MS) runs.push({ from: from * step, to: index * step });
      from = undefined;
    }
  }
  return runs;
};

const pauseMs = (random: SeededRandom): number => {
  const normal = Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());
  return Math.round(Math.min(3000, Math.max(250, 600 * Math.exp(0.6 * normal))));
};

const withNoise = (sound: Int16Array, snrDb: number, seed: number): Int16Array => {
  const loud = envelope(sound, 16_000).filter((level) => level > 0.01);
  const level = Math.sqrt(loud.reduce((sum, each) => sum + each ** 2, 0) / Math.max(1, loud.length));
  // Evenly spread noise of amplitude a has the level a / √3.
  const noise = hiss(Math.ceil(sound.length / 16), level * 10 ** (-snrDb / 20) * Math.sqrt(3), seed);
  return sound.map((sample, index) => Math.max(-32_768, Math.min(32_767, sample + (noise[index] ?? 0))));
};
