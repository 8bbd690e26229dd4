import { normalizeText, sameValue } from "./conditions.ts";
import type { QuestionData } from "./node-data.ts";
import { findNumber, parseNumber } from "./number-words.ts";

/** What a question yields. */
export type Answer = string | number | readonly string[];

/**
 * The answer that a caller's words are, when that can be told without judging them; `undefined` when it cannot. Options are found by
 * their words, by their place ("the second one", "number two") and, for yes and no, by other words for them. Words that may turn
 * the meaning round ("not the red one") are left to the judgement.
 */
export const plainAnswer = (question: QuestionData, said: string): Answer | undefined => {
  const { questionType, options = [] } = question;
  if (normalizeText(said) === "") return undefined;
  const keys = keysIn(said);
  const words = keys ?? said;
  switch (questionType) {
    case "freeform":
      return words.trim();
    case "numeric":
      return parseNumber(words) ?? (TURNS.test(words) ? undefined : findNumber(words));
    case "multiple_choice":
      return plainChoice(options, normalizeWords(words)) ?? options[keyPlace(keys, options.length)];
    case "multiple_select": {
      return plainSelection(options, normalizeWords(words)) ?? keyPlaces(keys, options);
    }
  }
};

/** The keys of a turn that was pressed and not spoken, as the call loop writes it; # at their end only says that it is. */
const keysIn = (said: string): string | undefined =>
  /^\(pressed ([0-9*# ]+)\)$/u
    .exec(said.trim())?.[1]
    ?.replaceAll(" ", "")
    .replace(/(?<=.)#$/u, "");

/** A key stands for the option in its place; -1 for none. */
const keyPlace = (keys: string | undefined, count: number): number => {
  const place = Number(keys ?? Number.NaN);
  return Number.isInteger(place) && place >= 1 && place <= count ? place - 1 : -1;
};

/** Several keys, each once, stand for as many options; where there are ten and more, all keys together for one. */
const keyPlaces = (keys: string | undefined, options: readonly string[]): readonly string[] | undefined => {
  if (keys === undefined) return undefined;
  const named = options.length < 10 ? Array.from(keys) : [keys];
  const places = named.map((key) => keyPlace(key, options.length));
  const plain = !places.includes(-1) && new Set(places).size === places.length;
  return plain ? options.filter((_, index) => places.includes(index)) : undefined;
};

/** Words that may turn round or take back what stands beside them. */
const TURNS =
  /\b(?:not|no|don't|doesn't|isn't|never|neither|nor|except|without|but|instead|rather|actually|or|n't|anything)\b/iu;

const plainChoice = (options: readonly string[], words: string): string | undefined => {
  const whole = wholeOption(options, words);
  if (whole !== undefined) return whole;
  const agreed = yesOrNo(options, words);
  if (agreed !== undefined) return agreed;
  if (TURNS.test(words)) return undefined;
  const named = mentioned(options, words);
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  return options[placeOf(words, options.length) ?? -1] ?? numbered(options, words);
};

const plainSelection = (options: readonly string[], words: string): readonly string[] | undefined => {
  const whole = wholeOption(options, words);
  if (whole !== undefined) return [whole];
  if (ALL.test(words) || (options.length === 2 && /^both(?: please| of them)?$/u.test(words))) return options;
  if (/^(?:none|none of (?:them|these|those|it)|nothing|neither)$/u.test(words)) return [];
  if (TURNS.test(words)) return undefined;
  const named = mentioned(options, words);
  if (named.length > 0) return named;
  const place = placeOf(words, options.length);
  return place === undefined ? undefined : options.slice(place, place + 1);
};

const wholeOption = (options: readonly string[], words: string): string | undefined =>
  options.find((option) => normalizeWords(option) === words) ?? options.find((option) => sameValue(option, words));

const ALL = /^(?:all|everything|every one)(?: please| of (?:them|these|those|it))?$/u;

/** Lower case, letters and digits only, one blank between words. */
const normalizeWords = (text: string): string =>
  normalizeText(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, " ")
    .trim();

const YES = new Set(
  "yes|yeah|yep|yup|sure|of course|correct|right|that's right|that is right|that's correct|exactly|absolutely|definitely|okay|ok|yes please|yes i do|yes i am|yes it is|yes that's right|yes sure|yeah sure|please do|i do|i am|it is|uh huh|mhm".split(
    "|",
  ),
);
const NO = new Set(
  "no|nope|nah|no thanks|no thank you|not really|no i don't|no i'm not|no it isn't|no it's not|i don't|i'm not|not at all|no way|no sir|no ma'am|not today|not now".split(
    "|",
  ),
);

const yesOrNo = (options: readonly string[], words: string): string | undefined => {
  const find = (word: string) => {
    const plain = options.map(normalizeWords);
    const whole = plain.indexOf(word);
    if (whole >= 0) return options[whole];
    // "Yes, please" says more than yes, and no less.
    const begun = plain.flatMap((option, index) => (option.startsWith(`${word} `) ? [index] : []));
    return begun.length === 1 ? options[begun[0] ?? -1] : undefined;
  };
  const [yes, no] = [find("yes"), find("no")];
  if (yes === undefined || no === undefined) return undefined;
  if (YES.has(words)) return yes;
  return NO.has(words) ? no : undefined;
};

/** Options whose words are in the text, in their own order; of "red" and "dark red", only the longer one is meant by "dark red". */
const mentioned = (options: readonly string[], words: string): readonly string[] => {
  let rest = ` ${words} `;
  const found = new Set<string>();
  for (const option of options.toSorted((a, b) => b.length - a.length)) {
    const plain = normalizeWords(option);
    // A single letter is a word of its own in many sentences ("a table"), so it has to be named as an option.
    const sought = plain.length === 1 && /\p{L}/u.test(plain) ? ` option ${plain} ` : ` ${plain} `;
    if (plain === "" || !rest.includes(sought)) continue;
    found.add(option);
    rest = rest.replaceAll(sought, " | ");
  }
  return options.filter((option) => found.has(option));
};

/** "there are two of us" for an option "2". */
const numbered = (options: readonly string[], words: string): string | undefined => {
  const value = findNumber(words);
  const fitting = value === undefined ? [] : options.filter((option) => parseNumber(option) === value);
  return fitting.length === 1 ? fitting[0] : undefined;
};

const PLACES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/** "the second one", "option two", "number 2", "the last": an index; `undefined` when the words say more than a place. */
const placeOf = (words: string, count: number): number | undefined => {
  const plain = words
    .replaceAll(
      /\b(?:i'd|i'll|i|would|like|take|want|choose|pick|go|with|for|the|please|um|uh|well|let's|say|one|it's|is)\b/gu,
      " ",
    )
    .replaceAll(/\s+/gu, " ")
    .trim();
  if (plain === "last") return count - 1;
  const ordinal = PLACES.indexOf(plain);
  if (ordinal >= 0) return ordinal < count ? ordinal : undefined;
  const [, digits] =
    /^(\d{1,3})(?:st|nd|rd|th)$/u.exec(plain) ?? /(?:^|\b)(?:option|number|choice)\s+(.+)$/u.exec(words) ?? [];
  const place = digits === undefined ? undefined : parseNumber(digits.replace(/\s+please$/u, ""));
  return place !== undefined && Number.isInteger(place) && place >= 1 && place <= count ? place - 1 : undefined;
};
