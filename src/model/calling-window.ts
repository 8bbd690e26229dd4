import { Type, type Static } from "typebox";

const DAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;
const DAY_NAMES: readonly string[] = DAYS;
const Time = (pattern: string, description: string) => Type.String({ pattern, description });

/** When people may be called, by the clocks where they are. */
export const CallingWindowSchema = Type.Object(
  {
    days: Type.Optional(
      Type.Array(Type.Enum([...DAYS]), { minItems: 1, maxItems: 7, description: "Every day when absent." }),
    ),
    start: Time("^([01][0-9]|2[0-3]):[0-5][0-9]$", "Such as 09:00; the first minute at which calls are placed."),
    end: Time("^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$", "Such as 20:00; the first minute at which none are."),
  },
  { additionalProperties: false },
);
export type CallingWindow = Static<typeof CallingWindowSchema>;

/** A window for one number: `days` are 1 (Monday) to 7, `zones` the IANA time zones that the number may be in. */
export type PlannedWindow = Readonly<{ days: readonly number[]; start: string; end: string; zones: readonly string[] }>;

/** A window where a number is. */
export const windowIn = ({ days = [...DAYS], start, end }: CallingWindow, zones: readonly string[]): PlannedWindow => ({
  days: [...new Set(days)].map((day) => DAYS.indexOf(day) + 1),
  start,
  end,
  zones,
});

/** Whether calls may be placed at `now` (milliseconds since 1970), in all zones that the number may be in. */
export const isOpen = ({ days, start, end, zones }: PlannedWindow, now: number): boolean =>
  zones.every((timeZone) => {
    const parts = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }).formatToParts(now);
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
    const time = `${part("hour")}:${part("minute")}`;
    const day = DAY_NAMES.indexOf(part("weekday").toUpperCase()) + 1;
    return days.includes(day) && time >= start && time < end;
  });
