import type { WordTiming } from "../../../ports/synthesizer.ts";
import type { Phones } from "./pronunciation.ts";

/** A phone that was made, lower case as flite names it (`pau` is a pause, `ax` a schwa), with its place in the sound. */
export type Phone = Readonly<{ name: string; startMs: number; endMs: number }>;

/**
 * When each word sounds, from the phones that an engine made and the phones that each word should have. The two are
 * aligned with the fewest changes, so that a phone more or less in one word does not move the others; pauses belong to no
 * word. A word for which no phone is left lasts no time.
 */
export const alignedWords = (
  words: readonly string[],
  expected: readonly Phones[],
  made: readonly Phone[],
): readonly WordTiming[] => {
  const sounded = made.filter((phone) => phone.name !== "pau");
  const owners = expected.flatMap((phones, word) => phones.map(() => word));
  const wordOfPhone = align(
    expected.flat().map((phone) => phone.replace(/\d$/u, "").toLowerCase()),
    sounded.map((phone) => (phone.name === "ax" ? "ah" : phone.name)),
  ).map((index) => owners[index] ?? 0);
  let lastMs = sounded[0]?.startMs ?? 0;
  return words.map((text, word) => {
    const startMs = sounded[wordOfPhone.indexOf(word)]?.startMs ?? lastMs;
    const endMs = sounded[wordOfPhone.lastIndexOf(word)]?.endMs ?? lastMs;
    lastMs = endMs;
    return { text, startMs, endMs };
  });
};

const VOWEL = /^[aeiou]/u;

/** Costs of edit distance: another vowel for a vowel is cheap (reduction), a vowel for a consonant as dear as leaving both out. */
const substitution = (one: string, other: string): number => {
  if (one === other) return 0;
  if (VOWEL.test(one) !== VOWEL.test(other)) return 2;
  return VOWEL.test(one) ? 0.4 : 1;
};

/** For each made phone the index of the expected one that it stands for; one that was not expected goes with its predecessor. */
const align = (expected: readonly string[], made: readonly string[]): readonly number[] => {
  const width = expected.length + 1;
  const cost = new Float64Array(width * (made.length + 1));
  const at = (row: number, column: number) => cost[row * width + column] as number;
  for (let row = 0; row <= made.length; row++)
    for (let column = 0; column < width; column++) {
      const candidates = [
        ...(row > 0 ? [at(row - 1, column) + 1] : []),
        ...(column > 0 ? [at(row, column - 1) + 1] : []),
        ...(row > 0 && column > 0
          ? [at(row - 1, column - 1) + substitution(expected[column - 1] ?? "", made[row - 1] ?? "")]
          : []),
      ];
      cost[row * width + column] = candidates.length === 0 ? 0 : Math.min(...candidates);
    }
  const matched = Array.from({ length: made.length }, () => 0);
  let column = expected.length;
  for (let row = made.length; row > 0;) {
    const change = substitution(expected[column - 1] ?? "", made[row - 1] ?? "");
    if (column > 0 && at(row, column) === at(row - 1, column - 1) + change) {
      row -= 1;
      column -= 1;
      matched[row] = column;
    } else if (column > 0 && at(row, column) === at(row, column - 1) + 1) column -= 1;
    else {
      row -= 1;
      matched[row] = Math.max(0, column - 1);
    }
  }
  return matched;
};
