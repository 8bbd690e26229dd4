import type { CalendarDay } from "./calendar-day.ts";
import type { Intent } from "./intents.ts";
import type { Moment } from "./office.ts";
import type { TimeOfDay } from "./time-of-day.ts";

export type Task = "book" | "move" | "cancel";

export type Appointment = Readonly<{
  name?: string;
  day?: CalendarDay;
  time?: TimeOfDay;
  /** The caller wants the time that the old appointment had, which the script does not know. */
  sameTime?: true;
}>;

/** What the last answer asked for, which decides how the next words are read. */
export type Question = "task" | "name" | "day" | "time" | "confirm" | "change" | "more";

/** Where a conversation stands. Made anew from the messages at every turn, and kept nowhere. */
export type State = Readonly<{
  task?: Task | undefined;
  /** The appointment that is being talked about. */
  wanted: Appointment;
  /** The appointment that was made or moved in this conversation. */
  settled?: Appointment | undefined;
  asked: Question;
  /** Turns in a row that made no sense. */
  misses: number;
  /** Silences in a row. */
  silences: number;
  /** What was said last, for callers who ask for it again. */
  last: string;
}>;

export const BEGINNING: State = { wanted: {}, asked: "task", misses: 0, silences: 0, last: "" };

/** One thing that a caller said, and all that can be made of it without knowing where the conversation stands. */
export type Heard = Readonly<{
  text: string;
  /** The same, normalized. */
  plain: string;
  intent: Intent | undefined;
  /** Words that give the intent away were there, and not only a likeness. */
  cued: boolean;
  day: CalendarDay | undefined;
  time: TimeOfDay | undefined;
  /** The time that it names if one was just asked for. */
  timeIfAsked: TimeOfDay | undefined;
}>;

/** What stays the same through a conversation. */
export type Scene = Readonly<{ now: Moment; business: string | undefined }>;

export type Reply = Readonly<{
  state: State;
  say: string;
  /** It answers nothing: a stronger answer to something else of the same turn goes first. */
  weak?: true;
  /** The agent hangs up after it. */
  ends?: true;
  /** The caller wants a person. */
  handOver?: true;
}>;
