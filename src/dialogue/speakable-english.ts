import { ADDRESS_RULES } from "./speakable-addresses.ts";
import { rule, type Rule } from "./speakable-rule.ts";
import { cardinal, digitByDigit, fraction, money, ordinal, timeOfDay, year } from "./spoken-number.ts";

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

const monthName = (number: string): string | undefined => MONTHS[Number(number) - 1];

const monthCalled = (name: string): string => MONTHS.find((month) => month.startsWith(name.slice(0, 3))) ?? name;

const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 31;

const date = (month: string, day: string, ofYear: string | undefined): string | undefined => {
  const name = monthName(month);
  if (name === undefined || !isDay(day)) return undefined;
  return `${name} ${ordinal(day)}${ofYear === undefined ? "" : `, ${year(ofYear.length === 2 ? `20${ofYear}` : ofYear)}`}`;
};

const SCALES: Readonly<Record<string, string>> = {
  k: "thousand",
  m: "million",
  b: "billion",
  bn: "billion",
  t: "trillion",
};

const scaleOf = (word: string | undefined): string | undefined =>
  word === undefined ? undefined : (SCALES[word.toLowerCase()] ?? word.toLowerCase());

/** Written units and their names for one and for many. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  km: ["kilometer", "kilometers"],
  cm: ["centimeter", "centimeters"],
  mm: ["millimeter", "millimeters"],
  m: ["meter", "meters"],
  mi: ["mile", "miles"],
  ft: ["foot", "feet"],
  yd: ["yard", "yards"],
  kg: ["kilogram", "kilograms"],
  g: ["gram", "grams"],
  mg: ["milligram", "milligrams"],
  lb: ["pound", "pounds"],
  lbs: ["pound", "pounds"],
  oz: ["ounce", "ounces"],
  l: ["liter", "liters"],
  ml: ["milliliter", "milliliters"],
  gal: ["gallon", "gallons"],
  mph: ["mile per hour", "miles per hour"],
  "km/h": ["kilometer per hour", "kilometers per hour"],
  h: ["hour", "hours"],
  hr: ["hour", "hours"],
  hrs: ["hour", "hours"],
  min: ["minute", "minutes"],
  mins: ["minute", "minutes"],
  sec: ["second", "seconds"],
  secs: ["second", "seconds"],
  ms: ["millisecond", "milliseconds"],
  kb: ["kilobyte", "kilobytes"],
  mb: ["megabyte", "megabytes"],
  gb: ["gigabyte", "gigabytes"],
  tb: ["terabyte", "terabytes"],
  "°c": ["degree Celsius", "degrees Celsius"],
  "°f": ["degree Fahrenheit", "degrees Fahrenheit"],
  "°": ["degree", "degrees"],
  "sq ft": ["square foot", "square feet"],
};

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  "Mr.": "Mister",
  "Mrs.": "Missus",
  "Ms.": "Miz",
  "Dr.": "Doctor",
  "Prof.": "Professor",
  "Jr.": "Junior",
  "Sr.": "Senior",
  "Ave.": "Avenue",
  "Blvd.": "Boulevard",
  "Rd.": "Road",
  "Apt.": "Apartment",
  "Ste.": "Suite",
  "Inc.": "Incorporated",
  "Ltd.": "Limited",
  "Co.": "Company",
  "Corp.": "Corporation",
  "Dept.": "Department",
  "Mt.": "Mount",
  "Ft.": "Fort",
  "vs.": "versus",
  "etc.": "et cetera.",
  "e.g.": "for example",
  "i.e.": "that is",
  "approx.": "approximately",
  "appt.": "appointment",
  "dept.": "department",
  "ext.": "extension",
  "min.": "minutes",
  "hrs.": "hours",
  "tel.": "telephone",
  "a.k.a.": "also known as",
  "w/": "with",
  "w/o": "without",
};

const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const HALF_OF_DAY = String.raw`(?:\s?([ap])(?:\.m\.|m\b\.?(?=\s+\p{Ll}|[,;:!?]|\s*$)|m\b))`;
const WORD_START = String.raw`(?<![\p{L}\p{N}])`;

const written = (pattern: string, flags = "u"): RegExp => new RegExp(`${WORD_START}${pattern}`, flags);

const DATES: readonly Rule[] = [
  rule(written(String.raw`(\d{4})-(\d{2})-(\d{2})(?!\d)`), ([, y, m = "", d = ""]) => date(m, d, y)),
  rule(written(String.raw`(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d{2})(?![\d/])`), ([, a = "", b = "", y], { dayFirst }) =>
    dayFirst ? date(b, a, y) : (date(a, b, y) ?? date(b, a, y)),
  ),
  rule(
    written(
      String.raw`(Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec|January|February|March|April|August|September|October|November|December)\b\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:(,?)\s+(\d{4}))?(?![\d:]|\.\d|\s?[ap]\.?m)`,
    ),
    ([, month = "", day = "", comma = "", ofYear]) =>
      isDay(day)
        ? `${monthCalled(month)} ${ordinal(day)}${ofYear === undefined ? "" : `${comma} ${year(ofYear)}`}`
        : undefined,
  ),
  rule(
    written(String.raw`(${MONTHS.join("|")}|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\b\.?\s+((?:19|20)\d{2})(?!\d)`),
    ([, month = "", ofYear = ""]) => `${monthCalled(month)} ${year(ofYear)}`,
  ),
  rule(written(String.raw`(Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\.(?=\s)`), ([, month = ""]) => monthCalled(month)),
  rule(written(String.raw`(Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\.(?=\s|,)`), ([, day = ""]) =>
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].find((name) =>
      name.startsWith(day.slice(0, 3)),
    ),
  ),
];

const TIMES: readonly Rule[] = [
  rule(written(String.raw`(\d{1,2}):(\d{2})(?::\d{2})?(?!\d|:\d)${HALF_OF_DAY}?`, "iu"), ([, h = "", m = "", half]) =>
    Number(h) < 25 && Number(m) < 60 ? timeOfDay(h, m, half) : undefined,
  ),
  rule(written(String.raw`(\d{1,2})${HALF_OF_DAY}`, "iu"), ([, h = "", half]) =>
    Number(h) >= 1 && Number(h) <= 12 ? timeOfDay(h, "00", half) : undefined,
  ),
];

const QUANTITIES: readonly Rule[] = [
  rule(
    new RegExp(
      String.raw`([$€£])\s?(${NUMBER})\s?[-–—]\s?\1?(${NUMBER})(?:\s?(million|billion|trillion|thousand|[kmb]|bn)\b)?(?![\d-])`,
      "iu",
    ),
    ([, sign = "", from = "", to = "", scale]) => `${cardinal(from)} to ${money(sign, to, scaleOf(scale))}`,
  ),
  rule(
    new RegExp(String.raw`([$€£])\s?(${NUMBER})(?:\s?(million|billion|trillion|thousand|[kmb]|bn)\b)?`, "iu"),
    ([, sign = "", amount = "", scale]) => money(sign, amount, scaleOf(scale)),
  ),
  rule(new RegExp(String.raw`(?<=[\d%)]|\d\s?[ap]\.?m\.?)\s?[-–—]\s?(?=[$€£]?\d)`, "u"), () => " to "),
  rule(written(String.raw`([-−]?(?:${NUMBER}))\s?%`), ([, amount = ""]) => `${cardinal(amount)} percent`),
  rule(
    written(
      String.raw`(${NUMBER})\s?(sq ft|km/h|mph|lbs?|mins?|secs?|hrs?|gal|km|cm|mm|kg|mg|ml|mi|ft|yd|oz|ms|kb|mb|gb|tb|°\s?[cf]|°)(?![\p{L}\p{N}])`,
      "iu",
    ),
    ([, amount = "", unit = ""]) => {
      const names = UNITS[unit.toLowerCase().replace(/°\s/u, "°")];
      return names === undefined ? undefined : `${cardinal(amount)} ${amount === "1" ? names[0] : names[1]}`;
    },
  ),
  rule(written(String.raw`(${NUMBER})(g|m|l|h)(?![\p{L}\p{N}])`), ([, amount = "", unit = ""]) => {
    const names = UNITS[unit];
    return names === undefined ? undefined : `${cardinal(amount)} ${amount === "1" ? names[0] : names[1]}`;
  }),
  rule(written(String.raw`(\d[\d,]*)(?:st|nd|rd|th)\b`), ([, digits = ""]) => ordinal(digits)),
  rule(written(String.raw`(?:(\d+)\s+)?(\d)/(\d)(?![\d/])`), ([, whole, top = "", bottom = ""]) => {
    const name = fraction(Number(top), Number(bottom));
    if (name === undefined) return undefined;
    const one = name.startsWith(cardinal(top))
      ? name
      : `${whole === undefined && bottom === "2" ? "one" : "a"} ${name}`;
    return whole === undefined ? one : `${cardinal(whole)} and ${one}`;
  }),
  rule(written(String.raw`(\d{1,2})/(\d{1,2})(?![\d/])`), ([, a = "", b = ""], { dayFirst }) =>
    dayFirst ? date(b, a, undefined) : date(a, b, undefined),
  ),
  rule(/(\d+)?\s?([½¼¾⅓⅔])/u, ([, whole, sign = ""]) => {
    const name = { "½": "a half", "¼": "a quarter", "¾": "three quarters", "⅓": "a third", "⅔": "two thirds" }[sign];
    return whole === undefined ? ` ${name} ` : ` ${cardinal(whole)} and ${name} `;
  }),
  rule(/(?<=\d)\s?[x×*]\s?(?=\d)/u, () => " times "),
  rule(/(?<=\d\s?)\+(?=\s?\d)/u, () => " plus "),
  rule(/#(?=\d)/u, () => " number "),
  rule(/~\s?(?=[$€£]?\d)/u, () => " about "),
];

const PLAIN_NUMBERS: readonly Rule[] = [
  rule(written(String.raw`(\d{2,4})s\b`), ([, digits = ""]) => year(digits).replace(/y$/u, "ie").concat("s")),
  rule(
    /(?<=\b(?:in|since|until|of|from|by|year|to)\s)((?:19|20)\d{2})(?![\p{L}\p{N},.]\d?\d)(?!\d)/iu,
    ([, digits = ""]) => year(digits),
  ),
  // Codes of letters and digits, such as a flight or an order number.
  rule(
    written(String.raw`(?=[\p{L}-]{0,40}\d)(?=[\d-]{0,40}\p{L})[A-Za-z\d]{1,40}(?:-[A-Za-z\d]{1,40}){0,5}`),
    ([code]) => {
      const parts = code.match(/[A-Za-z]+|\d/gu) ?? [];
      return parts.map((part) => (/\d/u.test(part) ? digitByDigit(part) : spellable(part))).join(" ");
    },
  ),
  // Numbers that begin with zero, or are too long to be an amount, are read digit by digit.
  rule(written(String.raw`(0\d+|\d{7,})(?![.,]\d)`), ([, digits = ""]) => digitByDigit(digits)),
  rule(new RegExp(String.raw`(?<![\p{L}\p{N}.,])([-−]?(?:${NUMBER}))`, "u"), ([, digits = ""]) => cardinal(digits)),
  rule(/\d+/u, ([digits]) => cardinal(digits)),
  rule(/\p{N}/u, ([sign]) => (/^\d$/u.test(sign.normalize("NFKD")) ? cardinal(sign.normalize("NFKD")) : " ")),
];

const spellable = (letters: string): string => (letters.length <= 3 ? letters.toUpperCase() : letters);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);

const WORDS: readonly Rule[] = [
  // "St." is a saint before a name and a street after one.
  rule(written(String.raw`St\.(?=\s+\p{Lu})`), (match) => {
    const before = match.input.slice(Math.max(0, match.index - 40), match.index);
    const afterName =
      /\p{Lu}\p{L}*\s$/u.test(before) && !/\b(?:in|at|to|near|from|of|the|and|for|visit)\s$/iu.test(before);
    return afterName ? "Street" : "Saint";
  }),
  rule(written(String.raw`St\.`), () => "Street"),
  rule(written(String.raw`No\.\s?(?=\d)`), () => "Number "),
  rule(
    written(
      String.raw`(?:${Object.keys(ABBREVIATIONS)
        .toSorted((a, b) => b.length - a.length)
        .map(escaped)
        .join("|")})(?![\p{L}\p{N}])`,
    ),
    ([abbreviation]) => ABBREVIATIONS[abbreviation],
  ),
  rule(/(?<=\s|^)AM\b/u, () => "a.m."),
  rule(/&\s?/u, () => " and "),
  rule(/(?<=\p{L})\/(?=(?:or|and)\b)/u, () => " "),
  rule(/(?<=\p{L})\/(?=\p{L})/u, () => " or "),
  rule(/\s?(?:->|→|⇒|=>)\s?/u, () => " to "),
  rule(/\s?(?:>=|≥)\s?(?=\d)/u, () => " at least "),
  rule(/\s?(?:<=|≤)\s?(?=\d)/u, () => " at most "),
  rule(/\s?>\s?(?=\d)/u, () => " more than "),
  rule(/\s?<\s?(?=\d)/u, () => " less than "),
  rule(/\s?=\s?/u, () => " equals "),
  rule(/#/u, () => " "),
  rule(/(?<=\s|^)@(?=\s)/u, () => " at "),
  rule(/%/u, () => " percent "),
  rule(/[$€£+]/u, () => " "),
  rule(/[ \t]{0,4}(?:—|–|--+|(?<=[ \t])-(?=[ \t]))[ \t]{0,4}/u, () => ", "),
];

/** What English writes in figures and short forms, in the order in which it is tried. */
export const ENGLISH_RULES: readonly Rule[] = [
  ...ADDRESS_RULES,
  ...DATES,
  ...TIMES,
  ...QUANTITIES,
  ...WORDS,
  ...PLAIN_NUMBERS,
];
