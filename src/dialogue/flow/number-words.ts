/**
 * The number that a text is, whole: digits with an optional sign, thousands separators and decimals (`-1,299.50`), a currency or
 * per-cent sign beside them, or English number words ("two hundred and five", "three point five", "five five five one").
 * `undefined` when the text is anything else, or more than one number.
 */
export const parseNumber = (text: string): number | undefined => {
  const plain = normalizeNumberText(text);
  if (plain === "") return undefined;
  return parseDigits(plain) ?? parseWords(plain.split(/[\s-]+/u).filter((word) => word !== ""));
};

/**
 * The one number in a sentence ("I'd say about twenty five, thanks"); `undefined` when there is none or several that differ, and when
 * words beside it make another one of it ("almost eighteen", "two dozen").
 */
export const findNumber = (sentence: string): number | undefined => {
  if (CHANGES_NUMBER.test(withDecimals(sentence.toLowerCase()))) return undefined;
  const found = new Set<number>();
  for (const run of numberRuns(sentence)) {
    const value = parseNumber(run);
    if (value === undefined) return undefined;
    found.add(value);
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
};

const CHANGES_NUMBER =
  /\b(?:almost|nearly|barely|under|below|over|above|than|least|most|between|half|halves|quarters?|thirds|dozens?|couples?|pairs?|until|till)\b/u;

/** "two and a half" as "two point five". */
const withDecimals = (text: string): string =>
  text
    .replaceAll(/\s+and\s+(?:a|one)\s+half\b/gu, " point five")
    .replaceAll(/\s+and\s+a\s+quarter\b/gu, " point two five");

const normalizeNumberText = (text: string): string =>
  withDecimals(text.normalize("NFKC").toLowerCase().trim())
    .replaceAll("−", "-")
    .replace(/^([-+]?)\s*[$€£]\s*/u, "$1")
    .replace(/\s*(?:%|[$€£])$/u, "")
    .replace(/[.!?]+$/u, "");

const parseDigits = (text: string): number | undefined => {
  if (!/^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?$/u.test(text) || !/\d/u.test(text)) return undefined;
  const value = Number(text.replaceAll(",", ""));
  return Number.isFinite(value) ? value : undefined;
};

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: ReadonlyMap<string, number> = new Map([
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
]);
const SMALL: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
  ["oh", 0],
  ["fourty", 40],
]);

const SIGNS: ReadonlySet<string> = new Set(["minus", "negative"]);

const parseWords = (words: readonly string[]): number | undefined => {
  const [first = ""] = words;
  if (SIGNS.has(first)) {
    const value = parseWords(words.slice(1));
    return value === undefined ? undefined : -value;
  }
  const point = words.indexOf("point");
  if (point >= 0) return parseDecimal(words.slice(0, point), words.slice(point + 1));
  return parseSpelled(words) ?? parseWhole(words);
};

const parseDecimal = (whole: readonly string[], decimals: readonly string[]): number | undefined => {
  const before = whole.length === 0 ? 0 : (parseDigits(whole.join("")) ?? parseWhole(whole));
  const after = decimals.map((word) => (/^\d+$/u.test(word) ? word : String(SMALL.get(word) ?? "x"))).join("");
  if (before === undefined || !/^\d+$/u.test(after)) return undefined;
  return Number(`${before}.${after}`);
};

/** "five five five one": two or more single digits in a row are spelled out. */
const parseSpelled = (words: readonly string[]): number | undefined => {
  if (words.length < 2 || words.length > 15) return undefined;
  const digits = words.map((word) => (/^\d$/u.test(word) ? word : digitOf(word)));
  return digits.includes(undefined) ? undefined : Number(digits.join(""));
};

const digitOf = (word: string): string | undefined => {
  const value = SMALL.get(word);
  return value !== undefined && value < 10 ? String(value) : undefined;
};

/** "two hundred and five thousand and one". */
const parseWhole = (words: readonly string[]): number | undefined => {
  let total = 0;
  let group = 0;
  let last = Number.POSITIVE_INFINITY;
  let scale = Number.POSITIVE_INFINITY;
  let seen = false;
  for (const [index, word] of words.entries()) {
    const hundredsFollow = index === 0 && (words[1] === "hundred" || SCALES.has(words[1] ?? ""));
    const small = SMALL.get(word) ?? parseDigits(word) ?? (word === "a" && hundredsFollow ? 1 : undefined);
    const big = SCALES.get(word);
    if (word === "and" && seen && index < words.length - 1) continue;
    if (word === "hundred" && seen && group > 0 && group < 100) {
      group *= 100;
      last = 100;
    } else if (big !== undefined && seen && group > 0 && big < scale) {
      total += group * big;
      scale = big;
      group = 0;
      last = Number.POSITIVE_INFINITY;
    } else if (small !== undefined && fits(small, last)) {
      group += small;
      last = small >= 20 && small < 100 && small % 10 === 0 ? 10 : 0;
      seen = true;
    } else return undefined;
  }
  return seen ? total + group : undefined;
};

/** After tens only a digit may follow, after a hundred anything below it, after a digit nothing. */
const fits = (small: number, last: number): boolean =>
  last === Number.POSITIVE_INFINITY || (last === 100 && small < 100) || (last === 10 && small > 0 && small < 10);

const NUMBER_WORD = /^(?:[-+]?[$€£]?\d[\d,]*(?:\.\d+)?%?|[a-z]+)$/u;

/** Stretches of words of a sentence that belong to one number each. */
const numberRuns = (sentence: string): readonly string[] => {
  const words = withDecimals(sentence.normalize("NFKC").toLowerCase())
    .replaceAll("−", "-")
    .replaceAll(/(?<=[a-z])-(?=[a-z])/gu, " ")
    .replaceAll(/[,;:](?=\s|$)|[.!?]+(?=\s|$)|["“”()]/gu, " | ")
    .split(/\s+/u);
  const runs: string[][] = [];
  let run: string[] = [];
  for (const [index, word] of [...words, "|"].entries()) {
    const begins = word === "a" && run.length === 0 && isLarge(words[index + 1] ?? "");
    if (begins || (NUMBER_WORD.test(word) && (isNumberWord(word) || (run.length > 0 && JOINTS.has(word)))))
      run.push(word);
    else {
      while (JOINTS.has(run.at(-1) ?? "")) run.pop();
      if (run.length > 0) runs.push(run);
      run = [];
    }
  }
  return runs.filter((found) => !found.every((word) => word === "oh")).map((found) => found.join(" "));
};

const JOINTS: ReadonlySet<string> = new Set(["and", "point", "hundred"]);

/** "a hundred", "a thousand". */
const isLarge = (word: string): boolean => word === "hundred" || SCALES.has(word);

const isNumberWord = (word: string): boolean =>
  /\d/u.test(word) || SMALL.has(word) || SCALES.has(word) || SIGNS.has(word) || word === "hundred";
