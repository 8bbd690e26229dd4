/** Minutes since midnight. */
export type TimeOfDay = number;

/**
 * The time that a normalized transcript speaks of: the last one named and not refused ("not three, four"). Hours without
 * morning or afternoon are taken as somebody means them who visits in office hours: 1 to 6 in the afternoon, 7 to 11 in the
 * morning. `expected` is true when a time was just asked for; then a bare number is one, and so is what only sounds like one
 * ("to" for two, "for" for four).
 */
export const findTime = (text: string, expected: boolean): TimeOfDay | undefined => {
  const heard = withHomophones(text, expected);
  const mentions: Mention[] = [];
  let rest = heard;
  for (const pattern of expected ? [...PATTERNS, BARE] : PATTERNS)
    rest = rest.replaceAll(pattern.matcher, (...found: readonly unknown[]) => {
      const whole = String(found[0]);
      const groups = found.at(-1) as Readonly<Record<string, string | undefined>>;
      const at = found.at(-3) as number;
      const minutes = pattern.time(groups);
      if (minutes !== undefined) mentions.push({ at, minutes });
      return " ".repeat(whole.length);
    });
  return mentions
    .filter((mention) => !isRefused(heard, mention.at))
    .toSorted((a, b) => a.at - b.at)
    .at(-1)?.minutes;
};

/** A time to offer when only a part of the day was named: its first whole hour that most people mean. */
export const findDayPart = (text: string): TimeOfDay | undefined => {
  if (/\b(?:earliest|first thing|as early as|first available|soonest|early)\b/u.test(text)) return 9 * 60;
  if (/\bafter lunch\b/u.test(text)) return 14 * 60;
  if (/\bmorning\b/u.test(text) && !/\bgood morning\b/u.test(text)) return 10 * 60;
  if (/\bafternoon\b/u.test(text) && !/\bgood afternoon\b/u.test(text)) return 14 * 60;
  if (/\b(?:evening|after work|late)\b/u.test(text) && !/\bgood evening\b/u.test(text)) return 17 * 60;
  if (/\b(?:any ?time|whenever|whatever time|any time works|don't mind|doesn't matter|up to you)\b/u.test(text))
    return 10 * 60;
  return undefined;
};

type Mention = Readonly<{ at: number; minutes: TimeOfDay }>;

type Pattern = Readonly<{
  matcher: RegExp;
  time: (groups: Readonly<Record<string, string | undefined>>) => TimeOfDay | undefined;
}>;

const HALF =
  "(?:\\s*(?<half>am|pm|(?:o ?clock )?in the (?:morning|afternoon|evening)|at night|tonight|(?:this |tomorrow )?(?:morning|afternoon|evening)))?";

const timeOf = (hour: number, minute: number, half: string | undefined): TimeOfDay | undefined => {
  if (hour > 23 || minute > 59) return undefined;
  const isMorning = half !== undefined && /am|morning/u.test(half);
  const isLater = half !== undefined && !isMorning;
  if (isMorning) return (hour % 12) * 60 + minute;
  if (isLater) return ((hour % 12) + 12) * 60 + minute;
  return (hour >= 1 && hour <= 6 ? hour + 12 : hour) * 60 + minute;
};

const number = (text: string | undefined): number => Number(text ?? Number.NaN);

/** Tried in this order, each on what the ones before have left. */
const PATTERNS: readonly Pattern[] = [
  { matcher: /\b(?:12 )?(?<noon>noon|midday)\b/gu, time: () => 12 * 60 },
  {
    matcher: new RegExp(`\\bhalf past (?<hour>\\d{1,2})\\b${HALF}`, "gu"),
    time: (found) => timeOf(number(found["hour"]), 30, found["half"]),
  },
  {
    matcher: new RegExp(
      `\\b(?:a )?(?<amount>quarter|\\d{1,2})(?: minutes)? (?<side>past|after|to|before|till) (?<hour>1[0-2]|[1-9])\\b(?! (?:\\d|st|nd|rd|th|people))${HALF}`,
      "gu",
    ),
    time: (found) => relative(found),
  },
  {
    // Not within a longer row of numbers, which is a telephone number.
    matcher: new RegExp(
      `(?<![\\d:] ?)\\b(?<hour>2[0-3]|1\\d|0?\\d)(?::| )(?<minute>[0-5]\\d)(?!\\d)(?! \\d)(?! (?:st|nd|rd|th|dollars|people))${HALF}`,
      "gu",
    ),
    time: (found) => timeOf(number(found["hour"]), number(found["minute"]), found["half"]),
  },
  {
    matcher: /(?<![\d:] ?)\b(?<hour>1[0-2]|0?[1-9])(?<minute>[0-5]\d) ?(?<half>am|pm)\b/gu,
    time: (found) => timeOf(number(found["hour"]), number(found["minute"]), found["half"]),
  },
  {
    matcher:
      /(?<![\d:] ?)\b(?<hour>1[0-2]|0?[1-9]) ?(?<half>(?:oclock )?(?:am|pm|in the (?:morning|afternoon|evening)|at night|tonight)|oclock(?! in))/gu,
    time: (found) => timeOf(number(found["hour"]), 0, found["half"] === "oclock" ? undefined : found["half"]),
  },
  {
    matcher: new RegExp(
      `\\b(?:at|around|about|by|maybe|say|like|make it|after|before|until) (?<hour>1[0-2]|0?[1-9])\\b(?! ?(?:st|nd|rd|th|people|persons|days|weeks|months|minutes|\\d))${HALF}`,
      "gu",
    ),
    time: (found) => timeOf(number(found["hour"]), 0, found["half"]),
  },
];

const BARE: Pattern = {
  matcher: new RegExp(`(?<![\\d:] ?)\\b(?<hour>1[0-2]|[1-9])\\b(?! ?(?:\\d|st|nd|rd|th))${HALF}`, "gu"),
  time: (found) => timeOf(number(found["hour"]), 0, found["half"]),
};

const relative = (found: Readonly<Record<string, string | undefined>>): TimeOfDay | undefined => {
  const amount = found["amount"] === "quarter" ? 15 : number(found["amount"]);
  const hour = timeOf(number(found["hour"]), 0, found["half"]);
  // "10 to 4" is a span of hours as readily as a time; only amounts that people say of minutes count.
  if (hour === undefined || amount > 30 || amount % 5 !== 0) return undefined;
  return /past|after/u.test(found["side"] ?? "") ? hour + amount : hour - amount;
};

const isRefused = (text: string, at: number): boolean =>
  /\b(?:not|from|instead of|rather than|isn't)(?: at)? ?$/u.test(text.slice(0, at));

const SOUNDS: Readonly<Record<string, string>> = {
  to: "2",
  too: "2",
  tu: "2",
  for: "4",
  ate: "8",
  won: "1",
  tin: "10",
};

const withHomophones = (text: string, expected: boolean): string => {
  const digit = (word: string): string => SOUNDS[word] ?? word;
  const mended = text
    .replaceAll(
      /\b(at|around|about|by|say|make it) (to|too|for|ate|won)\b(?! (?:the|my|your|a|an|book|do|be|come)\b)/gu,
      (_whole, before: string, word: string) => `${before} ${digit(word)}`,
    )
    .replaceAll(
      /\b(to|too|for|ate|won)(?= (?:15|30|45|oclock|am|pm|in the (?:morning|afternoon|evening))\b)/gu,
      (word) => digit(word),
    );
  if (!expected) return mended;
  return mended.replace(
    /^(?:(?:ok|okay|yes|yeah|maybe|let's say|how about|say|at) )*(to|too|tu|for|ate|won|tin)(?: please| then)?$/u,
    (_whole, word: string) => digit(word),
  );
};
