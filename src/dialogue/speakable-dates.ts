import { rule, WORD_START, type Rule } from "./speakable-rule.ts";
import { ordinal, timeOfDay, year } from "./spoken-number.ts";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

const monthCalled = (name: string): string =>
  MONTHS.find((month) => month.toLowerCase().startsWith(name.slice(0, 3).toLowerCase())) ?? name;

/** "May" and "March" are other words as well, wherever they are written small. */
const isMonth = (name: string): boolean => name !== "may" && name !== "march" && name !== "mar";

const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 31;

/** A date in figures; `undefined` where they are none. Years of two figures are of this century. */
export const dateInWords = (month: string, day: string, ofYear: string | undefined): string | undefined => {
  const name = MONTHS[Number(month) - 1];
  if (name === undefined || !isDay(day)) return undefined;
  return `${name} ${ordinal(day)}${ofYear === undefined ? "" : `, ${year(ofYear.length === 2 ? `20${ofYear}` : ofYear)}`}`;
};

const written = (pattern: string, flags = "u"): RegExp => new RegExp(`${WORD_START}${pattern}`, flags);

const MONTH = String.raw`(${MONTHS.join("|")}|Jan|Feb|Mar|Apr|June?|July?|Aug|Sept?|Oct|Nov|Dec)\b`;

/** What tells that figures behind a month are no day: hours, decimals, halves of the day. */
const NO_DAY = String.raw`(?![\d:]|\.\d|\s?[ap]\.?m)`;

const DATES: readonly Rule[] = [
  rule(written(String.raw`(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?!\d)`), ([, y, , m = "", d = ""]) => dateInWords(m, d, y)),
  rule(
    written(String.raw`(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|(?<!-\d{1,2}-)\d{2})(?![\d/]|-\d)`),
    ([, a = "", , b = "", y], { dayFirst }) =>
      dayFirst ? (dateInWords(b, a, y) ?? dateInWords(a, b, y)) : (dateInWords(a, b, y) ?? dateInWords(b, a, y)),
  ),
  rule(
    written(String.raw`${MONTH}(?:\.?\s+|-)(\d{1,2})(?:st|nd|rd|th)?(?:(,?)[\s-]+(\d{4}))?${NO_DAY}`, "iu"),
    ([, month = "", day = "", comma = "", ofYear]) =>
      isDay(day) && (isMonth(month) || ofYear !== undefined)
        ? `${monthCalled(month)} ${ordinal(day)}${ofYear === undefined ? "" : `${comma} ${year(ofYear)}`}`
        : undefined,
  ),
  rule(
    written(
      String.raw`(the\s+)?(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?${MONTH}(?:(?<=\b(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec))\.(?=\s*(?:$|\d|\p{Ll})))?(?:(,?)\s+(\d{4}))?${NO_DAY}`,
      "iu",
    ),
    ([, the, day = "", month = "", comma = "", ofYear]) =>
      isDay(day) && (isMonth(month) || ofYear !== undefined)
        ? `${the ?? "the "}${ordinal(day)} of ${monthCalled(month)}${ofYear === undefined ? "" : `${comma} ${year(ofYear)}`}`
        : undefined,
  ),
  rule(written(String.raw`${MONTH}\.?\s+((?:1[1-9]|20)\d{2})(?!\d)`, "iu"), ([, month = "", ofYear = ""]) =>
    isMonth(month) ? `${monthCalled(month)} ${year(ofYear)}` : undefined,
  ),
  rule(written(String.raw`(Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\.(?=\s)`), ([, month = ""]) => monthCalled(month)),
  rule(written(String.raw`(Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\.(?=\s|,)`), ([, day = ""]) =>
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].find((name) =>
      name.startsWith(day.slice(0, 3)),
    ),
  ),
];

const HALF_OF_DAY = String.raw`(?:\s?([ap])(?:\.m\.|m\b\.?(?=\s+\p{Ll}|[,;:!?]|\s*$)|m\b))`;

const TIMES: readonly Rule[] = [
  rule(written(String.raw`(\d{1,2}):(\d{2})(?::\d{2})?(?!\d|:\d)${HALF_OF_DAY}?`, "iu"), ([, h = "", m = "", half]) =>
    Number(h) < 25 && Number(m) < 60 ? timeOfDay(h, m, half) : undefined,
  ),
  rule(written(String.raw`(\d{1,2})(?:\.(\d{2}))?${HALF_OF_DAY}`, "iu"), ([, h = "", m = "00", half]) =>
    Number(h) >= 1 && Number(h) <= 12 && Number(m) < 60 ? timeOfDay(h, m, half) : undefined,
  ),
];

/** Dates and times of day, as English writes them in figures. */
export const DATE_RULES: readonly Rule[] = [...DATES, ...TIMES];
