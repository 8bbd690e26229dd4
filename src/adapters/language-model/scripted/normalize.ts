/**
 * A transcript in the one form that everything here reads: lower case, no punctuation but `:` in times and the apostrophe,
 * contractions written out where they matter, no filler sounds, numbers as digits, `am` and `pm` as such.
 */
export const normalize = (text: string): string =>
  digitsFor(
    text
      .toLowerCase()
      .replaceAll(/[\u2018\u2019]/gu, "'")
      .replaceAll(/\b([ap])\.? ?m\b\.?/gu, "$1m")
      .replaceAll(/(\d)\s*:\s*(\d)/gu, "$1:$2")
      .replaceAll(/(\d)(am|pm)\b/gu, "$1 $2")
      .replaceAll(/\bo'?\s?clock\b/gu, "oclock")
      .replaceAll(/\bwanna\b/gu, "want to")
      .replaceAll(/\bgonna\b/gu, "going to")
      .replaceAll(/\bgotta\b/gu, "have to")
      .replaceAll(/\b(?:uh+|um+|uhm|er+m?|hmm+|ah+|eh)\b(?! huh)/gu, " ")
      .replaceAll(/[^\p{L}\p{N}:' ]+/gu, " ")
      .replaceAll(/(?<!\d):|:(?!\d)/gu, " "),
  );

/**
 * Numbers as digits, word by word: "three thirty" is "3 30", "forty five" is "45", "twenty third" is "23rd", "three oh five" is
 * "3 05". Number words that are also other words ("second", "one") are left alone where they stand as those.
 */
const digitsFor = (text: string): string => {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const out: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const tens = TENS[word];
    const next = words[index + 1] ?? "";
    const unit = UNITS[next];
    if (tens !== undefined && unit !== undefined && unit > 0 && unit < 10) {
      out.push(String(tens + unit));
      index += 1;
    } else if (tens !== undefined && ORDINALS[next] !== undefined && (ORDINALS[next] ?? 0) < 10) {
      out.push(ordinal(tens + (ORDINALS[next] ?? 0)));
      index += 1;
    } else if ((word === "oh" || word === "o") && unit !== undefined && isHour(out.at(-1))) {
      out.push(`0${unit}`);
      index += 1;
    } else out.push(single(word, out.at(-1), next));
  }
  return out.join(" ");
};

const single = (word: string, before: string | undefined, after: string): string => {
  const value = TENS[word] ?? UNITS[word];
  if (value !== undefined && !(word === "one" && isPronoun(before, after))) return String(value);
  if ((word === "oh" || word === "o") && /^\d$/u.test(before ?? "")) return "0";
  const rank = ORDINALS[word];
  // "second" and "first" are dates only where a date can stand: "the second", "march first", but not "a second", "first thing".
  if (rank === undefined) return word;
  return rank > 2 || isDate(before, after) ? ordinal(rank) : word;
};

const isDate = (before: string | undefined, after: string): boolean =>
  !/^(?:one|thing|time|available)$/u.test(after) &&
  (/^(?:the|on)$/u.test(before ?? "") || isMonth(before) || (after === "of" && before !== "one"));

const isPronoun = (before: string | undefined, after: string): boolean =>
  /^(?:this|that|which|the|any|no|some|every|another|first|next|last)$/u.test(before ?? "") ||
  /^(?:of|more)$/u.test(after);

const isHour = (text: string | undefined): boolean => text !== undefined && /^(?:[1-9]|1[0-2])$/u.test(text);

const isMonth = (text: string | undefined): boolean =>
  text !== undefined &&
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/u.test(text);

const ordinal = (value: number): string => {
  const last = value % 10;
  const suffix = value > 10 && value < 14 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[last] ?? "th");
  return `${value}${suffix}`;
};

const table = (words: string, from: number, step: number): Readonly<Record<string, number>> =>
  Object.assign(
    Object.create(null) as Record<string, number>,
    Object.fromEntries(words.split(" ").map((word, index) => [word, from + index * step])),
  );

const UNITS = table(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
  0,
  1,
);

const TENS = table("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10);

const ORDINALS = Object.assign(
  Object.create(null) as Record<string, number>,
  table(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth",
    1,
    1,
  ),
  table("twentieth thirtieth", 20, 10),
);
