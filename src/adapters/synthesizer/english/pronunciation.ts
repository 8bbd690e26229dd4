import { dictionary } from "cmu-pronouncing-dictionary";
import { BEFORE_VOWEL, LETTER_NAMES, PREFERRED, SIGN_NAMES } from "./word-forms.ts";

/** Phones in ARPABET, vowels with stress: 0 none, 1 primary, 2 secondary. */
export type Phones = readonly string[];

/** Guesses how a word that no dictionary knows is said; lower-case letters only. */
export type LetterToSound = (word: string) => Phones;

/**
 * How American English words are said: by a table of likely forms, the CMU dictionary (134 000 words), its words with endings and
 * prefixes, compounds of its words, spelling out, and at last `letterToSound`.
 */
export class Pronunciation {
  readonly #letterToSound: LetterToSound;
  /** Guesses cost a run of a program, and names come back within a call. */
  readonly #guesses = new Map<string, Phones>();

  constructor(letterToSound: LetterToSound) {
    this.#letterToSound = letterToSound;
  }

  /** Phones of the words of a text, one list each; punctuation has none. */
  ofWords(words: readonly string[]): readonly Phones[] {
    const phones = words.map((word, index) => (isLetterA(words, index) ? spelt("a") : this.ofWord(word)));
    return words.map((word, index) => {
      const bare = bareWord(word);
      const beforeVowel = Object.hasOwn(BEFORE_VOWEL, bare) ? BEFORE_VOWEL[bare] : undefined;
      const next = phones[index + 1]?.[0];
      const linked = beforeVowel !== undefined && next !== undefined && isVowel(next);
      return linked ? beforeVowel.split(" ") : (phones[index] ?? []);
    });
  }

  /** Phones of one word, which may carry punctuation, hyphens, digits or an apostrophe. */
  ofWord(word: string): Phones {
    const bare = bareWord(word);
    // The dictionary's "twenty-one" and its like are odd; their parts are not.
    const inParts = SPELT.has(bareCase(word)) || (bare.includes("-") && !Object.hasOwn(PREFERRED, bare));
    const whole = inParts ? undefined : lookUp(bare);
    if (whole !== undefined) return whole;
    return partsOf(word).flatMap((part) => this.#ofPart(part));
  }

  #ofPart(part: string): Phones {
    const sign = Object.hasOwn(SIGN_NAMES, part) ? SIGN_NAMES[part] : undefined;
    if (sign !== undefined) return lookUp(sign) ?? [];
    const lower = part.toLowerCase();
    if (isSpelt(part)) return spelt(lower);
    return lookUp(lower) ?? withEnding(lower) ?? withPrefix(lower) ?? compound(lower) ?? this.#guess(lower);
  }

  #guess(word: string): Phones {
    const letters = word.replaceAll(/[^a-z]/gu, "");
    if (letters.length < 2 || !/[aeiouy]/u.test(letters)) return spelt(letters);
    const known = this.#guesses.get(letters);
    if (known !== undefined) return known;
    if (this.#guesses.size >= MAX_GUESSES) this.#guesses.clear();
    const guess = this.#letterToSound(letters);
    this.#guesses.set(letters, guess);
    return guess;
  }
}

export const isVowel = (phone: string): boolean => /^[AEIOU]/u.test(phone);

/** Words that are remembered, of at most some fifty bytes each. */
const MAX_GUESSES = 5000;

/** Shortest words that compounds are made of; shorter ones would split almost anything. */
const MIN_COMPOUND_PART = 3;

/** A capital A inside a sentence is the letter, as in "Room A". */
const isLetterA = (words: readonly string[], index: number): boolean =>
  index > 0 && /^A[,.;:!?]*$/u.test(words[index] ?? "") && !/[.!?:…]["')\]”’]*$/u.test(words[index - 1] ?? "");

const bareWord = (word: string): string => bareCase(word).toLowerCase();

/** The word without the marks around it, in its own case. */
const bareCase = (word: string): string => plainLetters(word).replaceAll(/^[^A-Za-z0-9']+|[^A-Za-z0-9']+$/gu, "");

const plainLetters = (word: string): string =>
  word.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll(/[‘’]/gu, "'");

/** Runs of letters (with apostrophes inside), single digits and single signs. */
const partsOf = (word: string): readonly string[] =>
  plainLetters(word).match(/[A-Za-z]+(?:'[A-Za-z]+)*|[0-9]|[&%@+=$]/gu) ?? [];

const lookUp = (word: string): Phones | undefined => {
  const table = Object.hasOwn(PREFERRED, word) ? PREFERRED : dictionary;
  return Object.hasOwn(table, word) ? table[word]?.split(" ") : undefined;
};

/** Capitals that are no word (`SMS`, `USPS`) are spelt, and so are a few that would be another word in small letters. */
const isSpelt = (part: string): boolean =>
  /^[A-Z]+$/u.test(part) &&
  (part.length === 1 || (part.length <= 5 && (lookUp(part.toLowerCase()) === undefined || SPELT.has(part))));

const SPELT = new Set(["US", "ID", "AM", "PM", "TV", "PC", "HR", "IP", "ATM"]);

const spelt = (letters: string): Phones =>
  letters.split("").flatMap((letter) => LETTER_NAMES[letter]?.split(" ") ?? []);

const VOICELESS = new Set(["P", "T", "K", "F", "TH"]);
const SIBILANT = new Set(["S", "Z", "SH", "ZH", "CH", "JH"]);

/** The plural, possessive or third-person ending after these phones. */
const sEnding = (stem: Phones): Phones => {
  const last = stem.at(-1) ?? "";
  if (SIBILANT.has(last)) return [...stem, "IH0", "Z"];
  return [...stem, VOICELESS.has(last) ? "S" : "Z"];
};

const edEnding = (stem: Phones): Phones => {
  const last = stem.at(-1) ?? "";
  if (last === "T" || last === "D") return [...stem, "IH0", "D"];
  return [...stem, VOICELESS.has(last) || SIBILANT.has(last) ? "T" : "D"];
};

/** Endings, longest first, with how they sound after a stem. */
const ENDINGS: readonly (readonly [ending: string, sound: (stem: Phones) => Phones])[] = [
  ["'s", sEnding],
  ["'ll", (stem) => [...stem, "AH0", "L"]],
  ["'ve", (stem) => [...stem, "V"]],
  ["'re", (stem) => [...stem, "ER0"]],
  ["'d", (stem) => [...stem, "D"]],
  ["s'", sEnding],
  ["ness", (stem) => [...stem, "N", "AH0", "S"]],
  ["less", (stem) => [...stem, "L", "AH0", "S"]],
  ["able", (stem) => [...stem, "AH0", "B", "AH0", "L"]],
  ["ment", (stem) => [...stem, "M", "AH0", "N", "T"]],
  ["ful", (stem) => [...stem, "F", "AH0", "L"]],
  ["ing", (stem) => [...stem, "IH0", "NG"]],
  ["ers", (stem) => [...stem, "ER0", "Z"]],
  ["er", (stem) => [...stem, "ER0"]],
  ["ed", edEnding],
  ["es", sEnding],
  ["ly", (stem) => [...stem, "L", "IY0"]],
  ["s", sEnding],
];

const withEnding = (word: string): Phones | undefined => {
  for (const [ending, sound] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    if (stem.length < 2) continue;
    // "hiking" has lost an e, "planned" has doubled its n, "parties" has changed its y.
    const candidates = ending.startsWith("'")
      ? [stem]
      : [stem, `${stem}e`, ...(stem.at(-1) === stem.at(-2) ? [stem.slice(0, -1)] : []), stem.replace(/i$/u, "y")];
    const known = candidates.map(lookUp).find((phones) => phones !== undefined);
    if (known !== undefined) return sound(known);
  }
  return undefined;
};

const PREFIXES: Readonly<Record<string, string>> = {
  re: "R IY0",
  un: "AH0 N",
  non: "N AA2 N",
  pre: "P R IY0",
  mis: "M IH0 S",
  dis: "D IH0 S",
  over: "OW2 V ER0",
  under: "AH2 N D ER0",
  anti: "AE2 N T IY0",
  auto: "AO2 T OW0",
  multi: "M AH2 L T IY0",
  micro: "M AY2 K R OW0",
};

const withPrefix = (word: string): Phones | undefined => {
  for (const [prefix, sound] of Object.entries(PREFIXES)) {
    if (!word.startsWith(prefix) || word.length < prefix.length + MIN_COMPOUND_PART) continue;
    const rest = word.slice(prefix.length);
    const known = lookUp(rest) ?? withEnding(rest);
    if (known !== undefined) return [...sound.split(" "), ...known];
  }
  return undefined;
};

/** Two words written as one; of several splits, the one whose shorter part is longest. The second part's stress is secondary. */
const compound = (word: string): Phones | undefined => {
  let best: Phones | undefined;
  let bestShorter = 0;
  for (let cut = MIN_COMPOUND_PART; cut <= word.length - MIN_COMPOUND_PART; cut++) {
    const first = lookUp(word.slice(0, cut));
    const second = lookUp(word.slice(cut)) ?? withEnding(word.slice(cut));
    const shorter = Math.min(cut, word.length - cut);
    if (first === undefined || second === undefined || shorter <= bestShorter) continue;
    best = [...first, ...second.map((phone) => phone.replace("1", "2"))];
    bestShorter = shorter;
  }
  return best;
};
