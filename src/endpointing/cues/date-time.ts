import type { Cue } from "./cue.ts";

/** A date or a time of day that may lack a part. */
export const dateTime: Cue = ({ words, expected, text }) => {
  const last = words.at(-1) ?? "";
  const month =
    words.some((word) => MONTHS.has(word) && word !== "may") ||
    (words.includes("may") && expected.type === "date-time");
  if (expected.type === "date-time" && expected.wants === "birth" && (month || /\d/u.test(text))) {
    const year = /(?:19|20)\d\d|'?\d\d$/u.test(last) && /\d{2,}/u.test(last) && month && words.length >= 3;
    const spokenYear =
      words.some((word) => /^(?:nineteen|twenty|thousand)$/u.test(word)) &&
      month &&
      !/^(?:nineteen|twenty|two)$/u.test(last);
    const slashes = /\d+[/.-]\d+[/.-]\d{2,}/u.test(text);
    return {
      form: "date-time",
      completeness: (year && !/^(?:19|20)$/u.test(last)) || spokenYear || slashes ? 0.95 : 0.06,
    };
  }
  if (MONTHS.has(last) && last !== "may")
    return {
      form: "date-time",
      completeness: /^\d+(?:st|nd|rd|th)?$|th$|first$|second$|third$|of$/u.test(words.at(-2) ?? "") ? 0.85 : 0.25,
    };
  if (expected.type !== "date-time") return undefined;
  const day = month || words.some((word) => DAYS.has(word));
  const time = TIME.test(text);
  if (expected.wants === "both")
    return day && time
      ? { form: "date-time", completeness: 0.93 }
      : day || time
        ? { form: "date-time", completeness: 0.45 }
        : undefined;
  if (expected.wants === "time") return { form: "date-time", completeness: time ? 0.92 : 0.65 };
  return day ? { form: "date-time", completeness: DAYS.has(last) ? 0.7 : 0.85 } : undefined;
};

const MONTHS = new Set(
  "january february march april may june july august september october november december".split(" "),
);
const DAYS = new Set("monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight".split(" "));

/** A time of day, in figures or in words. */
const TIME =
  /\b(?:\d{1,2}(?::\d\d)?\s?[ap]\.?m|noon|midnight|o'clock|morning|afternoon|evening|night|half past|quarter (?:past|to))\b|\d{1,2}:\d\d|\b(?:at|after|before|around|about|by|past|until|till) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/iu;
