import { spokenDay, spokenTime } from "./spoken.ts";
import type { Appointment, Question, State, Task } from "./state.ts";

/** The question that the conversation waits on, in words; `firmly` after it was misunderstood, with an example of an answer. */
export const questionOf = (state: State, firmly = false): string => {
  switch (state.asked) {
    case "task":
      return firmly ? "You can say, for example: I'd like to book an appointment." : "What can I do for you?";
    case "name":
      return firmly ? "Please tell me just your first and last name." : "What name is it under?";
    case "day":
      return firmly ? "Which day would you like? You can say, for example: next Tuesday." : DAY[state.task ?? "book"];
    case "time":
      return firmly ? "What time would you like? You can say, for example: ten thirty." : "What time suits you?";
    case "confirm":
      return `${summary(state.task ?? "book", state.wanted)} Is that right?`;
    case "change":
      return "What should I change: the day, the time, or the name?";
    case "more":
      return "Is there anything else I can do for you?";
  }
};

/** What the task still needs, in the order in which people like to be asked. */
export const missing = (task: Task, wanted: Appointment): Question => {
  if (task !== "book" && wanted.name === undefined) return "name";
  if (task === "cancel") return "confirm";
  if (wanted.day === undefined) return "day";
  if (wanted.time === undefined && wanted.sameTime === undefined) return "time";
  return wanted.name === undefined ? "name" : "confirm";
};

/** The appointment as far as it is known: "Thursday, January eighth at three in the afternoon". */
export const spokenAppointment = (wanted: Appointment): string =>
  [
    ...(wanted.day === undefined ? [] : [`on ${spokenDay(wanted.day)}`]),
    ...(wanted.time === undefined ? [] : [`at ${spokenTime(wanted.time)}`]),
    ...(wanted.time === undefined && wanted.sameTime === true ? ["at the same time as before"] : []),
  ].join(" ");

const DAY: Readonly<Record<Task, string>> = {
  book: "Which day would you like to come?",
  move: "Which day would you like instead?",
  cancel: "Which day is it on?",
};

const summary = (task: Task, wanted: Appointment): string => {
  const when = spokenAppointment(wanted);
  const who = wanted.name ?? "you";
  if (task === "book") return `So that's an appointment for ${who} ${when}.`;
  if (task === "move") return `So I move the appointment of ${who}. The new one is ${when}.`;
  return `So I cancel the appointment of ${who}${when === "" ? "" : ` ${when}`}.`;
};
