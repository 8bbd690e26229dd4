import { rule, type Rule } from "./speakable-rule.ts";
import { digitByDigit } from "./spoken-number.ts";

/** How a language says the marks of addresses, and digits one by one. */
type AddressWords = Readonly<{ marks: Readonly<Record<string, string>>; digits(digits: string): string }>;

const ENGLISH: AddressWords = {
  digits: digitByDigit,
  marks: {
    ".": "dot",
    "@": "at",
    "/": "slash",
    "-": "dash",
    _: "underscore",
    "+": "plus",
    ":": "colon",
    "?": "question mark",
    "=": "equals",
    "&": "and",
    "#": "hash",
    "%": "percent",
    "~": "tilde",
  },
};

/** `john.smith@example.com` → "john dot smith at example dot com"; digits one by one. */
const spelt = (address: string, { marks, digits }: AddressWords): string =>
  (address.match(/\p{L}+|\d|[^\p{L}\d]/gu) ?? [])
    .map((part) => (/\d/u.test(part) ? digits(part) : (marks[part] ?? (/\p{L}/u.test(part) ? part : ""))))
    .filter((part) => part !== "")
    .join(" ");

/** Groups of digits with pauses between, as numbers are dictated. */
const dictated = (groups: readonly string[]): string => groups.map(digitByDigit).join(", ");

const isDigits = (group: string | undefined): group is string => group !== undefined && group !== "";

/** A number without separators: country code of one digit for North America, then three, three and four; others in threes. */
const grouped = (digits: string): readonly string[] => {
  const american = /^(1?)(\d{3})(\d{3})(\d{4})$/u.exec(digits);
  return american === null ? (digits.match(/\d{1,3}/gu) ?? []) : american.slice(1).filter(isDigits);
};

const TOP_LEVEL = "com|org|net|edu|gov|io|ai|app|dev|info|biz|health|shop|co|us|uk|ca|de|fr|eu|me|tv";

/** E-mail addresses and web addresses, in the words of a language. */
export const addressRules = (words: AddressWords): readonly Rule[] => [
  rule(/(?<![\p{L}\p{N}])[\p{L}\p{N}][\w.+-]{0,63}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/u, ([address]) =>
    spelt(address, words),
  ),
  rule(/https?:\/\/(?:www\.)?([^\s<>"'()]{1,500}?)\/?(?=[.,!?;:]*(?:[\s<>"'()]|$))/iu, ([, address = ""]) =>
    spelt(address, words),
  ),
  rule(/(?<![\p{L}\p{N}])www\.([^\s<>"'()]{1,500}?)\/?(?=[.,!?;:]*(?:[\s<>"'()]|$))/iu, ([, address = ""]) =>
    spelt(address, words),
  ),
  rule(
    new RegExp(
      String.raw`(?<![\p{L}\p{N}.@])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,3}\.(?:${TOP_LEVEL})(?![\p{L}\p{N}-])(?:\/[\w./-]{0,200}\w)?`,
      "iu",
    ),
    ([address]) => (/[a-z]/iu.test(address.split(".")[0] ?? "") ? spelt(address, words) : undefined),
  ),
];

/** Addresses and telephone numbers, as English says them. */
export const ADDRESS_RULES: readonly Rule[] = [
  ...addressRules(ENGLISH),
  rule(/(?<![\p{L}\p{N}])\+(\d{7,15})(?!\d)/u, ([, digits = ""]) => `plus ${dictated(grouped(digits))}`),
  rule(
    /(?<![\p{L}\p{N}])(\+?\d{1,3}[-. ])?\(?(\d{3})\)?[-. ]\s?(\d{3})[-. ](\d{4})(?!\d)/u,
    ([, country = "", ...groups]) =>
      `${country.startsWith("+") ? "plus " : ""}${dictated([country.replaceAll(/\D/gu, ""), ...groups].filter(isDigits))}`,
  ),
  rule(/(?<![\p{L}\p{N}-])(\d{3})-(\d{4})(?![\d-])/u, ([, ...groups]) => dictated(groups.filter(isDigits))),
];
