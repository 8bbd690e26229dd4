import { weekdayOf, type CalendarDay } from "./calendar-day.ts";
import { spokenTime } from "./spoken.ts";
import type { TimeOfDay } from "./time-of-day.ts";

/** The imaginary office that the script is about; minutes since midnight, by weekday from Sunday. */
const WEEK: readonly (Readonly<{ opens: TimeOfDay; closes: TimeOfDay }> | undefined)[] = [
  undefined,
  ...Array.from({ length: 5 }, () => ({ opens: 9 * 60, closes: 17 * 60 + 30 })),
  { opens: 10 * 60, closes: 14 * 60 },
];

/** An appointment has to begin this long before closing, in minutes. */
const VISIT = 30;

export const HOURS =
  "We're open Monday to Friday from nine to five thirty, and on Saturday from ten to two. We're closed on Sunday.";
export const ADDRESS =
  "In this demo, our office is at twelve Market Street, right next to the library, and you can park behind the building.";
export const PRICE = "In this demo, a visit costs forty-five dollars.";
export const DURATION = "A visit takes about thirty minutes.";

/** When it is, where the process runs. */
export type Moment = Readonly<{ today: CalendarDay; minutes: TimeOfDay }>;

/** Why an appointment cannot be, and which part of it has to change; `undefined` when nothing stands against it. */
export const problemWith = (
  day: CalendarDay | undefined,
  time: TimeOfDay | undefined,
  now: Moment,
): Readonly<{ part: "day" | "time"; say: string }> | undefined => {
  if (day === undefined) return undefined;
  if (day < now.today) return { part: "day", say: "That day has already passed." };
  const hours = WEEK[weekdayOf(day)];
  if (hours === undefined) return { part: "day", say: "We're closed on Sundays." };
  if (day === now.today && now.minutes > hours.closes - VISIT)
    return { part: "day", say: "I'm afraid there is nothing left today." };
  if (time === undefined) return undefined;
  if (day === now.today && time <= now.minutes) return { part: "time", say: "That time has already passed today." };
  if (time < hours.opens || time > hours.closes - VISIT)
    return {
      part: "time",
      say: `That day you can come between ${spokenTime(hours.opens)} and ${spokenTime(hours.closes - VISIT)}.`,
    };
  return undefined;
};

/** A time to offer instead of a part of the day: the same, or the nearest that the office can do. */
export const nearestTime = (day: CalendarDay | undefined, time: TimeOfDay): TimeOfDay => {
  const hours = day === undefined ? WEEK[1] : WEEK[weekdayOf(day)];
  if (hours === undefined) return time;
  return Math.min(Math.max(time, hours.opens), hours.closes - VISIT);
};
