import type { Cue, CueVerdict, TurnText } from "./cue.ts";

/** A date or a time of day that may lack a part. */
export const dateTime: Cue = (turn) => {
  const { words, expected, text } = turn;
  const asked = expected.type === "date-time" ? expected.wants : undefined;
  if (turn.lists.language !== "en") return asked === undefined ? undefined : elsewhere(turn, asked);
  const month = words.some((word) => MONTHS.has(word) && (word !== "may" || asked !== undefined));
  const last = words.at(-1) ?? "";
  if (asked === "birth" && (month || /\d/u.test(text))) return verdict(isBirthDate(turn, month) ? 0.95 : 0.06);
  if (MONTHS.has(last) && last !== "may") return asMonth(words, asked);
  if (asked === undefined) return undefined;
  if (asked === "time" && TIME.test(text)) return verdict(WHOLE_TIME.test(text) && CLOCK.test(text) ? 0.92 : 0.7);
  if (!month && ORDINAL.test(last)) return verdict(0.35);
  const day = month || words.some((word) => DAYS.has(word));
  const time = TIME.test(text);
  if (asked === "both" && day && time) return verdict(CLOCK.test(text) ? 0.93 : 0.7);
  if (asked === "both" && (day || time)) return verdict(0.45);
  if (asked === "date" && day) return verdict(DAYS.has(last) ? 0.65 : 0.85);
  if (VAGUE.test(words.join(" "))) return verdict(0.55);
  return isMisheard(turn) ? verdict(asked === "birth" ? 0.2 : 0.5) : undefined;
};

/** Where names of days and months are not known, the figures tell: a date of birth has its year, a moment its hour. */
const elsewhere = (turn: TurnText, asked: string): CueVerdict | undefined => {
  const figures = turn.text.match(/\d+/gu) ?? [];
  if (figures.length === 0) return isMisheard(turn) ? verdict(asked === "birth" ? 0.2 : 0.6) : undefined;
  if (asked !== "birth")
    return verdict(asked === "both" && figures.length === 1 && turn.words.length <= 3 ? 0.55 : 0.85);
  return verdict(figures.some((figure) => figure.length === 4) || figures.length >= 3 ? 0.95 : 0.08);
};

/** "January" wants a day; "in January", "the third of January" and "last January" do not. */
const asMonth = (words: readonly string[], asked: string | undefined): CueVerdict | undefined => {
  const before = words.at(-2) ?? "";
  if (DAY_OF_MONTH.test(before)) return verdict(asked === "both" ? 0.7 : 0.85);
  if (!IN_MONTH.test(before)) return verdict(0.25);
  return asked === undefined ? undefined : verdict(0.6);
};

/** Was asked for a date and names none in few words: recognizers stumble over numbers and names of months. */
const isMisheard = ({ words, lists }: TurnText): boolean =>
  words.length <= 4 && !words.some((word) => lists.answers.has(word) || lists.stops.has(word) || REFUSES.test(word));

const REFUSES = /^(?:i|i'm|i'd|i'll|we|you|any|anytime|asap|now|whenever|soon|why|what|don't|not|never)$/u;

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
const IN_MONTH = /^(?:in|last|next|this|early|late|mid|until|till|since|by|during|after|before)$/u;

/** Weeks and months are mostly followed by the day. */
const VAGUE = /\b(?:week|weekend|month|year|spring|summer|autumn|fall|winter)$/u;

const MONTHS = new Set(
  "january february march april may june july august september october november december".split(" "),
);
const DAYS = new Set("monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight".split(" "));

const WHOLE_TIME =
  /\b(?:[ap]\.?m|noon|midnight|o'clock|morning|afternoon|evening|night)\b|\d[:.]\d\d|\b(?:fifteen|thirty|forty-?five|past|quarter)\b/iu;

/** A moment, and not just a part of the day. */
const CLOCK =
  /\d|\b(?:noon|midnight|o'clock|past|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|breakfast|lunch|dinner|any ?time)\b/iu;

/** "The thirtieth" is of some month. */
const ORDINAL = /^(?:\d+(?:st|nd|rd|th)|first|second|third|\w+(?:th|ieth)|\w+-(?:first|second|third))$/u;

/** A time of day, in figures or in words. */
const TIME =
  /\b(?:\d{1,2}(?::\d\d)?\s?[ap]\.?m|noon|midnight|o'clock|morning|afternoon|evening|night|half past|quarter (?:past|to)|between \S+ and \S+|(?:for|at|over|after|before) (?:breakfast|lunch|dinner))\b|\d{1,2}:\d\d|\b(?:at|after|before|around|about|by|past|until|till) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/iu;
