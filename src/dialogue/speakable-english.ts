import { ADDRESS_RULES } from "./speakable-addresses.ts";
import { DATE_RULES, dateInWords } from "./speakable-dates.ts";
import { rule, WORD_START, type Rule } from "./speakable-rule.ts";
import { cardinal, digitByDigit, fraction, money, ordinal, year } from "./spoken-number.ts";

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
  kgs: ["kilogram", "kilograms"],
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
  wk: ["week", "weeks"],
  wks: ["week", "weeks"],
  mo: ["month", "months"],
  mos: ["month", "months"],
  yr: ["year", "years"],
  yrs: ["year", "years"],
  kb: ["kilobyte", "kilobytes"],
  mb: ["megabyte", "megabytes"],
  gb: ["gigabyte", "gigabytes"],
  tb: ["terabyte", "terabytes"],
  mbps: ["megabit per second", "megabits per second"],
  gbps: ["gigabit per second", "gigabits per second"],
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

const written = (pattern: string, flags = "u"): RegExp => new RegExp(`${WORD_START}${pattern}`, flags);

/** What a fraction adds to a whole number: "4 1/2". */
const partOf = (top: string, bottom: string): string | undefined => {
  const name = fraction(Number(top), Number(bottom));
  if (name === undefined) return undefined;
  return ` and ${name.startsWith(cardinal(top)) ? name : `a ${name}`}`;
};

const CURRENCY = "[$€£¥₹₩]";

const QUANTITIES: readonly Rule[] = [
  rule(
    new RegExp(
      String.raw`(${CURRENCY})\s?(${NUMBER})\s?[-–—]\s?\1?(${NUMBER})(?:\s?(million|billion|trillion|thousand|[kmb]|bn)\b)?(?![\d-])`,
      "iu",
    ),
    ([, sign = "", from = "", to = "", scale]) =>
      `${/\.\d\d$/u.test(from) ? money(sign, from, undefined) : cardinal(from)} to ${money(sign, to, scaleOf(scale))}`,
  ),
  rule(
    new RegExp(
      String.raw`(${CURRENCY})\s?(${NUMBER}|\.\d\d?)(?:\s?(million|billion|trillion|thousand|[kmb]|bn)\b)?`,
      "iu",
    ),
    ([, sign = "", amount = "", scale]) => money(sign, amount, scaleOf(scale)),
  ),
  rule(new RegExp(String.raw`(?<=[\d%)]|\d\s?[ap]\.?m\.?)\s?[-–—]\s?(?=[$€£]?\d)`, "u"), () => " to "),
  rule(written(String.raw`([-−]?(?:${NUMBER}))\s?%`), ([, amount = ""]) => `${cardinal(amount)} percent`),
  rule(
    written(
      String.raw`(${NUMBER})(?:\s+(\d)/(\d))?(\s(?:thousand|million|billion))?\s?(sq ft|km/h|[mg]bps|mph|lbs?|mins?|secs?|hrs?|wks?|mos?|yrs?|gal|km|cm|mm|kgs?|mg|ml|mi|ft|yd|oz|ms|kb|mb|gb|tb|°\s?[cf]|°)(?![\p{L}\p{N}])`,
      "iu",
    ),
    ([, amount = "", top, bottom, scale = "", unit = ""]) => {
      const names = UNITS[unit.toLowerCase().replace(/°\s/u, "°")];
      const part = top === undefined ? "" : partOf(top, bottom ?? "");
      if (names === undefined || part === undefined) return undefined;
      const one = amount === "1" && part === "" && scale === "";
      return `${cardinal(amount)}${part}${scale.toLowerCase()} ${one ? names[0] : names[1]}`;
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
    dayFirst ? dateInWords(b, a, undefined) : dateInWords(a, b, undefined),
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
  // Figures of four without a comma are years or numbers of houses, which are read in pairs.
  rule(written(String.raw`(1[1-9]\d{2})(?![\p{L}\p{N}%]|[.,:/-]\d)`), ([, digits = ""]) => year(digits)),
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
  rule(/[$€£¥₹₩+]/u, () => " "),
  rule(/[ \t]{0,4}(?:—|–|--+|(?<=[ \t])-(?=[ \t]))[ \t]{0,4}/u, () => ", "),
];

/** What English writes in figures and short forms, in the order in which it is tried. */
export const ENGLISH_RULES: readonly Rule[] = [
  ...ADDRESS_RULES,
  ...DATE_RULES,
  ...QUANTITIES,
  ...WORDS,
  ...PLAIN_NUMBERS,
];
