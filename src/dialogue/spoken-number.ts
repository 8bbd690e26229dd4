import { toCardinal, toOrdinal } from "n2words/en-US";

/** `1,299` → "one thousand two hundred ninety-nine", `3.05` → "three point zero five", `-7` → "minus seven". */
export const cardinal = (digits: string): string => {
  const plain = digits.replaceAll(",", "");
  const [, sign = "", whole = "", decimals = ""] = /^([-−+]?)(\d*)\.?(\d*)$/u.exec(plain) ?? [];
  // Beyond quadrillions nobody follows the name of a number.
  const name = whole.length > MAX_NAMED_DIGITS ? digitByDigit(whole) : toCardinal(whole === "" ? "0" : whole);
  return `${SIGN_NAMES[sign] ?? ""}${name}${decimals === "" ? "" : ` point ${digitByDigit(decimals)}`}`;
};

const SIGN_NAMES: Readonly<Record<string, string>> = { "+": "plus ", "-": "minus ", "−": "minus " };

/** `21` → "twenty-first". */
export const ordinal = (digits: string): string => {
  const value = digits.replaceAll(",", "").replace(/^0+/u, "");
  return value === "" || value.length > MAX_NAMED_DIGITS ? `${cardinal(digits)}th` : toOrdinal(value);
};

/** `2026` → "twenty twenty-six", `2005` → "two thousand five", `1900` → "nineteen hundred". */
export const year = (digits: string): string => {
  const century = Number(digits.slice(0, 2));
  const rest = Number(digits.slice(2));
  if (digits.length !== 4 || century === 10 || (century % 10 === 0 && rest < 10)) return cardinal(digits);
  if (rest === 0) return `${toCardinal(century)} hundred`;
  return `${toCardinal(century)} ${rest < 10 ? `oh ${toCardinal(rest)}` : toCardinal(rest)}`;
};

/** `3`, `30` → "three thirty"; `3`, `05` → "three oh five"; `15`, `00` → "fifteen hundred"; `3`, `00` → "three o'clock". */
export const timeOfDay = (hours: string, minutes: string, halfOfDay: string | undefined): string => {
  const hour = Number(hours);
  const minute = Number(minutes);
  const half = halfOfDay === undefined ? "" : ` ${halfOfDay.toLowerCase()}.m.`;
  if (minute === 0) {
    if (half !== "") return `${toCardinal(hour)}${half}`;
    return hour >= 1 && hour <= 12 ? `${toCardinal(hour)} o'clock` : `${toCardinal(hour)} hundred`;
  }
  return `${toCardinal(hour)} ${minute < 10 ? `oh ${toCardinal(minute)}` : toCardinal(minute)}${half}`;
};

export const digitByDigit = (digits: string): string => Array.from(digits, (digit) => toCardinal(digit)).join(" ");

const CURRENCIES: Readonly<Record<string, readonly [one: string, many: string, cent: string, cents: string]>> = {
  $: ["dollar", "dollars", "cent", "cents"],
  "€": ["euro", "euros", "cent", "cents"],
  "£": ["pound", "pounds", "penny", "pence"],
  "¥": ["yen", "yen", "sen", "sen"],
  "₹": ["rupee", "rupees", "paisa", "paise"],
  "₩": ["won", "won", "jeon", "jeon"],
};

/** `$`, `1,299.50` → "one thousand two hundred ninety-nine dollars and fifty cents"; with a scale, "one point five million dollars". */
export const money = (sign: string, amount: string, scale: string | undefined): string => {
  const [one, many, cent, cents] = CURRENCIES[sign] ?? ["", "", "", ""];
  if (scale !== undefined) return `${cardinal(amount)} ${scale} ${many}`;
  const [whole = "", written = ""] = amount.replaceAll(",", "").split(".");
  const decimals = written.length === 1 ? `${written}0` : written;
  if (decimals.length !== 2 && decimals !== "") return `${cardinal(amount)} ${many}`;
  const main = `${cardinal(whole)} ${Number(whole) === 1 ? one : many}`;
  if (Number(decimals) === 0) return main;
  const rest = `${cardinal(String(Number(decimals)))} ${Number(decimals) === 1 ? cent : cents}`;
  return Number(whole) === 0 ? rest : `${main} and ${rest}`;
};

const FRACTION_NAMES: Readonly<Record<number, string>> = { 2: "half", 3: "third", 4: "quarter", 8: "eighth" };

/** `1`, `2` → "half", `3`, `4` → "three quarters"; `undefined` where it is not a fraction that people say so. */
export const fraction = (top: number, bottom: number): string | undefined => {
  const name = FRACTION_NAMES[bottom];
  if (name === undefined || top < 1 || top >= bottom) return undefined;
  return top === 1 ? name : `${toCardinal(top)} ${name}s`;
};

/** Digits of a 64-bit number. */
const MAX_NAMED_DIGITS = 15;
