/** White space as a reader expects it; case and punctuation stay as the engine gave them. */
export const tidy = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/**
 * The beginning of `next` that `previous` said too: what two passes agree on seldom changes again. Case and punctuation do not
 * count; a mark after the last agreed word is left out, because the engine ends every text with one, finished or not.
 */
export const stablePrefix = (previous: string, next: string): string => {
  const before = wordsOf(previous);
  const now = wordsOf(next);
  let agreed = 0;
  while (agreed < now.length && agreed < before.length && bare(now[agreed]) === bare(before[agreed])) agreed++;
  return now
    .slice(0, agreed)
    .join(" ")
    .replace(/[\p{P}\s]+$/u, "");
};

/** The fastest that anybody speaks; auctioneers reach 4 to 5 words a second. */
const FASTEST_WORDS_PER_SECOND = 6;
/** Phrases of up to this many words are looked for when a text may be a loop. */
const LONGEST_LOOP_WORDS = 6;
const LOOP_REPEATS = 6;

/**
 * Whether a text cannot have been said in so many seconds of sound: far too many words, or one phrase over and over faster than
 * speech, which is how a decoder fails on sound that it does not understand.
 */
export const isImplausible = (text: string, seconds: number): boolean => {
  const words = wordsOf(text).map(bare);
  // A short sound with one or two words says nothing about speed.
  if (words.length <= 3) return false;
  if (words.length > seconds * FASTEST_WORDS_PER_SECOND) return true;
  return words.length > seconds * (FASTEST_WORDS_PER_SECOND / 2) && hasLoop(words);
};

const hasLoop = (words: readonly string[]): boolean => {
  for (let length = 1; length <= LONGEST_LOOP_WORDS; length++) {
    let same = 0;
    for (let index = length; index < words.length; index++) {
      same = words[index] === words[index - length] ? same + 1 : 0;
      if (same >= length * (LOOP_REPEATS - 1)) return true;
    }
  }
  return false;
};

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

const bare = (word: string | undefined): string => (word ?? "").toLowerCase().replaceAll(/[^\p{L}\p{N}']/gu, "");
