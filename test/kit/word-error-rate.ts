/**
 * Words wrong, missing or too many, as a share of the reference's words. Case, punctuation and the way numbers are written
 * ("7" or "seven", "1st" or "first"; "goodbye" or "good-bye") do not count; the words between do.
 */
export const wordErrorRate = (reference: string, hypothesis: string): number => {
  const expected = wordsOf(reference);
  if (expected.length === 0) throw new RangeError("a reference without words has no word error rate");
  return editDistance(expected, wordsOf(hypothesis)) / expected.length;
};

/** The word error rate over many utterances: all errors over all words, so that a long utterance counts as what it is. */
export const totalWordErrorRate = (pairs: readonly Readonly<{ reference: string; hypothesis: string }>[]): number => {
  let errors = 0;
  let words = 0;
  for (const { reference, hypothesis } of pairs) {
    const expected = wordsOf(reference);
    errors += editDistance(expected, wordsOf(hypothesis));
    words += expected.length;
  }
  if (words === 0) throw new RangeError("references without words have no word error rate");
  return errors / words;
};

/** A text as bare words: lower case, numbers spelled digit by digit where they are long, else as words. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/[’‘`]/g, "'")
    .replaceAll(/\$\s?(\d[\d,]*)/g, "$1 dollars")
    .replaceAll(/(\d),(?=\d{3})/g, "$1")
    .replaceAll(/(\d+)\s?%/g, "$1 percent")
    .replaceAll(/(\d+)(st|nd|rd|th)\b/g, (_, digits: string) => ordinalWords(Number(digits)))
    // Groups with hyphens between them are a telephone number.
    .replaceAll(/\d+(?:-\d+)+/g, (groups) => groups.replaceAll("-", "").split("").join(" "))
    .replaceAll(/(\d)[:.](?=\d)/g, "$1 ")
    .replaceAll(/\b([ap])\.\s?m\b\.?/g, "$1m")
    .replaceAll(/\bgood[ -]bye\b/g, "goodbye")
    .replaceAll(/\d+/g, (digits) => ` ${numberWords(digits)} `)
    .replaceAll(/[^a-z']+/g, " ")
    .replaceAll(/(?<![a-z])'|'(?![a-z])/g, " ")
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ORDINALS: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};

/** Numbers of four digits and more are read digit by digit, as telephone numbers and codes are. */
const numberWords = (digits: string): string =>
  digits.length > 3 || (digits.length > 1 && digits.startsWith("0"))
    ? Array.from(digits, (digit) => ONES[Number(digit)]).join(" ")
    : smallNumber(Number(digits));

const smallNumber = (value: number): string => {
  if (value < 20) return ONES[value] ?? "";
  if (value < 100)
    return `${TENS[Math.floor(value / 10)] ?? ""}${value % 10 === 0 ? "" : ` ${ONES[value % 10] ?? ""}`}`;
  const rest = value % 100;
  return `${ONES[Math.floor(value / 100)] ?? ""} hundred${rest === 0 ? "" : ` ${smallNumber(rest)}`}`;
};

const ordinalWords = (value: number): string => {
  const words = smallNumber(value).split(" ");
  const last = words.pop() ?? "";
  const ordinal = ORDINALS[last] ?? (last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return [...words, ordinal].join(" ");
};

/** Levenshtein's distance between two lists of words. */
const editDistance = (from: readonly string[], to: readonly string[]): number => {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, word] of from.entries()) {
    const line = [row + 1];
    for (const [column, other] of to.entries())
      line.push(
        Math.min(
          (above[column] ?? 0) + (word === other ? 0 : 1),
          (above[column + 1] ?? 0) + 1,
          (line[column] ?? 0) + 1,
        ),
      );
    above = line;
  }
  return above[to.length] ?? 0;
};
