import type { WordTiming } from "../../../ports/synthesizer.ts";
import type { LetterToSound } from "../english/pronunciation.ts";
import { Pronunciation } from "../english/pronunciation.ts";
import type { Engine, EngineSound } from "../threaded/serve-speech.ts";
import { trimSilence } from "../threaded/silence.ts";
import { unspokenWords } from "../threaded/word-times.ts";
import { wordsOf } from "../threaded/utterances.ts";
import { FRAME_SAMPLES, SAMPLE_RATE, type KokoroNetwork } from "./kokoro-network.ts";
import { phonemeWord } from "./phonemes.ts";
import { tokenBatches, type TokenBatch, type Vocabulary } from "./tokens.ts";

const FRAME_MS = (FRAME_SAMPLES / SAMPLE_RATE) * 1000;

/** How much earlier a token sounds than the frames before it say, in milliseconds; measured at the pauses after commas. */
const EARLY_MS = 45;

/** Kokoro: English text → phonemes → sound, with the time of each word from the lengths that the network gave its tokens. */
export const kokoroEngine = (network: KokoroNetwork, vocabulary: Vocabulary, letterToSound: LetterToSound): Engine => {
  const pronunciation = new Pronunciation(letterToSound);
  return {
    speak: async ({ text, voice, speed }) => {
      const words = wordsOf(text);
      const phones = pronunciation.ofWords(words);
      const phonemes = words.map((word, index) => phonemeWord(word, phones[index] ?? []));
      if (phonemes.every((word) => word.phonemes === ""))
        return { samples: new Int16Array(0), sampleRate: SAMPLE_RATE, words: unspokenWords(words, 0) };
      const parts: EngineSound[] = [];
      let spoken = 0;
      for (const batch of tokenBatches(phonemes, vocabulary)) {
        const batchWords = words.slice(spoken, spoken + batch.words.length);
        spoken += batch.words.length;
        const { samples, frames } = await network.speak(batch.ids, voice, speed);
        parts.push(finished(samples, frames, batch, batchWords));
      }
      return joinedSound(parts);
    },
    close: () => network.close(),
  };
};

const finished = (
  floats: Float32Array,
  frames: Float32Array,
  batch: TokenBatch,
  words: readonly string[],
): EngineSound => {
  const samples = Int16Array.from(floats, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
  const trimmed = trimSilence(samples, SAMPLE_RATE, words.join(" "));
  return {
    samples: trimmed.samples,
    sampleRate: SAMPLE_RATE,
    words: wordTimes(words, batch, frames, { cutMs: trimmed.cutMs, endMs: trimmed.soundEndMs }),
  };
};

/** A word sounds from its first token to its last; none before the first sound or after the last, where tokens hold silence too. */
const wordTimes = (
  words: readonly string[],
  batch: TokenBatch,
  frames: Float32Array,
  sound: Readonly<{ cutMs: number; endMs: number }>,
): readonly WordTiming[] => {
  const startsMs: number[] = [0];
  for (const count of frames) startsMs.push((startsMs.at(-1) ?? 0) + count * FRAME_MS);
  const inSound = (ms: number) => Math.min(sound.endMs, Math.max(0, ms - EARLY_MS - sound.cutMs));
  let lastMs = 0;
  return words.map((text, index) => {
    const place = batch.words[index] ?? { start: 0, end: 0 };
    const startMs = place.end > place.start ? inSound(startsMs[place.start] ?? 0) : lastMs;
    lastMs = place.end > place.start ? inSound(startsMs[place.end] ?? 0) : lastMs;
    return { text, startMs, endMs: lastMs };
  });
};

const joinedSound = (parts: readonly EngineSound[]): EngineSound => {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const samples = new Int16Array(parts.reduce((length, part) => length + part.samples.length, 0));
  const words: WordTiming[] = [];
  let at = 0;
  for (const part of parts) {
    const offsetMs = (at / SAMPLE_RATE) * 1000;
    words.push(
      ...part.words.map((word) => ({ ...word, startMs: word.startMs + offsetMs, endMs: word.endMs + offsetMs })),
    );
    samples.set(part.samples, at);
    at += part.samples.length;
  }
  return { samples, sampleRate: SAMPLE_RATE, words };
};
