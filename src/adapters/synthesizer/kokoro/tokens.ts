import type { PhonemeWord } from "./phonemes.ts";

/** The network's ids of phonemes and marks. */
export type Vocabulary = ReadonlyMap<string, number>;

/** What the network takes at one go. */
export type TokenBatch = Readonly<{
  /** Padded with 0 at both ends. */
  ids: readonly number[];
  /** For each word of the batch, the places of its phonemes in `ids`: from `start` up to, not including, `end`. */
  words: readonly Readonly<{ start: number; end: number }>[];
}>;

/** The network takes 512 tokens, of which two are the padding. */
const MAX_TOKENS = 510;

/** Reads the vocabulary of a `tokenizer.json`. Throws when it has none. */
export const readVocabulary = (json: string): Vocabulary => {
  const { model } = JSON.parse(json) as Readonly<{ model?: Readonly<{ vocab?: Readonly<Record<string, number>> }> }>;
  if (model?.vocab === undefined) throw new Error("tokenizer.json holds no vocabulary");
  return new Map(Object.entries(model.vocab));
};

/**
 * Words as ids, separated by spaces. Nearly always one batch: only text without end, or a word that is spelt out over hundreds of
 * phonemes, needs more; of a single word that fills more than a batch, the rest is left out.
 */
export const tokenBatches = (words: readonly PhonemeWord[], vocabulary: Vocabulary): readonly TokenBatch[] => {
  const space = idsOf(" ", vocabulary);
  const batches: { ids: number[]; words: { start: number; end: number }[] }[] = [];
  let batch: (typeof batches)[number] | undefined;
  for (const word of words) {
    const before = idsOf(word.before, vocabulary).slice(-MAX_MARKS);
    const phonemes = idsOf(word.phonemes, vocabulary).slice(0, MAX_TOKENS - before.length - MAX_MARKS);
    const after = idsOf(word.after, vocabulary).slice(0, MAX_MARKS);
    const length = before.length + phonemes.length + after.length;
    if (batch === undefined || batch.ids.length + space.length + length > MAX_TOKENS + 1) {
      batch = { ids: [0], words: [] };
      batches.push(batch);
    } else if (phonemes.length > 0) batch.ids.push(...space);
    const start = batch.ids.length + before.length;
    batch.ids.push(...before, ...phonemes, ...after);
    batch.words.push({ start, end: start + phonemes.length });
  }
  return batches.map(({ ids, words: places }) => ({ ids: [...ids, 0], words: places }));
};

/** Marks after one word that are kept; more of them would say nothing. */
const MAX_MARKS = 4;

const idsOf = (symbols: string, vocabulary: Vocabulary): readonly number[] =>
  Array.from(symbols, (symbol) => vocabulary.get(symbol)).filter((id) => id !== undefined);
