import { toCardinal, toOrdinal } from "n2words/en-US";
import type { CalendarDay } from "./calendar-day.ts";
import type { TimeOfDay } from "./time-of-day.ts";

/** A day as one says it: "Thursday, January eighth". */
export const spokenDay = (day: CalendarDay): string => {
  const date = new Date(day);
  const weekday = date.toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" });
  const month = date.toLocaleDateString("en-US", { month: "long", timeZone: "UTC" });
  return `${weekday}, ${month} ${toOrdinal(date.getUTCDate())}`;
};

/** A time as one says it: "three thirty in the afternoon", "nine in the morning", "noon". */
export const spokenTime = (time: TimeOfDay): string => {
  const hour = Math.floor(time / 60);
  const minute = time % 60;
  if (time === 12 * 60) return "noon";
  const said = toCardinal(hour % 12 === 0 ? 12 : hour % 12);
  const later = hour < 17 ? "in the afternoon" : "in the evening";
  const half = hour < 12 ? "in the morning" : later;
  if (minute === 0) return `${said} ${half}`;
  return `${said} ${minute < 10 ? `oh ${toCardinal(minute)}` : toCardinal(minute)} ${half}`;
};

/** A telephone number digit by digit, in threes and a last group of three to five. */
export const spokenDigits = (digits: string): string => {
  const groups = digits.match(/\d{3}(?=\d{3})|\d+/gu) ?? [];
  return groups.map((group) => Array.from(group, (digit) => toCardinal(Number(digit))).join(" ")).join(", ");
};
