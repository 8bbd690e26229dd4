import { addressRules } from "./speakable-addresses.ts";
import { rule, WORD_START, type Rule } from "./speakable-rule.ts";
import { de } from "./figures/de.ts";
import { es, esWithPesos } from "./figures/es.ts";
import type { Counted, FigureWords } from "./figures/figure-words.ts";
import { fr } from "./figures/fr.ts";
import { it } from "./figures/it.ts";
import { nl } from "./figures/nl.ts";
import { pt } from "./figures/pt.ts";

/** Rules that write out figures in a language (BCP 47); `undefined` for one whose figures are left to the voice. */
export const figureRules = (language: string): readonly Rule[] | undefined => {
  const [, name = "", region = ""] = /^(\p{L}+)(?:-.*?(\p{Lu}{2}))?/u.exec(language) ?? [];
  const key = name === "es" && PESOS.has(region) ? "es-pesos" : name.toLowerCase();
  const words = LANGUAGES[key];
  if (words === undefined) return undefined;
  const known = made.get(key) ?? rulesOf(words);
  made.set(key, known);
  return known;
};

const LANGUAGES: Readonly<Record<string, FigureWords>> = { de, es, "es-pesos": esWithPesos, fr, it, nl, pt };
const PESOS = new Set(["MX", "AR", "CO", "CL", "UY", "DO", "CU"]);
const made = new Map<string, readonly Rule[]>();

/** "1.299,50", "1 299,50" with narrow spaces, "1’299.50", "1,299,000", "12,5", "3.14". */
const NUMBER = String.raw`\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}(?!\d)|\d{1,3}(?:[.\u00A0\u202F’']\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?`;

type Amount = Readonly<{ whole: string; decimals: string }>;

/** A comma separates decimals, and so does a dot that is not before three digits. */
const amountOf = (figures: string): Amount => {
  const plain = figures.replaceAll(/[\u00A0\u202F’']/gu, "");
  const grouped = /^\d{1,3}(?:(?:\.\d{3})+|(?:,\d{3}){2,})$/u.test(plain);
  const [, whole = "", decimals = ""] =
    /^(.*?)(?:[.,](\d+))?$/u.exec(grouped ? plain.replaceAll(/[.,]/gu, "") : plain) ?? [];
  return { whole: whole.replaceAll(/\D/gu, ""), decimals };
};

/** Beyond, nobody follows the name of a number. */
const MAX_NAMED_DIGITS = 15;

const digitByDigit = (words: FigureWords, digits: string): string =>
  Array.from(digits, (digit) => words.cardinal(digit)).join(" ");

const wholeOf = (words: FigureWords, digits: string): string =>
  digits.length > MAX_NAMED_DIGITS ? digitByDigit(words, digits) : words.cardinal(digits === "" ? "0" : digits);

const numberOf = (words: FigureWords, figures: string): string => {
  const { whole, decimals } = amountOf(figures);
  if (decimals === "") return wholeOf(words, whole);
  const named = words.namesDecimals && decimals.length === 2 && !decimals.startsWith("0");
  return `${wholeOf(words, whole)} ${words.point} ${named ? words.cardinal(decimals) : digitByDigit(words, decimals)}`;
};

const countedOf = (words: FigureWords, figures: string, [one, many]: Counted): string => {
  const { whole, decimals } = amountOf(figures);
  if (decimals !== "") return `${numberOf(words, figures)} ${many}`;
  if (/^0*1$/u.test(whole)) return one;
  const say = words.before ?? words.cardinal;
  return `${whole.length > MAX_NAMED_DIGITS ? digitByDigit(words, whole) : say(whole === "" ? "0" : whole)} ${many}`;
};

const moneyOf = (words: FigureWords, sign: string, figures: string): string | undefined => {
  const known = SAME_SIGN[sign.toUpperCase()] ?? sign;
  const names = words.money[known];
  if (names === undefined) return undefined;
  const { whole, decimals } = amountOf(figures);
  // Dollars, and Mexico's pesos, have commas between thousands, and no thousandths.
  if (known === "$" && decimals.length === 3) return countedOf(words, `${whole}${decimals}`, names.whole);
  if (decimals.length > 2) return `${numberOf(words, figures)} ${names.whole[1]}`;
  const main = countedOf(words, whole, names.whole);
  const cents = decimals.padEnd(2, "0");
  if (Number(cents) === 0) return main;
  const rest = countedOf(words, String(Number(cents)), names.cents);
  return Number(whole) === 0 ? rest : `${main} ${words.withCents} ${rest}`;
};

/** "2,3 Mio. €", "€ 2 billones". */
const millionsOf = (words: FigureWords, sign: string, figures: string, scale: string): string | undefined => {
  const names = words.money[SAME_SIGN[sign.toUpperCase()] ?? sign];
  if (names === undefined) return undefined;
  const named = words.shortScales?.[scale] ?? scale;
  return `${numberOf(words, figures)} ${named}${words.ofScale}${names.whole[1]}`;
};

const SAME_SIGN: Readonly<Record<string, string>> = { EUR: "€", USD: "$", US$: "$", GBP: "£", BRL: "R$", CHF: "CHF" };
const SIGN = String.raw`(?:€|£|R\$|US\$|\$|(?:EUR|USD|GBP|CHF|BRL)(?!\p{L}))`;

const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 31;

const dateOf = (words: FigureWords, day: string, month: string, year: string | undefined, before: string) => {
  if (!isDay(day)) return undefined;
  const inflected = words.inflects?.test(before) === true;
  const ofYear = year === undefined ? "" : `${words.between}${words.year(year.length === 2 ? `20${year}` : year)}`;
  return `${words.day(String(Number(day)), inflected)}${words.between}${month}${ofYear}`;
};

const before = ({ input, index }: RegExpExecArray): string => input.slice(Math.max(0, index - 24), index);

const written = (pattern: string, flags = "u"): RegExp => new RegExp(`${WORD_START}${pattern}`, flags);
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);

const dates = (words: FigureWords): readonly Rule[] => {
  const inFigures = (match: RegExpExecArray, day = "", month = "", year?: string) => {
    const name = words.months[Number(month) - 1];
    return name === undefined ? undefined : dateOf(words, day, name, year, before(match));
  };
  return [
    rule(written(String.raw`(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)`), (match) =>
      inFigures(match, match[3], match[2], match[1]),
    ),
    rule(written(String.raw`(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/]|-\d)`), (match) =>
      inFigures(match, match[1], match[3], match[4]),
    ),
    rule(written(String.raw`(\d{1,2})\.(\d{1,2})\.(?=\s|$|[,;:!?)])`), (match) => inFigures(match, match[1], match[2])),
    rule(
      written(
        String.raw`(\d{1,2})(?:\.|º|er|st)?\s+(?:de\s+)?(${words.months.join("|")})(?![\p{L}])(?:\s+(?:de\s+|del\s+)?(\d{4}))?`,
        "iu",
      ),
      (match) => dateOf(words, match[1] ?? "", match[2] ?? "", match[3], before(match)),
    ),
  ];
};

const times = (words: FigureWords): readonly Rule[] => {
  const mark = words.hourMark?.source;
  const say = (hours = "", minutes = "00") =>
    Number(hours) < 25 && Number(minutes) < 60 ? words.time(Number(hours), Number(minutes)) : undefined;
  const rules = [
    rule(
      written(String.raw`(\d{1,2})(?::|\s?h\s?)([0-5]\d)(?::\d{2})?(?![\p{L}\d]|:\d)(?:${mark ?? "(?!)"})?`),
      ([, h, m]) => say(h, m),
    ),
    ...(mark === undefined
      ? []
      : [
          rule(written(String.raw`(\d{1,2})\.([0-5]\d)(?:${mark})`), ([, h, m]) => say(h, m)),
          rule(written(String.raw`(\d{1,2})(?:${mark})`), ([, h]) =>
            words.units["h"] === undefined ? say(h) : undefined,
          ),
        ]),
  ];
  const { halfOfDay } = words;
  if (halfOfDay === undefined) return rules;
  const half = rule(
    written(String.raw`(\d{1,2})(?:[:.]([0-5]\d))?\s?([ap])\.?\s?m\b\.?`, "iu"),
    ([, h = "", m, which]) => {
      const said = Number(h) > 12 ? undefined : say(h, m);
      return said && `${said} ${halfOfDay(Number(h), which?.toLowerCase() === "p")}`;
    },
  );
  return [half, ...rules];
};

const quantities = (words: FigureWords): readonly Rule[] => {
  const units = Object.keys(words.units).toSorted((a, b) => b.length - a.length);
  return [
    rule(
      new RegExp(String.raw`(${SIGN})\s?(${NUMBER})\s?(${words.scales.source})`, "u"),
      ([, sign = "", figures = "", scale = ""]) => millionsOf(words, sign, figures, scale),
    ),
    rule(
      written(String.raw`(${NUMBER})\s?(${words.scales.source})\s?(${SIGN})`),
      ([, figures = "", scale = "", sign = ""]) => millionsOf(words, sign, figures, scale),
    ),
    rule(new RegExp(String.raw`(${SIGN})\s?(${NUMBER})(?:,-+)?`, "u"), ([, sign = "", figures = ""]) =>
      moneyOf(words, sign, figures),
    ),
    rule(written(String.raw`(${NUMBER})(?:,-+)?\s?(${SIGN})`), ([, figures = "", sign = ""]) =>
      moneyOf(words, sign, figures),
    ),
    rule(written(String.raw`([-−]?)(${NUMBER})\s?%`), ([, sign, figures = ""]) =>
      [sign === "" ? "" : `${words.minus} `, numberOf(words, figures), ` ${words.percent}`].join(""),
    ),
    rule(
      written(String.raw`([-−]?)(${NUMBER})\s?(${units.map(escaped).join("|")})(?![\p{L}\p{N}²/])(?:\.(?=\s+\p{Ll}))?`),
      ([, sign, figures = "", unit = ""]) => {
        const names = words.units[unit];
        return names && [sign === "" ? "" : `${words.minus} `, countedOf(words, figures, names)].join("");
      },
    ),
    rule(/(?<=[\d%€])\s?[-–—]\s?(?=[$€£]?\d)/u, () => ` ${words.to} `),
    rule(/(?<=\d\s?)\+(?=\s?\d)/u, () => ` ${words.plus} `),
  ];
};

const numbers = (words: FigureWords): readonly Rule[] => {
  const digits = (text: string) => digitByDigit(words, text.replaceAll(/\D/gu, ""));
  const groups = (text: string) =>
    text
      .split(/\D+/u)
      .filter((group) => group !== "")
      .map(digits)
      .join(", ");
  const { ordinal } = words;
  return [
    rule(
      written(String.raw`\+(\d{1,3}(?:[ ./()-]{0,2}\d{2,}){2,8})(?!\d)`),
      ([, number = ""]) => `${words.plus} ${groups(number)}`,
    ),
    // Nine to eleven figures in groups are a telephone number that needs no zero.
    rule(written(String.raw`(\d{2,4}(?:[ .-]\d{2,4}){2,4})(?![\d.,])`), ([, number = ""]) =>
      /^(?:\D*\d\D*){9,11}$/u.test(number) && !/^\d{1,3}(?:\.\d{3})+$/u.test(number) ? groups(number) : undefined,
    ),
    rule(written(String.raw`\(?0\d{1,5}\)?(?:[ /.-]{1,2}\d{2,}){1,6}(?!\d)`), ([number]) => groups(number)),
    ...(ordinal === undefined
      ? []
      : [
          rule(written(String.raw`(\d{1,4})${ordinal.mark.source}`), ([, figures = "", mark = ""]) =>
            Number(figures) === 0 ? undefined : ordinal.say(figures, mark),
          ),
        ]),
    rule(
      written(String.raw`(?=[\p{L}-]{0,40}\d)(?=[\d-]{0,40}\p{L})[A-Za-z\d]{1,40}(?:-[A-Za-z\d]{1,40}){0,5}`),
      ([code]) =>
        (code.match(/[A-Za-z]+|\d/gu) ?? []).map((part) => (/\d/u.test(part) ? digits(part) : part)).join(" "),
    ),
    rule(written(String.raw`(0\d+|\d{7,})(?![.,]\d)`), ([, number = ""]) => digits(number)),
    rule(
      new RegExp(String.raw`(?<![\p{L}\p{N}.,])([-−])(${NUMBER})`, "u"),
      ([, , figures = ""]) => `${words.minus} ${numberOf(words, figures)}`,
    ),
    rule(new RegExp(NUMBER, "u"), ([figures]) => numberOf(words, figures)),
    rule(/\p{N}/u, ([sign]) => {
      const plain = sign.normalize("NFKD");
      return /^\d$/u.test(plain) ? words.cardinal(plain) : " ";
    }),
  ];
};

const rulesOf = (words: FigureWords): readonly Rule[] => [
  ...addressRules({
    digits: (digits) => digitByDigit(words, digits),
    marks: { ".": words.dot, "@": words.at, "/": words.slash, "-": words.dash, _: words.underscore, "+": words.plus },
  }),
  ...dates(words),
  ...times(words),
  ...quantities(words),
  ...numbers(words),
  rule(/&\s?/u, () => ` ${words.and} `),
  rule(/%/u, () => ` ${words.percent} `),
  rule(new RegExp(SIGN, "u"), ([sign]) => ` ${words.money[SAME_SIGN[sign] ?? sign]?.whole[1] ?? ""} `),
  rule(/#/u, () => " "),
];
