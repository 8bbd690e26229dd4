import { PHONE_DIGITS } from "../expected-answer.ts";
import type { Cue, TurnText } from "./cue.ts";

/** The words end in digits, spoken or written, and a number may not be complete yet. */
export const digits: Cue = (turn) => {
  const english = turn.lists.language === "en";
  const spoken = turn.expected.type === "digits" && english ? turn.words.map(asDigit) : turn.words;
  const count = trailingDigits(spoken, turn.lists.numbers);
  if (count === 0) return undefined;
  // A number that was asked for and is not said at once, in a country whose numbers have other lengths.
  if (!english && turn.expected.type === "digits" && turn.expected.count === undefined)
    return { form: "digits", completeness: ofUnknownLength(count) };
  if (turn.expected.type === "quantity") return undefined;
  const needed = turn.expected.type === "digits" ? turn.expected.count : undefined;
  const phone = needed === PHONE_DIGITS || (turn.expected.type !== "date-time" && PHONE.test(turn.text));
  if (phone) return { form: "digits", completeness: phoneCompleteness(count) };
  if (needed !== undefined) return { form: "digits", completeness: count >= needed ? 0.96 : 0.04 };
  if (turn.expected.type === "digits" || NUMBER.test(turn.text))
    return { form: "digits", completeness: ofUnknownLength(count) };
  return count >= 3 && !isAmount(turn) && !ASKS.test(turn.words[0] ?? "")
    ? { form: "digits", completeness: ofUnknownLength(count) }
    : undefined;
};

const PHONE = /\b(?:phone|telephone|mobile|cell|call me|reach me|area code)\b/iu;
const NUMBER = /\bnumber(?: is|'s)?\b|\b(?:code|pin|digits) is\b|\bending in\b/iu;

/** Seven is a number without its area code; people in a hurry say it. Eleven begins with the country's one. */
const phoneCompleteness = (count: number): number => {
  if (count >= PHONE_DIGITS) return 0.96;
  return count === 7 ? 0.3 : 0.04;
};

/** Order and account numbers mostly have five digits and more. */
const ofUnknownLength = (count: number): number => {
  if (count < 4) return 0.1;
  if (count < 6) return 0.35;
  return count < 9 ? 0.55 : 0.75;
};

/** "Is it a 250 or a 350": nobody dictates in a question. */
const ASKS =
  /^(?:is|are|was|were|do|does|did|can|could|would|will|should|has|have|what|which|who|where|when|why|how)$/u;

/** Years, prices and times of day have three and four digits too, and are no dictation. */
const isAmount = ({ text, words }: TurnText): boolean => {
  const last = words.at(-1) ?? "";
  return (
    /^(?:19|20)\d\d$/u.test(last) ||
    /[$€£]\s?[\d,.]+\W*$|\d[:.]\d\d\W*$/u.test(text) ||
    /^(?:hundred|thousand|million)$/u.test(last)
  );
};

/** Between digits, recognizers write some of them as the words that sound alike. */
const asDigit = (word: string, index: number, words: readonly string[]): string =>
  index > 0 && digitsIn(words[index - 1] ?? "") !== undefined ? (SOUND_ALIKE.get(word) ?? word) : word;

const SOUND_ALIKE = new Map([
  ["to", "two"],
  ["too", "two"],
  ["for", "four"],
  ["ate", "eight"],
  ["won", "one"],
]);

/**
 * How many digits the last words make: "555-234" six, "double five" two, "twenty one" two. `numbers` are the words of a language other than
 * English, each with the digits that it makes.
 */
export const trailingDigits = (words: readonly string[], numbers?: ReadonlyMap<string, number>): number => {
  let count = 0;
  let unitBehind = false;
  for (let index = words.length - 1; index >= 0; index--) {
    const word = words[index] ?? "";
    const width = numbers === undefined ? digitsIn(word) : digitsOf(word, numbers);
    if (width === undefined) {
      if (count === 0 || !CONNECTORS.has(word)) break;
      unitBehind = false;
      continue;
    }
    const repeats = REPEATS.get(words[index - 1] ?? "") ?? 1;
    // "Twenty one" is one number of two digits.
    count += TENS.has(word) && unitBehind ? 1 : width * repeats;
    unitBehind = UNITS.has(word) && word !== "zero" && word !== "oh" && word !== "o";
    if (repeats > 1) index--;
  }
  return count;
};

const digitsIn = (word: string): number | undefined => {
  if (/^[\d.,_-]+$/u.test(word)) return word.replaceAll(/\D/gu, "").length;
  if (UNITS.has(word)) return 1;
  if (TEENS.has(word) || TENS.has(word)) return 2;
  const parts = word.split("-");
  return parts.length > 1 && parts.every((part) => UNITS.has(part) || TENS.has(part)) ? parts.length : undefined;
};

/** The same in other languages, where "einundzwanzig" and "quatre-vingts" are one word, and signs stand for digits. */
const digitsOf = (word: string, numbers: ReadonlyMap<string, number>): number | undefined => {
  if (/^[\d.,_-]+$/u.test(word)) return word.replaceAll(/\D/gu, "").length;
  if (/^[〇零一二三四五六七八九幺两]+$/u.test(word)) return word.length;
  const known = numbers.get(word);
  if (known !== undefined) return known;
  if (word.includes("-") && word.split("-").every((part) => numbers.has(part))) return 2;
  return word.length > LONGEST_ONE && [...numbers].some(([end, width]) => width === 2 && word.endsWith(end))
    ? 2
    : undefined;
};

/** Words for numbers of two digits that are put together have more letters than this. */
const LONGEST_ONE = 8;

const UNITS = new Set("zero oh o one two three four five six seven eight nine".split(" "));
const TEENS = new Set("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" "));
const TENS = new Set("twenty thirty forty fifty sixty seventy eighty ninety".split(" "));
const CONNECTORS = new Set("dash hyphen space then plus".split(" "));
const REPEATS = new Map([
  ["double", 2],
  ["triple", 3],
]);
