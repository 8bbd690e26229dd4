/** Words and phrases by which callers hold, give and take the floor, in one language. All in lower case. */
export type TurnWords = Readonly<{
  /** Primary subtag of BCP 47. */
  language: string;
  /** Said while the other goes on speaking, alone or one after the other. */
  backchannels: ReadonlySet<string>;
  backchannelPhrases: readonly string[];
  /** Take the floor at the beginning of an utterance, or anywhere in a short one. */
  stops: ReadonlySet<string>;
  stopPhrases: readonly string[];
  /** Words by which people answer a phone. */
  greetings: ReadonlySet<string>;
  /** Sounds of thinking. */
  hesitations: ReadonlySet<string>;
  /** Words and phrases behind which something has to follow. */
  openTails: ReadonlySet<string>;
  openPhrases: readonly string[];
  /** Words that are an answer, or an ending, of their own. */
  answers: ReadonlySet<string>;
}>;

/** Words separated by spaces, as a set. */
export const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Phrases separated by semicolons; longer ones first, so that the longest is found. */
export const phrases = (list: string): readonly string[] =>
  list
    .split(";")
    .map((phrase) => phrase.trim())
    .toSorted((a, b) => b.length - a.length);

/** The words of a text, in lower case, without punctuation except inside a word. */
export const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll(/[’‘`]/gu, "'")
    .match(/[\p{L}\p{N}]+(?:[@.'_-]+[\p{L}\p{N}]+)*/gu) ?? [];
