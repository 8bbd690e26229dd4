import type { Cue, CueVerdict, TurnText } from "./cue.ts";

/** A date or a time of day that may lack a part. */
export const dateTime: Cue = (turn) => {
  const { words, expected, text } = turn;
  const asked = expected.type === "date-time" ? expected.wants : undefined;
  const month = words.some((word) => MONTHS.has(word) && (word !== "may" || asked !== undefined));
  if (asked === "birth") return month || /\d/u.test(text) ? verdict(isBirthDate(turn, month) ? 0.95 : 0.06) : undefined;
  const last = words.at(-1) ?? "";
  if (MONTHS.has(last) && last !== "may") return verdict(DAY_OF_MONTH.test(words.at(-2) ?? "") ? 0.85 : 0.25);
  if (asked === undefined) return undefined;
  if (asked === "time") return verdict(timeOfDay(text));
  if (!month && ORDINAL.test(last)) return verdict(0.35);
  const day = month || words.some((word) => DAYS.has(word));
  const time = TIME.test(text);
  if (asked === "date") return day ? verdict(DAYS.has(last) ? 0.7 : 0.85) : undefined;
  if (day && time) return verdict(0.93);
  return day || time ? verdict(0.45) : undefined;
};

const verdict = (completeness: number): CueVerdict => ({ form: "date-time", completeness });

/** A date of birth is over with its year. */
const isBirthDate = ({ words, text }: TurnText, month: boolean): boolean => {
  if (/\d+[/.-]\d+[/.-]\d{2,}/u.test(text)) return true;
  const last = words.at(-1) ?? "";
  if (!month || words.length < 3 || CENTURY.test(last)) return false;
  return /\d\d$/u.test(last) || words.some((word) => CENTURY.test(word));
};

const CENTURY = /^(?:19|20|nineteen|twenty|two|thousand)$/u;
const DAY_OF_MONTH = /^\d+(?:st|nd|rd|th)?$|th$|first$|second$|third$|of$/u;

/** An hour alone may be followed by its minutes, or by another one that would do as well. */
const timeOfDay = (text: string): number => {
  if (!TIME.test(text)) return 0.65;
  return WHOLE_TIME.test(text) ? 0.92 : 0.76;
};

const MONTHS = new Set(
  "january february march april may june july august september october november december".split(" "),
);
const DAYS = new Set("monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight".split(" "));

const WHOLE_TIME =
  /\b(?:[ap]\.?m|noon|midnight|o'clock|morning|afternoon|evening|night)\b|\d[:.]\d\d|\b(?:fifteen|thirty|forty-?five|past|quarter)\b/iu;

/** "The thirtieth" is of some month. */
const ORDINAL = /^(?:\d+(?:st|nd|rd|th)|first|second|third|\w+(?:th|ieth)|\w+-(?:first|second|third))$/u;

/** A time of day, in figures or in words. */
const TIME =
  /\b(?:\d{1,2}(?::\d\d)?\s?[ap]\.?m|noon|midnight|o'clock|morning|afternoon|evening|night|half past|quarter (?:past|to))\b|\d{1,2}:\d\d|\b(?:at|after|before|around|about|by|past|until|till) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/iu;
