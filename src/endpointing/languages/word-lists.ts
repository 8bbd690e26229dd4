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
  /** Words that open a question other than one of yes or no. */
  questionWords?: ReadonlySet<string>;
  /** How many digits a word for a number makes. */
  numbers?: ReadonlyMap<string, number>;
  /** How an agent asks for something in this language; English has rules of its own. */
  asks?: Asks;
  /** "At" and "dot", as addresses are said. */
  address?: Readonly<{ at: string; dot: string }>;
  /** Endings of words or texts that leave a sentence open, and that finish one, where the language has such. */
  openEnd?: RegExp;
  closedEnd?: RegExp;
}>;

/** What an agent may ask for, each by what its question then contains; matched in lower case. */
export type Asks = Readonly<
  Record<"spelling" | "mail" | "phone" | "digits" | "birth" | "date" | "time" | "name" | "quantity" | "or", RegExp>
>;

/** Words separated by spaces, as a set. */
export const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Phrases separated by semicolons; longer ones first, so that the longest is found. */
export const phrases = (list: string): readonly string[] =>
  list
    .split(";")
    .map((phrase) => phrase.trim())
    .toSorted((a, b) => b.length - a.length);

/** Words for numbers: those of one digit, and those of two. */
export const numbers = (ones: string, twos = ""): ReadonlyMap<string, number> =>
  new Map([
    ...ones.split(" ").map((word) => [word, 1] as const),
    ...twos.split(" ").flatMap((word) => (word === "" ? [] : [[word, 2] as const])),
  ]);

/** Patterns of questions, each as the source of an expression. */
export const asking = (patterns: Readonly<Record<keyof Asks, string>>): Asks => ({
  spelling: new RegExp(patterns.spelling, "u"),
  mail: new RegExp(`e-?mail|${patterns.mail}`, "u"),
  phone: new RegExp(patterns.phone, "u"),
  digits: new RegExp(patterns.digits, "u"),
  birth: new RegExp(patterns.birth, "u"),
  date: new RegExp(patterns.date, "u"),
  time: new RegExp(patterns.time, "u"),
  name: new RegExp(patterns.name, "u"),
  quantity: new RegExp(patterns.quantity, "u"),
  or: new RegExp(patterns.or, "u"),
});

/** The words of a text, in lower case, without punctuation except inside a word. Scripts without spaces are cut by their dictionary. */
export const wordsIn = (text: string): readonly string[] => {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .replaceAll(/[’‘`]/gu, "'")
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[@.'_-]+[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu) ?? [];
  return words.some((word) => UNSPACED.test(word)) ? words.flatMap(cutUp) : words;
};

/** Letters of languages that put no spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const cutUp = (word: string): readonly string[] =>
  UNSPACED.test(word)
    ? [...SEGMENTER.segment(word)].flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []))
    : [word];

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "word" });
