import { agreement } from "./agreement.ts";
import { DAY_MS, type CalendarDay } from "./calendar-day.ts";
import { nearestTime, problemWith } from "./office.ts";
import { findName, findPhone } from "./person.ts";
import { missing, questionOf, spokenAppointment } from "./questions.ts";
import { spokenDigits } from "./spoken.ts";
import type { Appointment, Heard, Reply, Scene, State, Task } from "./state.ts";
import { findDayPart } from "./time-of-day.ts";

/** The parts of an appointment that somebody's words name, read in the light of what was just asked. */
export const detailsIn = (state: State, heard: Heard, scene: Scene): Appointment => {
  const day = heard.day ?? (state.asked === "day" ? soonest(heard, scene) : undefined);
  const exact = state.asked === "time" ? heard.timeIfAsked : heard.time;
  const part = exact === undefined && state.task !== undefined ? findDayPart(heard.plain) : undefined;
  const time = exact ?? (part === undefined ? undefined : nearestTime(day ?? state.wanted.day, part));
  const corrects = state.asked === "confirm" && agreement(heard.plain) === "no";
  const mayName =
    state.asked === "name" || (corrects && day === undefined && time === undefined && NAMED.test(heard.text));
  const name = findName(heard.text.replace(/^\W*no\b\W*/iu, ""), mayName);
  return {
    ...(day === undefined ? {} : { day }),
    ...(time === undefined ? {} : { time }),
    ...(name === undefined ? {} : { name }),
    ...(state.task === "move" && /\bsame time\b/u.test(heard.plain) ? { sameTime: true } : {}),
  };
};

/** "As soon as you can" names the next day that the office is open. */
const soonest = (heard: Heard, scene: Scene): CalendarDay | undefined => {
  if (
    !/\b(?:soon|soonest|earliest|first available|next available|any day|whichever|whenever|asap)\b/u.test(heard.plain)
  )
    return undefined;
  const tomorrow = scene.now.today + DAY_MS;
  return problemWith(tomorrow, undefined, scene.now) === undefined ? tomorrow : tomorrow + DAY_MS;
};

export const hasAny = (details: Appointment): boolean => Object.keys(details).length > 0;

/** Takes up a task with whatever was said along with it. */
export const begin = (state: State, task: Task, heard: Heard, scene: Scene): Reply => {
  const known = task === "book" ? {} : (state.settled ?? {});
  const { day: _day, ...keptForMove } = known;
  const fresh: State = { ...state, task, asked: "task", wanted: task === "move" ? keptForMove : known };
  const details = detailsIn({ ...fresh, asked: "confirm" }, heard, scene);
  return proceed(fresh, { ...fresh.wanted, ...details }, scene, OPENERS[task]);
};

/** Goes on with the task: refuses what cannot be, asks for what is missing, or reads the whole back. */
export const proceed = (state: State, wanted: Appointment, scene: Scene, before = ""): Reply => {
  const task = state.task ?? "book";
  const problem = task === "cancel" ? undefined : problemWith(wanted.day, wanted.time, scene.now);
  const { [problem?.part ?? "sameTime"]: _refused, ...possible } = wanted;
  const kept = problem === undefined ? wanted : possible;
  const next: State = { ...state, task, wanted: kept, asked: missing(task, kept), misses: 0 };
  return answer(next, `${problem?.say ?? before} ${questionOf(next)}`);
};

/** Does what was confirmed, and asks for more. */
export const complete = (state: State): Reply => {
  const next: State = {
    ...state,
    task: undefined,
    wanted: {},
    settled: state.task === "cancel" ? undefined : state.wanted,
    asked: "more",
    misses: 0,
  };
  return answer(next, `${doneOf(state)} ${questionOf(next)}`);
};

/** What was done, in words. The script keeps no calendar, and says so. */
export const doneOf = (state: State): string => {
  const when = spokenAppointment(state.wanted);
  if (state.task === "cancel") return "It's cancelled in this demo's calendar.";
  if (state.task === "move") return `I've moved it: you're expected ${when}, in this demo's calendar.`;
  return `You're booked ${when}, in this demo's calendar.`;
};

/** A telephone number that came along; noted aloud, so that the caller hears how it was understood. */
export const phoneNote = (heard: Heard): string => {
  const phone = findPhone(heard.plain);
  return phone === undefined ? "" : `Your number is ${spokenDigits(phone)}.`;
};

/** An answer, which is also what "say that again" will repeat. */
export const answer = (state: State, text: string): Reply => {
  const say = text.replaceAll(/\s+/gu, " ").trim();
  return { state: { ...state, last: say }, say };
};

/** "No, it's Mario" names somebody; "no, that's wrong" does not. */
const NAMED = /\b(?:it's|it is|name)\b/iu;

const OPENERS: Readonly<Record<Task, string>> = {
  book: "I can book that for you.",
  move: "I can move your appointment.",
  cancel: "I can cancel your appointment.",
};
