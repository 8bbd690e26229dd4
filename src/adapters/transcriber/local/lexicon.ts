import { guessPhones } from "./letter-sounds.ts";
import { soundOf, type Sound } from "./sound-distance.ts";

/** How English words sound, and which of them everybody uses. Words are lower-case, a to z and apostrophes. */
export type Lexicon = Readonly<{
  /** The ways to say a word; a guess where the word is not known; at least one. */
  sounds(word: string): readonly Sound[];
  /** Whether it is an English word or a name that the dictionary knows. */
  knows(word: string): boolean;
  /** Whether it is so common that it is likelier than any keyword that sounds like it. */
  isCommon(word: string): boolean;
}>;

/** Variants of a word that are looked at, of the dictionary's one to four. */
const MOST_VARIANTS = 2;

const ENDINGS = ["'s", "s", "es", "ed", "d", "ing", "ly", "er"] as const;

/**
 * A lexicon out of the CMU dictionary and the recognizer's token table (as `tokenTable` writes it): a word for which the vocabulary
 * has a token of its own, in small letters, is a common one, and so are its forms.
 */
export const loadLexicon = async (tokens: string): Promise<Lexicon> => {
  const { dictionary } = await import("cmu-pronouncing-dictionary");
  const knows = (word: string): boolean => Object.hasOwn(dictionary, word);
  const frequent = new Set(tokenWords(tokens).filter(knows));
  return {
    knows,
    isCommon: (word) =>
      frequent.has(word) ||
      ENDINGS.some(
        (ending) =>
          word.endsWith(ending) && ["", "e"].some((back) => frequent.has(word.slice(0, -ending.length) + back)),
      ),
    sounds: (word) => {
      const found = [word, ...Array.from({ length: MOST_VARIANTS - 1 }, (_, index) => `${word}(${index + 2})`)]
        .filter(knows)
        .map((entry) => soundOf(dictionary[entry] ?? ""));
      return found.length === 0 ? [soundOf(guessPhones(word))] : found;
    },
  };
};

/** Whole words of a vocabulary, which marks their begin by "▁". */
const tokenWords = (tokens: string): readonly string[] =>
  tokens.split("\n").flatMap((line) => {
    const [, word] = /^▁([a-z]+)$/u.exec(Buffer.from(line.split(" ")[0] ?? "", "base64").toString("utf8")) ?? [];
    return word === undefined ? [] : [word];
  });
