import { Value } from "typebox/value";
import type { TransitionRule } from "../../model/versioned-prompt.ts";
import { macrosIn } from "./field.ts";
import { parseNumber } from "./number-words.ts";
import { fillValue, lookUp, type Values } from "./values.ts";

/**
 * Whether a condition holds that can be decided without judging words (`equal`, `in`, `greater`, `less`). A field without a value
 * fulfils none. Of an array, `any` (the default) or `all` of the elements must fulfil it; an empty array never does.
 */
export const conditionHolds = (rule: TransitionRule, values: Values): boolean => {
  const value = rule.field === undefined ? undefined : lookUp(rule.field, values);
  if (value === undefined || value === null) return false;
  const fulfils = comparison(rule, values);
  if (!Array.isArray(value)) return fulfils(value);
  if (value.length === 0) return false;
  return rule.arrayConditionType === "all" ? value.every(fulfils) : value.some(fulfils);
};

/**
 * Equal after normalisation: numbers by value, however they are written ("1,000", "one thousand", 1000); texts without regard to
 * case, blanks around and between words, and a mark at the end; booleans as `true` and `false`; other values as JSON.
 */
export const sameValue = (a: unknown, b: unknown): boolean => {
  if (a === undefined || a === null || b === undefined || b === null) return false;
  if (typeof a === "object" || typeof b === "object") return Value.Equal(asJson(a), asJson(b));
  if (textOf(a) === textOf(b)) return true;
  const numbers = [asNumber(a), asNumber(b)];
  return numbers[0] !== undefined && numbers[0] === numbers[1];
};

/** A text as it is compared. */
export const normalizeText = (text: string): string =>
  text
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[‘’]/gu, "'")
    .replace(/[\s.!?,;:…]+$/u, "");

const comparison = (rule: TransitionRule, values: Values): ((value: unknown) => boolean) => {
  const expected = known(rule.value, values);
  switch (rule.conditionType) {
    case "equal":
      return (value) => sameValue(value, expected);
    case "in": {
      const among = (rule.values ?? []).flatMap((text) => known(text, values) ?? []);
      return (value) => among.some((one) => sameValue(value, one));
    }
    case "greater":
      return (value) => (asNumber(value) ?? Number.NaN) > (asNumber(expected) ?? Number.NaN);
    case "less":
      return (value) => (asNumber(value) ?? Number.NaN) < (asNumber(expected) ?? Number.NaN);
    default:
      return () => false;
  }
};

/**
 * What a rule compares with, its macros filled in; nothing when one of them has no value, since a macro that stays in its place is
 * otherwise a word that a caller could say.
 */
const known = (text: string | undefined, values: Values): unknown => {
  if (text === undefined) return undefined;
  const open = !values.fillEmpty && macrosIn(text).some((name) => (lookUp(name, values) ?? undefined) === undefined);
  return open ? undefined : fillValue(text, values);
};

/** Digits that begin with a zero or are too many for a number of 64 bits name something (a code, an account) and count nothing. */
const A_NAME = /^\s*(?:0\d|\d{16})/u;

const asNumber = (value: unknown): number | undefined => {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && value.length <= 200 && !A_NAME.test(value) ? parseNumber(value) : undefined;
};

const textOf = (value: unknown): string => normalizeText(typeof value === "string" ? value : JSON.stringify(value));

const asJson = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};
