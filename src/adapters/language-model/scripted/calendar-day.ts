import * as chrono from "chrono-node";

/** A day without a time of day, as midnight UTC in milliseconds since 1970, so that days compare and add like numbers. */
export type CalendarDay = number;

export const DAY_MS = 86_400_000;

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MONTH = "january|february|march|april|may|june|july|august|september|october|november|december";
const WEEKDAY = `(${WEEKDAYS.join("|")}|tues|thurs|weds)`;

/** The day that it is at `now` (milliseconds since 1970) where the process runs. */
export const dayOf = (now: number): CalendarDay => {
  const local = new Date(now);
  return Date.UTC(local.getFullYear(), local.getMonth(), local.getDate());
};

/** 0 is Sunday. */
export const weekdayOf = (day: CalendarDay): number => new Date(day).getUTCDay();

/**
 * The day that a normalized transcript speaks of, seen from `today`: the last one named, because that is how people correct
 * themselves, without those that are named to be left ("not Tuesday", "from Tuesday", "instead of Tuesday").
 */
export const findDay = (text: string, today: CalendarDay): CalendarDay | undefined => {
  const mentions: Mention[] = [];
  let rest = text;
  for (const pattern of PATTERNS)
    rest = rest.replaceAll(pattern.matcher, (...found: readonly unknown[]) => {
      const groups = found.filter((part): part is string => typeof part === "string");
      const at = found.find((part): part is number => typeof part === "number") ?? 0;
      const whole = groups[0] ?? "";
      mentions.push({ at, day: pattern.day(groups, today) });
      // Blanks keep the places of what follows.
      return " ".repeat(whole.length);
    });
  mentions.push(...byChrono(rest, today));
  return mentions
    .filter((mention) => !isLeft(text, mention.at))
    .toSorted((a, b) => a.at - b.at)
    .at(-1)?.day;
};

type Mention = Readonly<{ at: number; day: CalendarDay | undefined }>;

type Pattern = Readonly<{
  matcher: RegExp;
  day: (groups: readonly string[], today: CalendarDay) => CalendarDay | undefined;
}>;

/** What chrono does not read, or reads otherwise than a caller means it; tried in this order. */
const PATTERNS: readonly Pattern[] = [
  { matcher: /\bday after tomorrow\b/gu, day: (_groups, today) => today + 2 * DAY_MS },
  { matcher: /\btomorrow\b/gu, day: (_groups, today) => today + DAY_MS },
  { matcher: /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/gu, day: (_groups, today) => today },
  {
    matcher: new RegExp(`\\b(?:a )?week (?:from|on) ${WEEKDAY}\\b`, "gu"),
    day: (groups, today) => upcoming(groups[1], today, 7),
  },
  { matcher: new RegExp(`\\b${WEEKDAY} week\\b`, "gu"), day: (groups, today) => upcoming(groups[1], today, 7) },
  {
    matcher: new RegExp(`\\b${WEEKDAY} (?:the )?(\\d{1,2})(?:st|nd|rd|th)\\b(?! of [a-z])`, "gu"),
    day: (groups, today) => dayOfMonth(Number(groups[2]), today),
  },
  {
    matcher: new RegExp(`(?<!\\bnext )\\b${WEEKDAY}s?\\b(?! next week)`, "gu"),
    day: (groups, today) => upcoming(groups[1], today, 0),
  },
  {
    matcher: new RegExp(`(?<!(?:${MONTH}) (?:the )?)\\b(\\d{1,2})(?:st|nd|rd|th)\\b(?! (?:of )?(?:${MONTH}))`, "gu"),
    day: (groups, today) => dayOfMonth(Number(groups[1]), today),
  },
];

/** Chrono takes "the day" for today and the like. */
const NAMES_A_DAY = new RegExp(`\\d|yesterday|${WEEKDAY}|${MONTH}`, "u");

/** Spans of time that are no days: "in a minute", "next week" (which day of it?). */
const NOT_A_DAY = /\b(?:seconds?|minutes?|hours?|moment|now|months?|years?|weekend)\b|^(?:next|this|last|a) week$/u;

const byChrono = (text: string, today: CalendarDay): readonly Mention[] =>
  chrono.en.casual
    .parse(text, { instant: new Date(today + DAY_MS / 2), timezone: 0 }, { forwardDate: true })
    .filter((found) => NAMES_A_DAY.test(found.text) && !NOT_A_DAY.test(found.text))
    .filter((found) => found.start.isCertain("day") || found.start.isCertain("weekday"))
    .map((found) => ({
      at: found.index,
      day: Date.UTC(found.start.get("year") ?? 0, (found.start.get("month") ?? 1) - 1, found.start.get("day") ?? 1),
    }));

const isLeft = (text: string, at: number): boolean =>
  /\b(?:not|from|instead of|rather than|isn't|except|for my|my)(?: (?:on|the|this|next))? ?$/u.test(text.slice(0, at));

/** The next such weekday after today; the same weekday is next week's, because whoever means today says so. */
const upcoming = (name: string | undefined, today: CalendarDay, extraDays: number): CalendarDay => {
  const short = (name ?? "").slice(0, 3);
  const wanted = WEEKDAYS.findIndex((weekday) => weekday.startsWith(short));
  const ahead = (wanted - weekdayOf(today) + 7) % 7 || 7;
  return today + (ahead + extraDays) * DAY_MS;
};

/** The next such day of a month, this month or the first one later that has it. */
const dayOfMonth = (wanted: number, today: CalendarDay): CalendarDay | undefined => {
  const from = new Date(today);
  for (let ahead = 0; ahead < 3; ahead++) {
    const day = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + ahead, wanted);
    if (day >= today && new Date(day).getUTCDate() === wanted) return day;
  }
  return undefined;
};
